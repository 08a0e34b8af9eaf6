import { expect, test } from 'vitest'
import { decodeId } from '../../../src/core/ids.ts'
import { silent } from '../../../src/core/log.ts'
import type { DestinationState } from '../../../src/dispatch/destination.ts'
import { Destinations } from '../../../src/dispatch/destinations.ts'
import type { Item, Lease } from '../../../src/dispatch/queue.ts'
import { SmsDeliverer } from '../../../src/delivery/sms/deliver.ts'
import { sql } from '../../../src/storage/sql.ts'
import { liveWorld, smppConnection, THEIRS, type LiveWorld } from '../../support/sms-live.ts'
import { world as carrierWorld } from '../../sms/smpp-world.ts'
import { refuses, type Smsc } from '../../sms/smsc.ts'

interface Slow extends LiveWorld {
  smsc: Smsc
  queue: ReturnType<SmsDeliverer['queue']>
  lease: Lease
  connection: DestinationState
  time: { now: number }
  share: { processes: number }
  items(): Promise<Item[]>
}

/** The queue of a worker, without a dispatcher, by a clock that stands still. */
async function slowly(): Promise<Slow> {
  const { carrier, smsc } = await carrierWorld({ maxPartsPerSecond: 100 })
  const here = await liveWorld(smppConnection(smsc.port), { workers: 0 })
  await here.consent(THEIRS)
  const time = { now: 0 }
  const share = { processes: 1 }
  const steady = { now: () => time.now }
  const { outcomes, reports, phones } = here.services.sms
  const submitter = new SmsDeliverer({
    outcomes,
    reports,
    phones,
    carriers: new Map([['main', carrier]]),
    timeScale: 1,
    clock: { now: () => Date.now() },
    steady,
    random: () => 0.5,
    processes: () => share.processes,
    log: silent,
  })
  const queue = submitter.queue()
  const destinations = new Destinations((name) => queue.limits(name, share.processes), steady)
  const connection = destinations.named('main')
  const lease: Lease = {
    holds: () => true,
    lock: async () => true,
    confirm: async () => 'allowed',
    recordMayLeave: async () => {},
    destination: connection,
    destinationNamed: (name) => destinations.named(name),
    signal: new AbortController().signal,
  }
  const items = async (): Promise<Item[]> => {
    const parts = await here.db.all(sql<{ id: string }>`select id from sms_parts order by id`)
    return parts.map(({ id }) => ({ id, destination: 'main', lane: 1, crashes: 0 }))
  }
  return { ...here, smsc, queue, lease, connection, time, share, items }
}

/** Measured by a part that starts and ends at once. */
function rateOf({ connection, time }: Slow): number {
  connection.started()
  connection.ended()
  const ms = connection.opensAt - time.now
  time.now += ms
  return 1_000 / ms
}

test('80: a connection that is throttled rests and goes on at half its rate, again and again; a minute gives a tenth back', async () => {
  const slow = await slowly()
  const { smsc, live, queue, lease, connection, time, share, items } = slow
  smsc.on('submit_sm', refuses(0x58))
  expect((await live(THEIRS)).status).toBe(202)
  const [item] = await items()
  const rates = [rateOf(slow)]
  for (let i = 0; i < 3; i++) {
    expect(await queue.handle(item!, lease)).toMatchObject({ kind: 'again', isAttempt: true })
    expect(connection.opensAt - time.now).toBe(1_000)
    time.now += 1_000
    rates.push(rateOf(slow))
  }
  for (const [i, rate] of [100, 50, 25, 12.5].entries()) expect(rates[i]).toBeCloseTo(rate, 0)
  const slowest = rateOf(slow)
  time.now += 60_000
  expect(rateOf(slow)).toBeCloseTo(slowest + 10, 0)
  share.processes = 2
  expect(rateOf(slow)).toBeCloseTo((slowest + 10) / 2, 0)
  share.processes = 1
  time.now += 10 * 60_000
  expect(rateOf(slow)).toBeCloseTo(100)
})

test('a sender is paced by itself, whatever its connection could take, and workers share what it may do', async () => {
  const { live, queue, lease, time, share, items, services, workspace, senderId } = await slowly()
  const limits = { connection: 'main', perSecond: 2, dailyCap: null }
  await services.sms.operator.activateSender(workspace, decodeId('smssn', senderId)!, limits)
  for (let i = 0; i < 3; i++) expect((await live(THEIRS)).status).toBe(202)
  const [first, second, third] = await items()
  expect(await queue.handle(first!, lease)).toMatchObject({ kind: 'accepted' })
  expect(await queue.handle(second!, lease)).toEqual({ kind: 'again', afterMs: 500, isAttempt: false })
  time.now += 500
  share.processes = 2
  expect(await queue.handle(second!, lease)).toMatchObject({ kind: 'accepted' })
  expect(await queue.handle(third!, lease)).toEqual({ kind: 'again', afterMs: 1_000, isAttempt: false })
})
