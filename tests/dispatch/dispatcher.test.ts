import { afterAll, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { moveClock } from '../support/clock.ts'
import {
  addToys,
  clearToys,
  createToys,
  gate,
  results,
  soon,
  toyDispatcher,
  type ToyOutcome,
  toyQueue,
  toys,
} from './toy.ts'

const world = await freshDatabase(8)
await createToys(world.db)
beforeEach(() => clearToys(world.db))
afterAll(() => world.drop())
const stopping = stopAfterEach()

const done: ToyOutcome = { kind: 'done', by: 'me' }

test('two dispatchers handle every row once', async () => {
  const ids = await addToys(world.db, 500)
  const started: string[] = []
  const pair = [1, 2].map(() =>
    stopping(
      toyDispatcher(
        world.db,
        toyQueue(async ({ id }) => {
          started.push(id)
          return done
        }),
      ),
    ),
  )
  for (const dispatcher of pair) dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(500)
  for (const dispatcher of pair) await dispatcher.stop()
  expect(started.toSorted()).toEqual(ids)
  expect((await results(world.db)).map(({ id }) => id).toSorted()).toEqual(ids)
  expect(await toys(world.db)).toEqual([])
  expect(await world.db.all(sql`select * from workers`)).toEqual([])
})

test('rows of one destination are taken in the order of their ids', async () => {
  const ids = await addToys(world.db, 50)
  const started: string[] = []
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async ({ id }) => {
          started.push(id)
          return done
        },
        { limits: () => ({ concurrency: 1 }) },
      ),
    ),
  )
  while ((await dispatcher.runOnce()) > 0);
  expect(started).toEqual(ids)
  await dispatcher.stop()
})

test('a row that waits is not touched before its time, and then it is', async () => {
  const [id] = await addToys(world.db, 1, { state: 'waiting', dueInMs: 3_600_000 })
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => done),
    ),
  )
  expect(await dispatcher.runOnce()).toBe(0)
  await moveClock(world.db, 3_600)
  expect(await dispatcher.runOnce()).toBe(1)
  expect(await results(world.db)).toEqual([{ id, by: 'me' }])
  await dispatcher.stop()
})

test('a handler that throws leads to the outcome that its owner has for that', async () => {
  const [id] = await addToys(world.db, 1)
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        () => {
          throw new Error('a defect, and not even asynchronous')
        },
        { failed: (_, error) => ({ kind: 'done', by: (error as Error).message }) },
      ),
    ),
  )
  await dispatcher.runOnce()
  expect(await results(world.db)).toEqual([{ id, by: 'a defect, and not even asynchronous' }])
  await dispatcher.stop()
})

test('a row that its owner withdrew is refused at the point of no return', async () => {
  const [kept, cancelled] = await addToys(world.db, 2)
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async ({ id }, lease) => {
          await world.db.run(sql`update toys set cancelled = true where id = ${cancelled} and id = ${id}`)
          return { kind: 'done', by: await lease.confirm() }
        },
        { mayBegin: sql<never>`not q.cancelled` },
      ),
    ),
  )
  await dispatcher.runOnce()
  expect((await results(world.db)).toSorted((a, b) => a.by.localeCompare(b.by))).toEqual([
    { id: kept, by: 'allowed' },
    { id: cancelled, by: 'refused' },
  ])
  await dispatcher.stop()
})

test('what was allowed at the claim need not be asked for again, for as long as the handler says', async () => {
  const [withdrawnLater, withdrawnBefore] = await addToys(world.db, 2)
  await world.db.run(sql`update toys set cancelled = true where id = ${withdrawnBefore}`)
  const heard = new Map<string, string[]>()
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(
        async ({ id }, lease) => {
          await world.db.run(sql`update toys set cancelled = true where id = ${id}`)
          heard.set(id, [await lease.confirm(60_000), await lease.confirm(), await lease.confirm(60_000)])
          return done
        },
        { mayBegin: sql<never>`not q.cancelled`, beginsAtClaim: true },
      ),
    ),
  )
  await dispatcher.runOnce()
  expect(heard.get(withdrawnLater!)).toEqual(['allowed', 'refused', 'refused'])
  expect(heard.get(withdrawnBefore!)).toEqual(['refused', 'refused', 'refused'])
  await dispatcher.stop()
})

