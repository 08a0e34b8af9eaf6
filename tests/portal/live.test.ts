/** Pages that change by themselves, by one stream for the whole browser. */
import { expect, test } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { createLogger } from '../../src/process/logger.ts'
import type { Live } from '../../src/resources/live/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { simulated } from '../contract/requests.ts'
import { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/posthouse-process.ts'
import { accepted, created, world, type World } from '../support/world.ts'
import { comeIn, ownAddress } from './support/people.ts'
import type { Visitor } from './support/visitor.ts'

/** An installation, and what is behind its `/live`. */
async function liveHouse(): Promise<World & { live: Live }> {
  let live: Live | undefined
  const here = await world({
    ...(await ownAddress()),
    routes: (services) => {
      live = services.live
      return []
    },
  })
  if (live === undefined) throw new Error('nobody made the routes')
  return { ...here, live }
}

const send = async ({ projectApi }: World, subject: string): Promise<string> =>
  accepted(await projectApi.post<{ id: string }>('email/send', { ...simulated, subject })).id

const isLive = (tab: Visitor): Promise<void> =>
  tab.page.getByRole('banner').getByText('Live', { exact: true }).waitFor()

const asksNowAndThen = (tab: Visitor): Promise<void> =>
  tab.page.getByRole('banner').getByText('Every 10 s', { exact: true }).waitFor()

const inProject = ({ projectId }: World, page: string): string => `/p/${projectId}/${page}`

/** As when another tab or window is put before it, and back. */
const setHidden = ({ page }: Visitor, isHidden: boolean): Promise<void> =>
  page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

test('eight tabs have one stream, which another one takes over, and hidden tabs have none', async () => {
  const here = await liveHouse()
  const email = await send(here, 'The first')
  const { id: webhook } = created(
    await here.projectApi.post<{ id: string }>('webhooks', { url: 'https://192.31.7.1/hook' }),
  )
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const pages = ['overview', 'emails', `emails/${email}`, `webhooks/${webhook}`, 'overview', 'emails', 'overview']
  const tabs = [ann]
  while (tabs.length < 8) tabs.push(await ann.anotherTab())
  for (const [i, tab] of tabs.entries()) await tab.open(inProject(here, pages[i] ?? 'emails'))
  for (const tab of tabs) await isLive(tab)
  await eventually('one stream', () => here.live.size === 1)

  await send(here, 'The second')
  await tabs[0]!.table('Recent emails').getByText('The second').waitFor()
  await tabs[6]!.table('Recent emails').getByText('The second').waitFor()
  await tabs[1]!.button('1 new').waitFor()
  expect(await tabs[1]!.table('Emails').getByText('The second').count()).toBe(0)
  await here.projectApi.patch(`webhooks/${webhook}`, { enabled: false })
  await tabs[3]!.page.getByRole('main').getByText('Disabled', { exact: true }).first().waitFor()
  expect(here.live.size).toBe(1)

  // Whoever listens goes; somebody else listens on.
  await tabs[0]!.page.close()
  await send(here, 'The third')
  await tabs[1]!.button('2 new').waitFor()
  await tabs[1]!.button('2 new').click()
  await tabs[1]!.table('Emails').getByText('The third').waitFor()
  await eventually('one stream', () => here.live.size === 1)

  for (const tab of tabs.slice(1)) await setHidden(tab, true)
  await eventually('no stream', () => here.live.size === 0)
  await setHidden(tabs[4]!, false)
  await eventually('one stream', () => here.live.size === 1)
}, 300_000)

test('a server that goes is asked now and then, and listened to when it is back', async () => {
  const here = await world(await ownAddress())
  const port = await freePort()
  const start = async () => {
    const node = await startApi(here.config, here.databaseUrl, createLogger('api', 'silent'))
    await node.listen('127.0.0.1', port)
    return node
  }
  const first = await start()
  const there = { ...here, api: new Client(`http://127.0.0.1:${port}`, here.api.key) }
  const { visitor: ann } = await comeIn(there, { role: 'owner' })
  await ann.open(inProject(here, 'overview'))
  await isLive(ann)
  await first.stop()
  await asksNowAndThen(ann)
  await send(here, 'While it was away')
  const second = await start()
  try {
    await ann.table('Recent emails').getByText('While it was away').waitFor()
    await isLive(ann)
    await send(here, 'When it was back')
    await ann.table('Recent emails').getByText('When it was back').waitFor()
  } finally {
    await ann.page.close()
    await second.stop()
  }
}, 300_000)

/** The next streams bring what they should; those that are open bring nothing from now on, and do not end. */
const silenceStreams = ({ page }: Visitor): Promise<void> =>
  page.evaluate(() => void dispatchEvent(new Event('streams-die')))

test('a stream that dies without an end is given up after 45 seconds, and another one is opened', async () => {
  const here = await liveHouse()
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  // What is left of a connection after sleep, or in another network.
  await ann.page.addInitScript(() => {
    const { fetch } = globalThis
    const dying = async (asked: string, init?: RequestInit): Promise<Response> => {
      const answer = await fetch(asked, init)
      if (!asked.includes('/live?') || answer.body === null) return answer
      let isDead = false
      addEventListener('streams-die', () => (isDead = true))
      const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform: (chunk, controller) => {
          if (!isDead) controller.enqueue(chunk)
        },
      })
      return new Response(answer.body.pipeThrough(heard), answer)
    }
    globalThis.fetch = dying as typeof fetch
  })
  await ann.page.clock.install()
  await ann.open(inProject(here, 'overview'))
  await isLive(ann)
  await silenceStreams(ann)
  await ann.page.clock.fastForward(45_000)
  await asksNowAndThen(ann)
  await ann.page.clock.fastForward(13_000)
  await isLive(ann)
  await eventually('one stream', () => here.live.size === 1)
  await send(here, 'After the silence')
  await ann.table('Recent emails').getByText('After the silence').waitFor()
}, 300_000)

