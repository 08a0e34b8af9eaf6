/** Every page in every state that it can have, in all colours: nothing that axe finds, nor what axe cannot see. */
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { roleGrants, roles } from '../../src/core/roles.ts'
import type { Scope } from '../../src/core/scopes.ts'
import { neverExisted } from '../contract/requests.ts'
import { eventually } from '../support/eventually.ts'
import { world } from '../support/world.ts'
import { furnished, type Furnished } from './support/furnished.ts'
import { findingsOn, watchSpeech } from './support/look.ts'
import { doorPages, filled, withCases } from './support/pages.ts'
import { comeIn, house, setupPath } from './support/people.ts'
import { visitor, type Visitor } from './support/visitor.ts'

/** Every page is looked at in several states, and each state in three colour schemes. */
const PATIENCE_MS = 900_000

interface Case {
  /** Something that is there once everything has come. */
  full: string | RegExp
  /** Where the same page has nothing to show, and what it says then. */
  empty?: [path: string, sentence: string]
  /** A query of its address that fits nothing. */
  misses?: string
  /** It has nothing to wait for. */
  isAtOnce?: true
}

const cases: Readonly<Record<string, Case>> = {
  '/p/$projectId/overview': { full: 'Your order', empty: ['/p/$emptyId/overview', 'No email yet'] },
  '/p/$projectId/emails': {
    full: 'Your order',
    empty: ['/p/$emptyId/emails', 'No email yet'],
    misses: '?status=cancelled',
  },
  '/p/$projectId/emails/$emailId': { full: 'What happened' },
  '/p/$projectId/queue': { full: 'mail.waits.example', empty: ['/p/$emptyId/queue', 'Nothing waits'] },
  '/p/$projectId/queue/$destination': {
    full: 'Answers of the last 24 hours',
    empty: ['/p/$emptyId/queue/mail.idle.example', 'No answer but acceptance in the last 24 hours.'],
  },
  '/p/$projectId/addresses/$email': {
    full: 'Your order',
    empty: ['/p/$emptyId/addresses/nobody%40example.com', 'Nothing known'],
  },
  '/p/$projectId/send': { full: 'Subject', isAtOnce: true },
  '/p/$projectId/inbox': {
    full: 'Least',
    empty: ['/p/$emptyId/inbox', 'No mail yet'],
    misses: '?from=nobody@example.org',
  },
  '/p/$projectId/inbox/$receivedId': { full: 'What the sender could prove' },
  '/p/$projectId/inbox/domains': {
    full: 'Ours',
    empty: ['/p/$emptyId/inbox/domains', 'No receiving domain yet'],
  },
  '/p/$projectId/inbox/domains/$receivingDomainId': { full: 'An address to write to' },
  '/p/$projectId/webhooks': { full: 'The shop', empty: ['/p/$emptyId/webhooks', 'No endpoint yet'] },
  '/p/$projectId/webhooks/$webhookId': {
    full: 'Last answer',
    empty: ['/p/$projectId/webhooks/$idleId', 'Nothing delivered yet'],
    misses: '?status=dropped',
  },
  '/p/$projectId/webhooks/$webhookId/deliveries/$deliveryId': { full: 'Request headers' },
  '/p/$projectId/domains': {
    full: 'mail.shop.example',
    empty: ['/p/$emptyId/domains', 'No domain yet'],
    misses: '?status=failed',
  },
  '/p/$projectId/domains/$domainId': { full: 'Download the zone file' },
  '/p/$projectId/suppressions': {
    full: 'tom@example.net',
    empty: ['/p/$emptyId/suppressions', 'Nobody is suppressed'],
    misses: '?reason=spam',
  },
  '/p/$projectId/keys': { full: 'Web shop', empty: ['/p/$emptyId/keys', 'No key yet'] },
  '/p/$projectId/log': { full: /created the API key/, misses: '?subject=nobody' },
  '/settings': { full: 'Id of the workspace' },
  '/settings/projects': { full: 'Newsletter', misses: '?status=archived' },
  '/settings/people': { full: 'ben@example.com', misses: '?q=nobody-at-all' },
  '/settings/installation': { full: 'Checks' },
  '/settings/log': { full: /created the API key/, misses: '?subject=nobody' },
  '/me': { full: 'Where you are signed in' },
}

