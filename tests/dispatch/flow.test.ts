import { afterAll, beforeEach, expect, test } from 'vitest'
import { Doorbell } from '../../src/dispatch/doorbell.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import {
  addToys,
  clearToys,
  createToys,
  gate,
  results,
  silent,
  soon,
  TABLE,
  toyDispatcher,
  toyQueue,
  toys,
} from './toy.ts'

const world = await freshDatabase(8)
await createToys(world.db)
beforeEach(() => clearToys(world.db))
afterAll(() => world.drop())
const stopping = stopAfterEach()

test('a destination that takes nothing holds up only itself', async () => {
  await addToys(world.db, 2_000, { destination: 'tarpit.example' })
  const others: string[] = []
  for (let i = 0; i < 40; i++) others.push(...(await addToys(world.db, 2, { destination: `d${i}.example` })))
  const goOn = gate()
  let stuck = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async ({ destination }) => {
          if (destination === 'tarpit.example') {
            stuck++
            await goOn.promise
          }
          return { kind: 'done', by: destination }
        },
        { limits: () => ({ concurrency: 3 }) },
      ),
      { slots: 10, graceMs: 10 },
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(80)
  expect((await results(world.db)).map(({ id }) => id).toSorted()).toEqual(others.toSorted())
  expect(stuck).toBeGreaterThan(0)
  expect(stuck).toBeLessThanOrEqual(3)
  goOn.resolve()
  await dispatcher.stop()
})

test('a broadcast that fills its slots leaves room for what is urgent', async () => {
  await addToys(world.db, 100, { lane: 1 })
  const goOn = gate()
  let stuck = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ lane }) => {
        if (lane === 1) {
          stuck++
          await goOn.promise
        }
        return { kind: 'done', by: `lane ${lane}` }
      }),
      { slots: 10, graceMs: 10 },
    ),
  )
  dispatcher.start()
  // Ten slots, of which two are kept for the first lane and one for the third.
  await expect.poll(() => stuck, soon).toBe(7)
  const urgent = await addToys(world.db, 20, { lane: 0 })
  const retries = await addToys(world.db, 5, { lane: 2 })
  await expect.poll(() => results(world.db), soon).toHaveLength(urgent.length + retries.length)
  expect(stuck).toBe(7)
  goOn.resolve()
  await dispatcher.stop()
})

test('two lanes to one destination share its limit', async () => {
  await addToys(world.db, 10, { lane: 0 })
  await addToys(world.db, 10, { lane: 1 })
  let running = 0
  let most = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async () => {
          most = Math.max(most, ++running)
          await world.db.one(sql`select pg_sleep(0.005)`)
          running--
          return { kind: 'done', by: 'me' }
        },
        { limits: () => ({ concurrency: 2 }) },
      ),
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(20)
  await dispatcher.stop()
  expect(most).toBe(2)
})

test('a destination that its handler suspended is left alone for that time, then tried with one row', async () => {
  await addToys(world.db, 8)
  const starts: { at: number; running: number }[] = []
  let running = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async (_, lease) => {
          starts.push({ at: performance.now(), running: ++running })
          if (starts.length === 1) lease.destination.suspend(400)
          await world.db.one(sql`select pg_sleep(0.02)`)
          running--
          return { kind: 'done', by: 'me' }
        },
        { limits: () => ({ concurrency: starts.length === 0 ? 1 : 4 }) },
      ),
      { idleMs: 600_000 },
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(8)
  await dispatcher.stop()
  expect(starts[1]!.at - starts[0]!.at).toBeGreaterThanOrEqual(400)
  // It opened by itself, long before the next look around, and the second row was alone.
  expect(starts[1]!.running).toBe(1)
  expect(Math.max(...starts.map((start) => start.running))).toBe(4)
})

test('a destination with a rate gets its rows evenly', async () => {
  await addToys(world.db, 10)
  const starts: number[] = []
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async () => {
          starts.push(performance.now())
          return { kind: 'done', by: 'me' }
        },
        { limits: () => ({ concurrency: 100, perSecond: 20 }) },
      ),
      { idleMs: 10_000 },
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(10)
  await dispatcher.stop()
  // Nine gaps of 50 ms; timers may be a millisecond early.
  expect(starts.at(-1)! - starts[0]!).toBeGreaterThanOrEqual(440)
})

test('the doorbell wakes a dispatcher that would have slept', async () => {
  const listening = new Doorbell({ db: world.db, log: silent, random: Math.random })
  const ringing = new Doorbell({ db: world.db, log: silent, random: Math.random })
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => ({ kind: 'done', by: 'me' })),
      { doorbell: listening, idleMs: 3_600_000 },
    ),
  )
  listening.start()
  dispatcher.start()
  await addToys(world.db, 1)
  ringing.ring(TABLE)
  await expect.poll(() => toys(world.db), soon).toEqual([])

  // With all connections gone it listens again by itself.
  await world.db
    .all(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
    .catch(() => {})
  await expect
    .poll(() => world.db.all(sql`select from pg_stat_activity where query = 'listen dispatch'`).catch(() => []), soon)
    .toHaveLength(1)
  await addToys(world.db, 1)
  ringing.ring(TABLE)
  await expect.poll(() => toys(world.db), soon).toEqual([])
  await dispatcher.stop()
  await listening.stop()
})
