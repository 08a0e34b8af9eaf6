import { expect } from 'vitest'
import { Parser } from 'htmlparser2'
import { decodeId, encodeId, newId, type EmailId } from '../../src/core/ids.ts'
import { tokenKeys, type TokenKeys } from '../../src/core/token.ts'
import { Links } from '../../src/delivery/mail/links.ts'
import type { MailingFields } from '../../src/resources/emails/index.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from '../support/client.ts'
import { addContact, newAudience, type ContactSeen } from '../support/audiences.ts'
import { workspaceOf } from '../support/domains.ts'
import { SANDBOX } from '../support/emails.ts'
import type { Tenant, World } from '../support/world.ts'

export interface Mailed {
  /** As clients see it. */
  id: string
  emailId: EmailId
  position: number
  trackingHost: null
  audience: string
  contact: ContactSeen
}

export const keysOf = ({ services }: Pick<World, 'services'>): TokenKeys =>
  tokenKeys(services.vault.secrets.deriveAll('mail-tokens'))

/** The links that the mail carries, on the server under test. */
export const linksOf = (here: Pick<World, 'services' | 'api'>): Links =>
  new Links({ keys: keysOf(here), publicUrl: here.api.url })

const fields = { from: SANDBOX, subject: 'News', html: '<p>Hello {{ firstName }}</p>' }

/** Mail to one contact of an audience, as a broadcast makes it. */
export async function mailed(here: Tenant, more: Partial<MailingFields> & { audience?: string; email?: string } = {}) {
  const { services, db, projectApi, projectId } = here
  const { audience = await newAudience(projectApi), email = 'ann@simulator.posthouse.test', ...given } = more
  const contact = await addContact(projectApi, audience, email, { firstName: 'Ann' })
  const project = { id: decodeId('prj', projectId)!, workspaceId: await workspaceOf(here), status: 'active' as const }
  const wanted = { ...fields, ...given }
  const mailing = await services.mailings.read(db, project, wanted)
  const sender = await services.mailings.senderOf(project, mailing, wanted.tracking)
  const contactId = decodeId('con', contact.id)!
  await db.transaction(async (tx) => {
    const contentId = await services.mailings.store(tx, project.id, mailing)
    const { firstName, lastName, properties } = contact
    const made = await services.mailings.create(tx, [
      {
        projectId: project.id,
        contentId,
        sender,
        addresses: mailing,
        contact: { id: contactId, email, firstName, lastName, properties },
        origin: { broadcastId: newId<'brd'>() },
      },
    ])
    expect(made).toBe(1)
  })
  services.doorbell.ring('deliveries')
  const { id } = await db.one(sql<{ id: EmailId }>`select id from emails where contact_id = ${contactId}`)
  return { id: encodeId('em', id), emailId: id, position: 0, trackingHost: null, audience, contact } satisfies Mailed
}

/** Where a link leads on the server under test. */
export const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '')

export const isSubscribed = async (client: Client, { audience, contact }: Pick<Mailed, 'audience' | 'contact'>) =>
  (await client.get<ContactSeen>(`audiences/${audience}/contacts/${contact.id}`)).body.subscribed

export interface ShownEvent {
  type: string
  recipient: string
  detail: string
}

/** What happened to a mail, as far as these kinds go. */
export async function eventsOf(client: Client, { id }: { id: string }, ...kinds: string[]): Promise<ShownEvent[]> {
  const { body } = await client.get<{ events: ShownEvent[] }>(`emails/${id}`)
  return body.events.filter(({ type }) => kinds.includes(type))
}

export interface Form {
  action: string
  method: string
  /** What a browser would send, unless somebody changes something. */
  fields: [name: string, value: string][]
  /** All boxes, by the words beside them. */
  boxes: { label: string; value: string; checked: boolean }[]
  button: string
}

/** The forms of a page, as a browser finds them. */
export function formsIn(html: string): Form[] {
  const forms: Form[] = []
  let place: 'label' | 'button' | undefined
  const parser = new Parser({
    onopentag: (name, { type, name: field = '', value = '', checked, action = '', method = '' }) => {
      const form = forms.at(-1)
      if (name === 'form') forms.push({ action, method, fields: [], boxes: [], button: '' })
      if (name === 'label' || name === 'button') place = name
      if (name !== 'input' || form === undefined) return
      if (type === 'checkbox') form.boxes.push({ label: '', value, checked: checked !== undefined })
      if (type !== 'checkbox' || checked !== undefined) form.fields.push([field, value])
    },
    ontext: (text) => {
      const form = forms.at(-1)
      const box = form?.boxes.at(-1)
      if (place === 'label' && box) box.label = `${box.label}${text}`.trim()
      if (place === 'button' && form) form.button += text
    },
    onclosetag: (name) => {
      if (name === place) place = undefined
    },
  })
  parser.end(html)
  return forms
}

export const submit = (client: Client, { action, fields: given }: Form): Promise<Reply> =>
  client.with(undefined).request('POST', action, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(given).toString(),
  })

export const oneClick = (client: Client, url: string): Promise<Reply> =>
  client.with(undefined).request('POST', pathOf(url), {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'List-Unsubscribe=One-Click',
  })
