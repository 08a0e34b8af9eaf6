/** Whatever is written into any field of the API is shown as text: nothing runs, nothing is asked for, nothing is hidden. */
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import type { Owner } from '../contract/tenants.ts'
import { signIn } from '../support/people.ts'
import { world, type World } from '../support/world.ts'
import { payloads } from './payloads.ts'
import { allTexts, asShown, problemsOn, setTraps, texts } from './support/hostile-texts.ts'
import { narrowFindings } from './support/look.ts'
import { filled, withCases } from './support/pages.ts'
import { comeIn } from './support/people.ts'
import { spread } from './support/spread.ts'
import type { Visitor } from './support/visitor.ts'

const PATIENCE_MS = 900_000

/** Fields that are short, or written as others prescribe. All others take most of the texts. */
const prescribed = `
  PATCH /automations/:id steps.0.id
  PATCH /domains/:id tracking.host
  PATCH /sms/business-profiles/:id address.country
  PATCH /sms/business-profiles/:id address.postalCode
  PATCH /sms/business-profiles/:id registrationCountry
  PATCH /sms/business-profiles/:id stockSymbol
  PATCH /sms/business-profiles/:id website
  PATCH /sms/programs/:id privacyPolicyUrl
  PATCH /sms/programs/:id quietHours.end
  PATCH /sms/programs/:id quietHours.start
  PATCH /sms/programs/:id termsUrl
  PATCH /sms/senders/:id country
  PATCH /templates/:id alias
  PATCH /templates/:id variables.0.name
  PATCH /webhooks/:id url
  POST /audiences/:id/contacts email
  POST /automations steps.0.id
  POST /contact-tags/:id/contacts email
  POST /contact-tags/:id/contacts emails.0
  POST /domains name
  POST /domains tracking.host
  POST /email/batch emails.0.attachments.0.contentId
  POST /email/batch emails.0.attachments.0.contentType
  POST /email/batch emails.0.inReplyTo
  POST /email/send attachments.0.contentId
  POST /email/send attachments.0.contentType
  POST /email/send inReplyTo
  POST /people/invitations email
  POST /receiving/domains name
  POST /sms/business-profiles address.country
  POST /sms/business-profiles address.postalCode
  POST /sms/business-profiles registrationCountry
  POST /sms/business-profiles stockSymbol
  POST /sms/business-profiles website
  POST /sms/consents recipientTimezone
  POST /sms/messages userInitiated.ipAddress
  POST /sms/programs privacyPolicyUrl
  POST /sms/programs quietHours.end
  POST /sms/programs quietHours.start
  POST /sms/programs termsUrl
  POST /sms/senders country
  POST /suppressions email
  POST /templates alias
  POST /templates variables.0.name
  POST /webhooks url`
  .split('\n')
  .slice(1)
  .map((line) => line.trim())

