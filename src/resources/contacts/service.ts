import type { Actor, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { invalid, notFound } from '../../core/errors.ts'
import { decodeId, encodeId, type AudienceId, type ContactId, type ProjectId, type TagId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import type { Database, Db, Tx } from '../../storage/postgres.ts'
import type { Audiences } from '../audiences/index.ts'
import { readAddress, readChange, readGiven } from './change.ts'
import type { Contact, ContactView, DeletedContact, ListContacts, UpdateContact, UpsertContact } from './schema.ts'
import { contactView } from './views.ts'
import * as store from './store/contacts.ts'
import * as people from './store/people.ts'
import { ContactWriter, type ContactHooks, type Departure } from './writer.ts'

export interface ContactsOptions {
  db: Database
  audiences: Audiences
  hooks: ContactHooks
  clock: Clock
}

/** This many contacts of a deleted audience are deleted at a time. */
const AT_ONCE = 2_000

/** People in audiences. What their consent means is told in `change.ts`. */
export class Contacts {
  readonly #db: Database
  readonly #audiences: Audiences
  readonly #hooks: ContactHooks
  readonly #clock: Clock
  readonly #writer: ContactWriter

  constructor({ db, audiences, hooks, clock }: ContactsOptions) {
    this.#db = db
    this.#audiences = audiences
    this.#hooks = hooks
    this.#clock = clock
    this.#writer = new ContactWriter(hooks)
  }

  async list(
    { id: project }: ProjectContext,
    audience: AudienceId,
    query: ListContacts,
    request: PageRequest,
  ): Promise<Page<ContactView>> {
    const email = query.email === undefined ? undefined : addressIn(query.email, '/query/email')
    await this.#audiences.findIn(this.#db.reads, project, audience)
    const tag = query.tag === undefined ? undefined : await this.#findTag(project, query.tag)
    if (query.tag !== undefined && tag === undefined) return page([], request, contactView)
    const filter = { subscribed: query.subscribed, email, beginning: query.q?.toLowerCase(), tag }
    return page(await store.list(this.#db.reads, project, audience, filter, request), request, contactView)
  }

  async read({ id: project }: ProjectContext, audience: AudienceId, which: string): Promise<ContactView> {
    await this.#audiences.findIn(this.#db.reads, project, audience)
    return contactView(found(await store.find(this.#db.reads, project, audience, whichOf(which))))
  }

  upsert(
    project: ProjectContext,
    audience: AudienceId,
    fields: UpsertContact,
  ): Promise<{ value: ContactView; isNew: boolean }> {
    const read = readGiven(fields, this.#clock.now())
    if ('problems' in read) throw invalid(read.problems)
    const { given } = read
    return this.#db.transaction(async (tx) => {
      await this.#audiences.hold(tx, project.id, audience)
      const outcomes = await this.#writer.upsertAll(tx, project.id, audience, [given])
      const outcome = outcomes.get(given.email)
      if (outcome?.kind === 'refused') throw outcome.refusal
      const contact = found(await store.find(tx, project.id, audience, { email: given.email }))
      return { value: contactView(contact), isNew: outcome?.kind === 'created' }
    })
  }

  update(
    project: ProjectContext,
    actor: Actor,
    audience: AudienceId,
    which: string,
    fields: UpdateContact,
  ): Promise<ContactView> {
    const change = readChange(fields, this.#clock.now())
    return this.#db.transaction(async (tx) => {
      await this.#audiences.hold(tx, project.id, audience)
      const present = found(await store.lock(tx, project.id, audience, whichOf(which)))
      const outcomes = await this.#writer.changeAll(tx, project.id, audience, [{ present, change }], 'patch')
      const outcome = outcomes.get(present.email)
      if (outcome?.kind === 'refused') throw outcome.refusal
      const contact = found(await store.find(tx, project.id, audience, present))
      if (contact.subscribed !== present.subscribed) {
        const action = contact.subscribed ? 'contact.resubscribed' : 'contact.unsubscribed'
        await audit(tx, project, actor, action, contact)
      }
      return contactView(contact)
    })
  }

  remove(project: ProjectContext, actor: Actor, audience: AudienceId, which: string): Promise<DeletedContact> {
    return this.#db.transaction(async (tx) => {
      await this.#audiences.hold(tx, project.id, audience)
      const contact = found(await store.find(tx, project.id, audience, whichOf(which)))
      const removed = await this.#erase(tx, project.id, audience, [contact], 'contact_deleted')
      if (removed === 0) throw notFound('contact')
      await audit(tx, project, actor, 'contact.deleted', contact)
      return { id: encodeId('con', contact.id), deleted: true }
    })
  }

  /** Unsubscribes by a link in a mail. Undefined when the contact is gone; a second time changes nothing. */
  async unsubscribe(tx: Tx, project: ProjectId, id: ContactId): Promise<Contact | undefined> {
    const present = await store.lockById(tx, project, id)
    if (present === undefined) return undefined
    await this.#writer.changeAll(tx, project, present.audienceId, [{ present, change: { subscribed: false } }], 'patch')
    return { ...present, subscribed: false }
  }

  /** The audiences that a person is in, for the page on which they choose. */
  memberships(db: Db, project: ProjectId, email: string): Promise<people.Membership[]> {
    return people.memberships(db, project, email)
  }

  /** Those of these addresses that are contacts of the project; they are locked until the transaction ends. */
  async holdKnown(tx: Tx, project: ProjectId, emails: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await people.holdKnown(tx, project, emails)).map(({ email }) => email))
  }

  /** Removes some contacts of a deleted audience. Returns how many there were. */
  async clearSome(tx: Tx, project: ProjectId, audience: AudienceId): Promise<number> {
    const some = await people.some(tx, project, audience, AT_ONCE)
    if (some.length > 0) {
      await this.#erase(tx, project, audience, some, 'audience_deleted')
      return some.length
    }
    await people.forgetCounts(tx, audience)
    await this.#audiences.forget(tx, project, audience)
    return 0
  }

  async #erase(
    tx: Tx,
    project: ProjectId,
    audience: AudienceId,
    contacts: readonly people.Removed[],
    because: Departure,
  ): Promise<number> {
    const emails = contacts.map(({ email }) => email)
    await people.lockPeople(tx, project, emails)
    const ids = contacts.map(({ id }) => id)
    const removed = await people.erase(tx, project, ids)
    if (removed.length === 0) return 0
    await people.eraseFromReports(tx, project, audience, emails)
    await this.#hooks.left(tx, project, audience, removed, because)
    const gone = (await people.gone(tx, project, emails)).map(({ email }) => email)
    if (gone.length > 0) await this.#hooks.gone(tx, project, gone)
    return removed.length
  }

  async #findTag(project: ProjectId, named: string): Promise<TagId | undefined> {
    const id = decodeId('tag', named)
    const tag = await store.findTag(this.#db.reads, project, id === undefined ? { name: named } : { id })
    return tag?.id
  }
}

function addressIn(text: string, path: string): string {
  const address = readAddress(text)
  if ('problem' in address) throw invalid([{ path, message: address.problem }])
  return address.email
}

/** Reads an id or an address from a path. Any other text is answered like a contact that does not exist. */
function whichOf(text: string): store.Which {
  const id = decodeId('con', text)
  if (id !== undefined) return { id }
  const address = readAddress(text)
  if ('problem' in address) throw notFound('contact')
  return address
}

function found<T extends Contact>(contact: T | undefined): T {
  if (contact === undefined) throw notFound('contact')
  return contact
}

/** The address is never part of it: the log outlives the person's wish to be forgotten. */
const audit = (
  tx: Tx,
  project: ProjectContext,
  actor: Actor,
  action: `contact.${'unsubscribed' | 'resubscribed' | 'deleted'}`,
  { id, audienceId }: Contact,
): Promise<void> => auditOf('con')(tx, project, actor, action, id, { audienceId: encodeId('aud', audienceId) })