test(
  'pages that have everything, nothing, and nothing that fits',
  async () => {
    const here = await furnished()
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    const walk = await beginWalk(ann)
    for (const { path, case: one } of await withCases(cases)) {
      await walk.look(filled(path, here.ids), one.full)
      if (one.empty !== undefined) await walk.look(filled(one.empty[0], here.ids), one.empty[1])
      if (one.misses !== undefined) await walk.look(`${filled(path, here.ids)}${one.misses}`, 'Nothing matches')
    }
    expect(walk.findings).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'pages that wait for the API, are refused by it, find it failing, and find it failing later',
  async () => {
    const here = await furnished()
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    const walk = await beginWalk(ann)
    for (const { path, case: one } of await withCases(cases)) {
      const address = filled(path, here.ids)
      if (one.isAtOnce) {
        await answering(ann, never, () => walk.look(address, one.full))
        continue
      }
      await answering(ann, never, () => walk.look(address, 'Loading'))
      await answering(ann, refused, () => walk.look(address, 'Not for your role'))
      await answering(ann, failed, () => walk.look(address, 'This could not be loaded'))
      await ann.open(address)
      await ann.text(one.full).first().waitFor({ state: 'attached' })
      await answering(ann, failed, async () => {
        // What is still being asked for for the first time is not asked for again: then the key does nothing.
        await eventually(`${address} could not be refreshed`, async () => {
          await ann.press('r')
          return (await ann.text(/^Could not be refreshed/).count()) > 0
        })
        await walk.lookHere(`${address} later`, /^Could not be refreshed/)
      })
    }
    expect(walk.findings).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'pages of what is not there, and pages for others',
  async () => {
    const here = await furnished()
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    const walk = await beginWalk(ann)
    const rows = await withCases(cases)
    const nothing = {
      ...here.ids,
      domainId: neverExisted('dom'),
      emailId: neverExisted('em'),
      deliveryId: neverExisted('whd'),
      receivedId: neverExisted('rcv'),
      receivingDomainId: neverExisted('rdm'),
    }
    for (const { path } of rows.filter((row) => row.path.startsWith('/p/'))) {
      await walk.look(filled(path, { ...here.ids, projectId: neverExisted('prj') }), 'Not found')
      const ids = path.endsWith('$webhookId') ? { ...nothing, webhookId: neverExisted('whk') } : nothing
      // An address or a destination that is not known has a page that says so.
      if (/\$(?!projectId|email$|destination$)\w+$/.test(path)) await walk.look(filled(path, ids), 'Not found')
    }
    for (const path of [`/${neverExisted('em')}`, '/settings/nothing', '/p/nothing']) await walk.look(path, 'Not found')
    const strangers = await Promise.all(
      rows.map(async ({ path, scope }) => ({ path, stranger: await strangerTo(here, scope) })),
    )
    for (const { path, stranger } of strangers) {
      if (stranger === undefined) continue
      const theirs = await beginWalk(stranger)
      await theirs.look(filled(path, here.ids), 'Not for your role')
      walk.findings.push(...theirs.findings)
    }
    // Every role may read these, and pages with the scope `anybody` are for all: no role is refused there.
    const open = strangers.filter(({ stranger }) => stranger === undefined).map(({ path }) => path)
    expect(open.toSorted()).toEqual(
      rows
        .filter(({ scope }) => openScopes.has(scope))
        .map(({ path }) => path)
        .toSorted(),
    )
    expect(walk.findings).toEqual([])
  },
  PATIENCE_MS,
)

const openScopes = new Set([
  'anybody',
  'email:send',
  'projects:read',
  'stats:read',
  'domains:read',
  'suppressions:write',
])

test(
  'the way in, and a portal that does not know who looks',
  async () => {
    const here = await house()
    const newcomer = await visitor(here)
    const walk = await beginWalk(newcomer)
    const path = await setupPath(here)
    await walk.look('/setup', 'Set up Posthouse')
    await walk.look(path, 'Set up Posthouse')
    const lost = 'The server did not answer. What you have written is still here.'
    await answering(newcomer, failed, () => walk.look(path, lost), ['/session'])
    const { person, visitor: ann } = await comeIn(here, { role: 'owner', name: 'Ann Lee' })
    const invited = await person.client.post<{ link: string }>('people/invitations', {
      email: 'ben@example.com',
      role: 'author',
    })
    const invitation = invited.body.link.replace(/^.*(?=\/invitation)/, '')
    const states: [path: string, sentence: string | RegExp][] = [
      ['/sign-in', 'I cannot sign in'],
      ['/recover', 'Get back in'],
      ['/recover#pr_nothing', 'Choose a new way in'],
      ['/invitation', /needs the whole link/],
      ['/invitation#pi_nothing', /This link was used/],
      [invitation, /^Ann Lee invites you to/],
    ]
    for (const state of states) await walk.look(...state)
    await answering(newcomer, failed, () => walk.look(invitation, /Something failed/))
    await answering(newcomer, never, () => walk.look(invitation, 'Loading'))
    await newcomer.open('/sign-in')
    await newcomer.button('Sign in').click()
    await walk.lookHere('/sign-in refused', 'Write your password.')
    const asked = new Set(['/setup', ...states.map(([address]) => address.replace(/#.*/, ''))])
    expect([...asked].toSorted()).toEqual((await doorPages()).toSorted())

    const within = await beginWalk(ann)
    await answering(ann, failed, () => within.look('/', 'This could not be loaded'), ['/session'])
    await answering(ann, never, () => within.look('/', 'Loading'), ['/session'])
    await answering(ann, withoutProjects, () => within.look('/', 'No project yet'), ['/session'])
    expect([...walk.findings, ...within.findings]).toEqual([])
  },
  PATIENCE_MS,
)

test('from page to page each title is read out once, and the focus is on the heading', async () => {
  const here = await world()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  await beginWalk(ann)
  await ann.open(`/p/${here.projectId}/overview`)
  for (const [link, title] of [
    ['Emails', 'Emails'],
    ['Webhooks', 'Webhooks'],
    ['API keys', 'API keys'],
    ['Settings', 'Workspace'],
    ['Overview', 'Overview'],
  ] as const) {
    await ann.link(link).first().click()
    await ann.heading(title).waitFor()
    const announced = ann.page.locator('[role="status"]').filter({ hasText: `${title} · ` })
    await announced.waitFor({ state: 'attached' })
    expect(await announced.count(), title).toBe(1)
    expect(await announced.textContent()).toBe(await ann.page.title())
    expect(await ann.heading(title).evaluate((heading) => heading === document.activeElement)).toBe(true)
  }
  expect(await ann.page.evaluate(() => (window as unknown as { spokenTwice: string[] }).spokenTwice)).toEqual([])
})

interface Walk {
  /** A sentence for each thing that is wrong, with the page in front. */
  findings: string[]
  /** Opens a page, waits for what it shall say, and looks at it. */
  look(path: string, sign: string | RegExp): Promise<void>
  lookHere(name: string, sign: string | RegExp): Promise<void>
}

async function beginWalk(who: Visitor): Promise<Walk> {
  await who.page.addInitScript(watchSpeech)
  const findings: string[] = []
  const lookHere = async (name: string, sign: string | RegExp): Promise<void> => {
    const place = typeof sign === 'string' ? who.page.getByText(sign, { exact: true }) : who.page.getByText(sign)
    await place.first().waitFor({ state: 'attached' })
    // Before its code has come, a page says that it is loading, too.
    await who.page.locator('h1').first().waitFor({ state: 'attached' })
    // What is still to come would change the page while it is looked at.
    if (sign !== 'Loading') await who.page.getByText('Loading', { exact: true }).first().waitFor({ state: 'detached' })
    findings.push(...(await findingsOn(who)).map((finding) => `${name} (${String(sign)}): ${finding}`))
  }
  return {
    findings,
    lookHere,
    look: async (path, sign) => {
      // A page that is open already would only be told of another fragment.
      await who.page.goto('about:blank')
      await who.open(path)
      await lookHere(path, sign)
    },
  }
}

type Answer = (route: Route) => Promise<void>

/** While `act` runs, the network gives this answer to calls of these paths. Who is signed in is known unless they name it. */
async function answering(
  { page }: Visitor,
  answer: Answer,
  act: () => Promise<void>,
  paths: readonly string[] = ['/api/', '/session/'],
): Promise<void> {
  await page.route(({ pathname }) => paths.some((path) => pathname.startsWith(path)), answer)
  await act()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
}

const never: Answer = () => new Promise(() => undefined)

const failed: Answer = (route) =>
  route.fulfill({
    status: 500,
    json: {
      error: 'Something failed on our side: try again, and report the requestId if it fails again.',
      code: 'internal_error',
      requestId: neverExisted('req'),
    },
  })

/** A workspace whose projects were archived long ago, and are gone. */
const withoutProjects: Answer = async (route) => {
  const response = await route.fetch()
  await route.fulfill({ response, json: { ...(await response.json()), projects: [] } })
}

const refused: Answer = (route) =>
  route.fulfill({
    status: 403,
    json: {
      error: 'Your role lacks the scope email:send.',
      code: 'insufficient_scope',
      requiredScope: 'email:send',
      requestId: neverExisted('req'),
    },
  })

/** A visitor whose role does not show what a scope is about; undefined where every role shows it. */
async function strangerTo(here: Furnished, scope: string): Promise<Visitor | undefined> {
  const role = roles.find((one) => {
    const { fullAccess, scopes, reads } = roleGrants[one]
    if (scope === 'anybody' || fullAccess) return false
    return scope === 'administrators' || ![...scopes, ...reads].includes(scope as Scope)
  })
  return role === undefined ? undefined : (await comeIn(here, { role })).visitor
}
