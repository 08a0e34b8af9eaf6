import { expect, test } from 'vitest'
import { decodeId } from '../../../src/core/ids.ts'
import { silent } from '../../../src/core/log.ts'
import type { Item, Lease, Queue } from '../../../src/dispatch/queue.ts'
import { SmsDeliverer } from '../../../src/delivery/sms/deliver.ts'
import { sql } from '../../../src/storage/sql.ts'
import { liveWorld, smppConnection, THEIRS, type LiveWorld } from '../../support/sms-live.ts'
import { world as carrierWorld } from '../../sms/smpp-world.ts'
import { refuses, type Smsc } from '../../sms/smsc.ts'

interface Slow extends LiveWorld {
  smsc: Smsc
  queue: ReturnType<SmsDeliverer['queue']>
  lease: Lease
  /** For how long the connection was asked to rest. */
  pauses: number[]
  time: { now: number }
  items(): Promise<Item[]>
}

/** The queue of a worker, without a dispatcher, by a clock that stands still. */
async function slowly(): Promise<Slow> {
  const { carrier, smsc } = await carrierWorld({ maxPartsPerSecond: 100 })
  const here = await liveWorld(smppConnection(smsc.port), { workers: 0 })
  await here.consent(THEIRS)
  const time = { now: 0 }
  const { outcomes, reports, phones } = here.services.sms
  const submitter = new SmsDeliverer({
    outcomes,
    reports,
    phones,
    carriers: new Map([['main', carrier]]),
    timeScale: 1,
    clock: { now: () => Date.now() },
    steady: { now: () => time.now },
    random: () => 0.5,
    log: silent,
  })
  const pauses: number[] = []
  const lease: Lease = {
    holds: () => true,
    begin: async () => 'begun',
    passing: async () => {},
    suspend: (ms) => void pauses.push(ms),
    restrict: () => {},
    signal: new AbortController().signal,
  }
  const items = async (): Promise<Item[]> => {
    const parts = await here.db.all(sql<{ id: string }>`select id from sms_parts order by id`)
    return parts.map(({ id }) => ({ id, destination: 'main', lane: 1, crashes: 0 }))
  }
  return { ...here, smsc, queue: submitter.queue(), lease, pauses, time, items }
}

const rateOf = (queue: Pick<Queue<never>, 'limits'>, processes = 1): number =>
  queue.limits('main', processes).perSecond ?? Infinity

test('80: a connection that is throttled rests and goes on at half its rate, again and again; a minute gives a tenth back', async () => {
  const { smsc, live, queue, lease, pauses, time, items } = await slowly()
  smsc.on('submit_sm', refuses(0x58))
  expect((await live(THEIRS)).status).toBe(202)
  const [item] = await items()
  const rates = [rateOf(queue)]
  for (let i = 0; i < 3; i++) {
    expect(await queue.handle(item!, lease)).toMatchObject({ kind: 'again', isAttempt: true })
    rates.push(rateOf(queue))
    // As long as the sender's own pace asks for.
    time.now += 1
  }
  expect(pauses).toEqual([1_000, 1_000, 1_000])
  for (const [i, rate] of [100, 50, 25, 12.5].entries()) expect(rates[i]).toBeCloseTo(rate, 1)
  const slowest = rateOf(queue)
  time.now += 60_000
  expect(rateOf(queue)).toBeCloseTo(slowest + 10)
  expect(rateOf(queue, 2)).toBeCloseTo((slowest + 10) / 2)
  time.now += 10 * 60_000
  expect(rateOf(queue)).toBe(100)
})

test('a sender is paced by itself, whatever its connection could take, and workers share what it may do', async () => {
  const { live, queue, lease, time, items, services, workspace, senderId } = await slowly()
  const limits = { connection: 'main', perSecond: 2, dailyCap: null }
  await services.sms.operator.activateSender(workspace, decodeId('smssn', senderId)!, limits)
  for (let i = 0; i < 3; i++) expect((await live(THEIRS)).status).toBe(202)
  const [first, second, third] = await items()
  expect(await queue.handle(first!, lease)).toMatchObject({ kind: 'accepted' })
  expect(await queue.handle(second!, lease)).toEqual({ kind: 'again', afterMs: 500, isAttempt: false })
  time.now += 500
  queue.limits('main', 2)
  expect(await queue.handle(second!, lease)).toMatchObject({ kind: 'accepted' })
  expect(await queue.handle(third!, lease)).toEqual({ kind: 'again', afterMs: 1_000, isAttempt: false })
})
