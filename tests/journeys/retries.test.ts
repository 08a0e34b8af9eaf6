import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses, type MailWorld } from '../support/mail-world.ts'
import type { Sink } from '../support/sink-mx.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

test('a message that nobody takes is tried at longer and longer intervals, byte for byte the same, for two days', async () => {
  const here = await mailWorld({ circumstances: steadyPauses })
  const { send, becomes, email, sink, projectApi } = here
  const id = await send('451-4.2.0-at-dot@sink.test')
  const ladder = [1, 5, 15, 30, 60, 120, 240].map((minutes) => minutes * MINUTE)
  const born = Date.parse(String((await email(id))['createdAt']))
  let attempts = 0
  let last = born
  for (;;) {
    const found = await tried(here, id, ++attempts)
    if (found.status === 'failed') break
    const { updatedAt, nextAttemptAt } = found.recipients[0] as unknown as Record<string, string>
    expect(found.status).toBe('deferred')
    last = Date.parse(updatedAt!)
    const pause = Date.parse(nextAttemptAt!) - last
    const usual = ladder[attempts - 1] ?? 4 * HOUR
    expect(pause / usual).toBeGreaterThanOrEqual(0.85)
    expect(pause / usual).toBeLessThanOrEqual(1.15)
    // A second before its time other mail flows, and this one stays where it is.
    await moveTo(here, Date.parse(nextAttemptAt!) - 1_000)
    await becomes(await send(`witness-${attempts}@sink.test`), 'delivered')
    expect((await email(id)).recipients).toMatchObject([{ attempts }])
    await moveTo(here, Date.parse(nextAttemptAt!))
  }
  const end = await email(id)
  expect(last - born).toBeLessThan(48 * HOUR)
  expect(Date.parse(end.events.at(-1)!.timestamp) - born).toBeGreaterThanOrEqual(48 * HOUR)
  expect(end.recipients).toMatchObject([{ status: 'failed', attempts, nextAttemptAt: null }])
  expect(end.events.map(({ type }) => type)).toEqual([
    ...Array.from({ length: attempts - 1 }, () => 'email.deferred'),
    'email.failed',
  ])
  expect(end.events[0]).toMatchObject({ detail: '451 4.2.0 as ordered', smtp: { code: 451, enhanced: '4.2.0' } })
  expect(end.events.at(-1)!.detail).toContain('Given up')
  expect((await projectApi.get<{ data: unknown[] }>('suppressions')).body.data).toEqual([])

  const contents = contentsFor(sink, '451-4.2.0-at-dot@sink.test')
  expect(contents).toHaveLength(attempts)
  expect(new Set(contents).size).toBe(1)
  expect(contents[0]).toContain('DKIM-Signature: ')
})

test('a greylisted message gets through, and whoever says when to come back is obeyed', async () => {
  const asked = 'rcpt asked@sink.test'
  const here = await mailWorld({
    circumstances: steadyPauses,
    sink: { replies: { [asked]: '450 4.7.1 greylisted, try again in 40 seconds' } },
  })
  const { send, becomes, sink } = here
  const [grey, polite] = [await send('greylist-2@sink.test'), await send('asked@sink.test')]
  const first = await tried(here, grey, 1)
  const wait = await tried(here, polite, 1)
  const { updatedAt, nextAttemptAt } = wait.recipients[0] as unknown as Record<string, string>
  const pause = Date.parse(nextAttemptAt!) - Date.parse(updatedAt!)
  expect(pause).toBeGreaterThanOrEqual(40_000)
  expect(pause).toBeLessThanOrEqual(46_000)
  sink.options.replies = {}
  await moveTo(here, Date.parse(nextAttemptAt!))
  expect((await becomes(polite, 'delivered')).recipients).toMatchObject([{ attempts: 2 }])

  await moveTo(here, Date.parse(first.recipients[0]!.nextAttemptAt!))
  const second = await tried(here, grey, 2)
  await moveTo(here, Date.parse(second.recipients[0]!.nextAttemptAt!))
  const delivered = await becomes(grey, 'delivered')
  expect(delivered.recipients).toMatchObject([{ attempts: 3 }])
  expect(delivered.events.map(({ type }) => type)).toEqual(['email.deferred', 'email.deferred', 'email.delivered'])
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(['asked@sink.test', 'greylist-2@sink.test'])
})

test('a reply that is lost after the end of the message brings the same message again, and never to another host', async () => {
  const here = await mailWorld({
    circumstances: steadyPauses,
    zones: { 'two.test': { MX: ['10 mx.sink.test', '20 second.two.test'] } },
  })
  const { send, becomes, sink, dns, anotherSink } = here
  dns.zones['second.two.test'] = { A: ['127.0.0.2'] }
  const second = await anotherSink('127.0.0.2')
  sink.options.orders = { dot: 'drop' }
  const id = await send('lost@two.test')
  const unsure = await tried(here, id, 1)
  expect(unsure.events).toMatchObject([{ type: 'email.deferred', smtp: { code: null, host: 'mx.sink.test' } }])
  expect(unsure.events[0]!.detail).toContain('not confirmed')
  sink.options.orders = {}
  await moveTo(here, Date.parse(unsure.recipients[0]!.nextAttemptAt!))
  await becomes(id, 'delivered')
  expect(sink.taken.map(({ to }) => to)).toEqual(['lost@two.test', 'lost@two.test'])
  expect(sink.taken[1]!.raw).toEqual(sink.taken[0]!.raw)
  expect(sink.taken[1]!.from).toBe(sink.taken[0]!.from)
  expect(second.connections).toEqual([])
})

/** The email, once so many attempts were made. */
async function tried({ email }: MailWorld, id: string, attempts: number) {
  return eventually(`${id} was tried ${attempts} times`, async () => {
    const found = await email(id)
    return found.recipients[0]!.attempts === attempts && found.status !== 'sending' && found
  })
}

/** Puts the clock of the database to this moment; never back. */
async function moveTo({ db, advance }: MailWorld, moment: number): Promise<void> {
  const { now } = await db.one(sql<{ now: Date }>`select clock_now() as now`)
  if (moment > now.getTime()) await advance({ seconds: (moment - now.getTime()) / 1_000 })
}

/** Everything that a host was offered for an address, also what it did not take. */
const contentsFor = ({ connections }: Sink, address: string): string[] =>
  connections.flatMap(({ chunks }) => {
    const said = Buffer.concat(chunks).toString('latin1')
    const offers = said.matchAll(/RCPT TO:<([^>]*)>\r\nDATA\r\n(.*?)\r\n\.\r\n/gs)
    return [...offers].filter(([, to]) => to === address).map(([, , content]) => content ?? '')
  })
