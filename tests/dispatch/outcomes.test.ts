import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Journal } from '../../src/dispatch/journal.ts'
import type { DispatchEvent } from '../../src/dispatch/queue.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
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
/** Nothing is kept for others, so that all slots can be used. */
const oneLane = { lanes: [{ lane: 0, share: 1, kept: 0 }] }

test('an outcome whose lease was lost is not written, and the others of its batch are', async () => {
  const [kept, lost, reclaimed] = await addToys(world.db, 3)
  const events: DispatchEvent[] = []
  const allStarted = gate()
  const goOn = gate()
  let running = 0
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => {
        if (++running === 3) allStarted.resolve()
        await goOn.promise
        return done
      }),
      { observe: (event) => events.push(event) },
    ),
  )
  const pass = dispatcher.runOnce()
  await allStarted.promise
  await world.db.run(sql`update toys set state = 'cancelled', lease_worker = null where id = ${lost}`)
  // The same worker may hold the row again, but not by this lease.
  await world.db.run(sql`update toys set lease_no = lease_no + 1 where id = ${reclaimed}`)
  goOn.resolve()
  await pass
  expect(await results(world.db)).toEqual([{ id: kept, by: 'me' }])
  expect((await toys(world.db)).map(({ id, state }) => ({ id, state }))).toEqual([
    { id: lost, state: 'cancelled' },
    { id: reclaimed, state: 'claimed' },
  ])
  expect(events).toContainEqual({ kind: 'lost', rows: 2, ids: expect.arrayContaining([lost, reclaimed]) })
  await dispatcher.stop()
})

test('a slot is free only after its outcome is committed', async () => {
  await addToys(world.db, 60)
  let started = 0
  let committed = 0
  let mostAtOnce = 0
  const queue = toyQueue(async () => {
    mostAtOnce = Math.max(mostAtOnce, ++started - committed)
    return done
  }, oneLane)
  const slow: typeof queue.record = async (tx, settled) => {
    await tx.one(sql`select pg_sleep(0.03)`)
    await queue.record(tx, settled)
  }
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      { ...queue, record: slow },
      { slots: 5, observe: (event) => (committed += event.kind === 'recorded' ? event.rows : 0) },
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(60)
  await dispatcher.stop()
  expect(mostAtOnce).toBe(5)
})

test('an outcome that cannot be recorded does not hold up the others, and its row goes back to the queue', async () => {
  const ids = await addToys(world.db, 12)
  const bad = ids[5]
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id }, lease) => {
        if (id === bad) await lease.confirm()
        return id === bad ? { kind: 'unspeakable' } : done
      }),
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(11)
  // It is given up because another one was recorded since, and all of the others may have been before.
  await addToys(world.db, 1)
  await expect.poll(() => toys(world.db), soon).toMatchObject([{ id: bad, state: 'waiting', crashes: 1 }])
  expect((await results(world.db)).map(({ id }) => id)).not.toContain(bad)
  await dispatcher.stop()
})

test('an outcome that cannot be recorded at first is tried again before its row is handled again', async () => {
  const ids = await addToys(world.db, 3)
  const [bad] = ids
  const started: string[] = []
  const allStarted = gate()
  const queue = toyQueue(async ({ id }) => {
    if (started.push(id) === ids.length) allStarted.resolve()
    await allStarted.promise
    return done
  }, oneLane)
  // With the others, and then alone.
  let failures = 2
  const record: typeof queue.record = async (tx, settled) => {
    if (settled.some(({ item }) => item.id === bad) && failures-- > 0) throw new Error('not this one, not now')
    await queue.record(tx, settled)
  }
  const dispatcher = stopping(toyDispatcher(world.db, { ...queue, record }))
  dispatcher.start()
  await expect.poll(() => toys(world.db), soon).toEqual([])
  expect((await results(world.db)).map(({ id }) => id).toSorted()).toEqual(ids)
  expect(started.toSorted()).toEqual(ids)
  await dispatcher.stop()
})

test('when nothing can be recorded, nothing is sent twice and nothing new is sent', async () => {
  const ids = await addToys(world.db, 10)
  const started: string[] = []
  const attempts: number[] = []
  let broken = true
  const queue = toyQueue(async ({ id }) => {
    started.push(id)
    return done
  }, oneLane)
  const record: typeof queue.record = async (tx, settled) => {
    attempts.push(settled.length)
    if (broken) throw new Error('the owner has a defect')
    await queue.record(tx, settled)
  }
  const dispatcher = stopping(toyDispatcher(world.db, { ...queue, record }, { slots: 4 }))
  dispatcher.start()
  // Together, one by one, and all of that again after a rest.
  await expect.poll(() => attempts.length, soon).toBeGreaterThan(9)
  expect(started).toHaveLength(4)
  broken = false
  await expect.poll(() => results(world.db), soon).toHaveLength(10)
  await dispatcher.stop()
  expect(started.toSorted()).toEqual(ids)
})

test('an owner who forgets a row does not leave it leased for ever', async () => {
  const [remembered, forgotten] = await addToys(world.db, 2)
  const queue = toyQueue(async () => done)
  const record: typeof queue.record = (tx, settled) =>
    queue.record(
      tx,
      settled.filter(({ item }) => item.id !== forgotten),
    )
  // Its outcome is tried until the end.
  const dispatcher = stopping(toyDispatcher(world.db, { ...queue, record }, { graceMs: 10 }))
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toEqual([{ id: remembered, by: 'me' }])
  await expect.poll(() => toys(world.db), soon).toContainEqual(expect.objectContaining({ id: forgotten, crashes: 1 }))
  await dispatcher.stop()
})

test('outcomes survive the loss of all connections, and nothing is handled twice', async () => {
  const ids = await addToys(world.db, 200)
  const started: string[] = []
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id }) => {
        started.push(id)
        return done
      }),
    ),
  )
  dispatcher.start()
  for (const at of [20, 80, 140]) {
    await expect.poll(() => started.length, soon).toBeGreaterThan(at)
    await world.db
      .all(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
      .catch(() => {})
  }
  await expect.poll(() => toys(world.db).catch(() => 'away'), soon).toEqual([])
  await dispatcher.stop()
  expect((await results(world.db)).map(({ id }) => id).toSorted()).toEqual(ids)
  expect(started.toSorted()).toEqual(ids)
})

test('what an earlier process had found out is recorded, and what it had not sent goes on at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthouse-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [ended, passing, unsent] = (await addToys(world.db, 3)) as [string, string, string]
  const worker = randomUUID()
  await world.db.run(sql`update toys set state = 'in_flight', lease_worker = ${worker}, lease_no = 1`)
  const earlier = new Journal(folder, 'toys', () => {})
  earlier.register(worker)
  const key = (id: string) => ({ id, worker, leaseNo: 1 })
  const item = { id: ended, destination: 'example.com', lane: 0, crashes: 0 }
  earlier.enter(key(ended)).settled({ key: key(ended), item, outcome: { kind: 'done', by: 'the earlier one' } })
  await earlier.enter(key(passing)).written

  const journal = new Journal(folder, 'toys', () => {})
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async () => done),
      { journal },
    ),
  )
  dispatcher.start()
  await expect.poll(() => toys(world.db), soon).toMatchObject([{ id: passing, state: 'waiting' }])
  expect(await results(world.db)).toEqual([
    { id: ended, by: 'the earlier one' },
    { id: unsent, by: 'me' },
  ])
  await dispatcher.stop()
})