test('a fourth project asks now and then while three others are seen, although it was live before', async () => {
  const here = await liveHouse()
  const names = ['Alpha', 'Beta', 'Gamma', 'Delta'] as const
  const [alpha, beta, gamma, delta] = await Promise.all(names.map((name) => here.newProject(name)))
  const overviewOf = (project: string | undefined): string => `/p/${project}/overview`
  const { visitor: ann } = await comeIn(here, { role: 'owner' })
  const changing = await ann.anotherTab()
  const changeTo = async (name: string): Promise<void> => {
    await changing.page.getByRole('button', { name: /^Project/ }).click()
    await changing.page.getByRole('menuitem', { name: new RegExp(name) }).click()
  }
  await ann.open(overviewOf(alpha))
  await isLive(ann)
  await changing.open(overviewOf(delta))
  await isLive(changing)
  await changeTo('Alpha')
  await eventually('one stream', () => here.live.size === 1)
  await setHidden(changing, true)
  for (const project of [beta, gamma]) {
    const tab = await ann.anotherTab()
    await tab.open(overviewOf(project))
    await isLive(tab)
  }
  await setHidden(changing, false)
  await changeTo('Delta')
  await asksNowAndThen(changing)
  const client = await here.clientWith({ scopes: ['*'], projectId: delta! })
  await send({ ...here, projectApi: client }, 'To the fourth')
  await changing.table('Recent emails').getByText('To the fourth').waitFor()
  expect(here.live.size).toBe(3)
}, 300_000)

test('where no more streams are opened, the page asks every ten seconds', async () => {
  const here = await liveHouse()
  const { visitor: ann } = await comeIn(here, { role: 'viewer' })
  const refusal = { error: 'Too many streams are open.', code: 'unavailable', requestId: 'req_1' }
  await ann.page.route('**/api/v1/live?*', (route) => route.fulfill({ status: 503, json: refusal }))
  await ann.open(inProject(here, 'overview'))
  await asksNowAndThen(ann)
  await send(here, 'Asked for')
  await ann.table('Recent emails').getByText('Asked for').waitFor()
  expect(here.live.size).toBe(0)
}, 300_000)

test('a session that is ended ends the stream, and every page leads to signing in by itself', async () => {
  const here = await liveHouse()
  const { visitor: ann, person } = await comeIn(here, { role: 'owner' })
  const other = await ann.anotherTab()
  await ann.open(inProject(here, 'overview'))
  await other.open(inProject(here, 'emails'))
  for (const tab of [ann, other]) await isLive(tab)
  await here.db.run(sql`update sessions set ended_at = clock_now() where person_id = ${person.personId}`)
  for (const tab of [ann, other]) await tab.heading('Sign in').waitFor()
  await eventually('no stream', () => here.live.size === 0)
}, 300_000)

test.each([1, -1])(
  'new mail is held back rightly by a browser whose clock is wrong by %s hour',
  async (hours) => {
    const here = await liveHouse()
    const { visitor: ann } = await comeIn(here, { role: 'owner' })
    await ann.page.addInitScript((offset) => {
      const { Date: Right } = globalThis
      globalThis.Date = class extends Right {
        constructor(...given: number[]) {
          super(...((given.length === 0 ? [Right.now() + offset] : given) as [number]))
        }
        static override now = (): number => Right.now() + offset
      } as DateConstructor
    }, hours * 3_600_000)
    await send(here, 'The first')
    await ann.open(inProject(here, 'emails'))
    await ann.table('Emails').getByText('The first').waitFor()
    await isLive(ann)
    await send(here, 'The second')
    await ann.button('1 new').waitFor()
    await send(here, 'The third')
    await ann.button('2 new').waitFor()
    // The row is still there, and what is new is not.
    expect(await ann.table('Emails').getByText('The first').isVisible()).toBe(true)
    expect(
      await ann
        .table('Emails')
        .getByText(/The second|The third/)
        .count(),
    ).toBe(0)
    await ann.button('2 new').click()
    await ann.table('Emails').getByText('The third').waitFor()
    await ann.table('Emails').getByText('The second').waitFor()
    expect(await ann.button('2 new').count()).toBe(0)
  },
  300_000,
)