test('there are texts of every kind', () => {
  expect(texts.length).toBeGreaterThanOrEqual(40)
  expect(new Set(texts).size).toBe(texts.length)
  // A text that calls nothing could run without being noticed.
  expect(
    texts.filter((text) => /<[a-z]+[ >]|javascript:|\{|\[\[/i.test(text) && !/trapped|elsewhere/.test(text)),
  ).toEqual([])
})

/** How each page is walked: what is opened on it. */
const cases: Readonly<Record<string, (walk: Walk) => Promise<void>>> = {
  '/p/$projectId/overview': (walk) => walk.look(),
  '/p/$projectId/emails': (walk) => walk.lookAtAll(),
  '/p/$projectId/emails/$emailId': (walk) =>
    walk.lookAtEach('emails', ({ id }, place) => `${id}?tab=${tabs[place % 6]}`),
  '/p/$projectId/queue': (walk) => walk.look(),
  // Answers are in the test 'what a mail server answers, and why somebody paused, is text' of answers.
  '/p/$projectId/queue/$destination': async () => undefined,
  '/p/$projectId/addresses/$email': (walk) => walk.lookAtAddress('least@example.com'),
  '/p/$projectId/send': (walk) => walk.look(),
  // What strangers write is in the test of the inbox.
  '/p/$projectId/inbox': (walk) => walk.look(),
  '/p/$projectId/inbox/$receivedId': async () => undefined,
  '/p/$projectId/inbox/domains': (walk) => walk.lookAtAll(),
  '/p/$projectId/inbox/domains/$receivingDomainId': async () => undefined,
  '/p/$projectId/webhooks': (walk) => walk.lookAtAll(),
  '/p/$projectId/webhooks/$webhookId': (walk) => walk.lookAtEach('webhooks', ({ id }) => id),
  // Deliveries are in the test 'what an endpoint answers is text' of answers.
  '/p/$projectId/webhooks/$webhookId/deliveries/$deliveryId': async () => undefined,
  '/p/$projectId/domains': (walk) => walk.lookAtAll(),
  // Domains are in the test 'what the DNS answers is text'.
  '/p/$projectId/domains/$domainId': async () => undefined,
  '/p/$projectId/suppressions': async (walk) => {
    await walk.lookAtAll()
    await walk.lookAt('Lift')
  },
  '/p/$projectId/keys': async (walk) => {
    await walk.lookAtAll()
    await walk.lookAt('Revoke')
  },
  '/p/$projectId/log': async (walk) => {
    await walk.lookAtAll(4)
    await walk.lookAt('Details')
  },
  '/settings': (walk) => walk.look(),
  '/settings/projects': async (walk) => {
    await walk.lookAtAll()
    await walk.lookAt('Edit')
  },
  '/settings/people': async (walk) => {
    await walk.lookAtAll()
    for (const name of ['Roles', 'Remove', 'Invite']) await walk.lookAt(name)
  },
  '/settings/installation': (walk) => walk.look(),
  '/settings/log': (walk) => walk.lookAtAll(4),
  '/me': (walk) => walk.look(),
}

const tabs = ['preview', 'text', 'html', 'headers', 'source', 'attachments']

test(
  'nothing that was written into any field is anything but text on any page',
  async () => {
    const here = await world({ env: { WEBHOOK_ENDPOINTS_PER_PROJECT: '1000' } })
    const { projectId, services } = here
    await services.sms.operator.invite((await services.projects.workspace())!, decodeId('prj', projectId)!)
    const owner: Owner = { name: 'own', client: here.api, projectId, world: here }
    const taken = await spread(owner, allTexts)
    const closed = [...taken].filter(([, took]) => took.size < allTexts.length / 2).map(([field]) => field)
    expect(closed.toSorted()).toEqual(prescribed)
    for (const name of texts.filter((text) => !text.includes('\t'))) await signIn(here, { role: 'viewer', name })

    const { visitor: ann } = await comeIn(here, { role: 'owner', name: payloads['turned round']! })
    const traps = await setTraps(ann)
    const found: string[] = []
    const seen = new Set<string>()
    for (const { path, case: walkOver } of await withCases(cases)) {
      await walkOver(new Walk(ann, here, filled(path.replace(/\/\$(?!projectId).*/, ''), { projectId }), found, seen))
      found.push(...traps.splice(0).map((trap) => `${path}: ${trap}`))
    }
    await ann.open(`/p/${projectId}/overview`)
    await ann.button('Search').click()
    await ann.page.getByRole('option').first().waitFor()
    found.push(...(await problemsOn(ann)).map((problem) => `the palette: ${problem}`))
    await ann.press('Escape')
    for (const name of ['Account', /^Project/]) {
      await ann.page.getByRole('button', { name }).click()
      await ann.page.getByRole('menuitem').first().waitFor()
      found.push(...(await problemsOn(ann)).map((problem) => `the menu ${String(name)}: ${problem}`))
      await ann.press('Escape')
    }
    expect([...found, ...traps]).toEqual([])
    expect(allTexts.filter((text) => !seen.has(text))).toEqual([])
  },
  PATIENCE_MS,
)

/** One page after the other, in one tab. */
class Walk {
  readonly #visitor: Visitor
  readonly #here: World
  readonly #path: string
  readonly #found: string[]
  readonly #seen: Set<string>

  constructor(visitor: Visitor, here: World, path: string, found: string[], seen: Set<string>) {
    this.#found = found
    this.#seen = seen
    this.#visitor = visitor
    this.#here = here
    this.#path = path
  }

  async look(path = this.#path): Promise<void> {
    await this.#visitor.open(path)
    await this.#settled()
    this.#found.push(...(await narrowFindings(this.#visitor)).map((finding) => `${path}: ${finding}`))
    await this.#judge(path)
  }

  /** What is known of an address, with a search for it. */
  async lookAtAddress(email: string): Promise<void> {
    await this.look(`${this.#path}/${encodeURIComponent(email)}`)
    await this.#visitor.button('Search').click()
    await this.#visitor.combobox('Search').fill(email)
    await this.#visitor.page.getByRole('option').nth(1).waitFor()
    await this.#judge(`the palette, ${email}`)
    await this.#visitor.press('Escape')
  }

  /** A list with everything that the button "Show more" brings. */
  async lookAtAll(most = 20): Promise<void> {
    const { page } = this.#visitor
    await this.#visitor.open(this.#path)
    const more = this.#visitor.button('Show more').first()
    for (let i = 0; i < most; i++) {
      await this.#settled()
      if ((await more.count()) === 0) break
      const rows = await page.getByRole('row').count()
      await more.click()
      await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(rows)
    }
    await this.#judge(this.#path)
  }

  /** What a button of a row opens, for the first rows. */
  async lookAt(button: string): Promise<void> {
    const buttons = this.#visitor.page.getByRole('button', { name: new RegExp(`^${button}\\b`) })
    const count = Math.min(await buttons.count(), 8)
    expect(count, `${this.#path}, ${button}`).toBeGreaterThan(0)
    for (let i = 0; i < count; i++) {
      await buttons.nth(i).click()
      await this.#visitor.dialog().waitFor()
      await this.#settled()
      await this.#judge(`${this.#path}, ${button}`)
      await this.#visitor.press('Escape')
      await this.#visitor.dialog().waitFor({ state: 'detached' })
    }
  }

  /** The page of each thing of a list. */
  async lookAtEach(list: string, addressOf: (thing: { id: string }, place: number) => string): Promise<void> {
    const things = await everythingIn(this.#here, list)
    expect(things.length).toBeGreaterThanOrEqual(allTexts.length)
    // Each of the newest things has one of the texts.
    for (const [place, thing] of things.slice(0, allTexts.length).entries()) {
      const address = `${this.#path}/${addressOf(thing, place)}`
      // Within the application, which is quicker than loading it each time.
      await this.#visitor.page.evaluate((next) => {
        history.pushState(null, '', next)
        dispatchEvent(new PopStateEvent('popstate'))
      }, address)
      await this.#visitor.heading(list === 'emails' ? 'What happened' : 'Deliveries').waitFor()
      await this.#settled()
      await this.#judge(address)
    }
  }

  async #settled(): Promise<void> {
    const { page } = this.#visitor
    await page.locator('h1').waitFor()
    await page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
  }

  async #judge(place: string): Promise<void> {
    const page = (await this.#visitor.page.locator('body').textContent()) ?? ''
    for (const text of allTexts) if (page.includes(asShown(text))) this.#seen.add(text)
    this.#found.push(...(await problemsOn(this.#visitor)).map((problem) => `${place}: ${problem}`))
  }
}

async function everythingIn({ projectApi }: World, list: string): Promise<{ id: string }[]> {
  const all: { id: string }[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = cursor === undefined ? '' : `&cursor=${cursor}`
    const { body } = await projectApi.get<{ data: { id: string }[]; nextCursor: string | null }>(
      `${list}?limit=100${query}`,
    )
    all.push(...body.data)
    cursor = body.nextCursor
  }
  return all
}