test('a row that somebody else has been given cannot begin', async () => {
  const [id] = await addToys(world.db, 1)
  const permissions: string[] = []
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async (_, lease) => {
        await world.db.run(sql`
        update toys set lease_worker = '00000000-0000-4000-8000-000000000000', lease_no = lease_no + 1`)
        permissions.push(await lease.confirm())
        return done
      }),
    ),
  )
  await dispatcher.runOnce()
  expect(permissions).toEqual(['lost'])
  expect(await toys(world.db)).toMatchObject([{ id, state: 'claimed', leaseNo: 2 }])
  await dispatcher.stop()
})

test('rows of a claim whose answer was lost go back, and those in hand do not', async () => {
  const [inHand] = await addToys(world.db, 1)
  const [unheard] = await addToys(world.db, 1, { state: 'waiting', dueInMs: 3_600_000 })
  const time = { ahead: 0 }
  const [began, goOn] = [gate(), gate()]
  const started: string[] = []
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id }) => {
        started.push(id)
        if (id !== inHand) return done
        began.resolve()
        await goOn.promise
        return done
      }),
      { clock: { now: () => performance.now() + time.ahead } },
    ),
  )
  dispatcher.start()
  await began.promise
  // As a claim leaves it that is committed just before the connection breaks.
  await world.db.run(sql`
    update toys set state = 'in_flight', lease_no = lease_no + 1, lease_worker = (select id from workers) where id = ${unheard}`)
  // Again and again, so that what is in hand would be given back as well.
  await expect
    .poll(async () => {
      time.ahead += 5_000
      return results(world.db)
    }, soon)
    .toEqual([{ id: unheard, by: 'me' }])
  expect(started).toEqual([inHand, unheard])
  goOn.resolve()
  await expect.poll(() => results(world.db), soon).toHaveLength(2)
})

test('a stop lets what is under way come to its end, and claims nothing more', async () => {
  const [first, second] = await addToys(world.db, 2)
  const started = gate()
  const goOn = gate()
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async (_, { signal }) => {
        started.resolve()
        await goOn.promise
        return { kind: 'done', by: signal.aborted ? 'hurried' : 'me' }
      }),
      { slots: 1 },
    ),
  )
  dispatcher.start()
  await started.promise
  const stopped = dispatcher.stop()
  // More statements than a pass has: by then it does nothing but wait.
  for (let i = 0; i < 10; i++) await toys(world.db)
  goOn.resolve()
  await stopped
  expect(await results(world.db)).toEqual([{ id: first, by: 'me' }])
  expect(await toys(world.db)).toMatchObject([{ id: second, state: 'ready', leaseNo: 0 }])
  expect(await world.db.all(sql`select * from workers`)).toEqual([])
})

test('a handler that outlasts the patience of a stop is told so, and its outcome still counts', async () => {
  const [id] = await addToys(world.db, 1)
  const started = gate()
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async (_, { signal }) => {
        const told = new Promise((resolve) => signal.addEventListener('abort', resolve))
        started.resolve()
        await told
        return { kind: 'done', by: 'in time' }
      }),
      { graceMs: 10 },
    ),
  )
  dispatcher.start()
  await started.promise
  await dispatcher.stop()
  expect(await results(world.db)).toEqual([{ id, by: 'in time' }])
})

test('what does not end in time is given back without the blame of a crash', async () => {
  const [claimed, begun] = await addToys(world.db, 2)
  const bothStarted = gate()
  const goOn = gate()
  let running = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id }, lease) => {
        if (id === begun) await lease.confirm()
        if (++running === 2) bothStarted.resolve()
        await goOn.promise
        return done
      }),
      { graceMs: 10 },
    ),
  )
  dispatcher.start()
  await bothStarted.promise
  await dispatcher.stop()
  expect(await toys(world.db)).toMatchObject([
    { id: claimed, state: 'ready', crashes: 0 },
    { id: begun, state: 'waiting', crashes: 0 },
  ])
  goOn.resolve()
})

test('limits are asked for with the number of processes that share a destination', async () => {
  await addToys(world.db, 1)
  const peersSeen: number[] = []
  const other = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => done),
    ),
  )
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => done, {
        limits: (_, peers) => {
          peersSeen.push(peers)
          return { concurrency: 1 }
        },
      }),
    ),
  )
  await dispatcher.runOnce()
  await other.runOnce()
  await addToys(world.db, 1)
  await dispatcher.runOnce()
  expect([peersSeen[0], peersSeen.at(-1)]).toEqual([1, 2])
  await dispatcher.stop()
  await other.stop()
})
