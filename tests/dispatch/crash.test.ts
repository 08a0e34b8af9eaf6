import { afterEach, beforeEach, expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { reported, startChild, type Child } from '../support/child.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { moveClock } from '../support/clock.ts'
import { addToys, createToys, results, shortTimes, soon, toyDispatcher, toyQueue, toys } from './toy.ts'
import { stretched } from '../support/eventually.ts'

let world: TestDatabase
let child: Child | undefined
beforeEach(async () => {
  world = await freshDatabase()
  await createToys(world.db)
})
afterEach(async () => {
  await child?.end()
  await world.drop()
})
const stopping = stopAfterEach()

const childThatWaits = (where: 'before' | 'after'): Child =>
  (child = startChild(new URL('./worker.ts', import.meta.url), [world.url, where]))

const ours = (seen: { id: string; crashes: number }[] = []) =>
  stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id, crashes }) => {
        seen.push({ id, crashes })
        return { kind: 'done', by: 'parent' }
      }),
      { times: shortTimes },
    ),
  )

test('rows of a worker that was killed before the point of no return go to another at once', async () => {
  const [id] = await addToys(world.db, 1)
  const victim = childThatWaits('before')
  await reported(victim, { started: id, crashes: 0 })
  const killedAt = performance.now()
  await victim.end()

  const seen: { id: string; crashes: number }[] = []
  const dispatcher = ours(seen)
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toEqual([{ id, by: 'parent' }])
  // Expiry and two heartbeats in production's proportions, and some time for a busy machine.
  expect(performance.now() - killedAt).toBeLessThan(
    shortTimes.expiryMs + 2 * shortTimes.heartbeatMs + stretched(10_000),
  )
  expect(performance.now() - killedAt).toBeGreaterThan(shortTimes.expiryMs - 2 * shortTimes.heartbeatMs)
  await dispatcher.stop()
  expect(seen).toEqual([{ id, crashes: 1 }])
})

test('rows of a worker that was killed after the point of no return wait a minute before they are tried again', async () => {
  const [id] = await addToys(world.db, 1)
  const victim = childThatWaits('after')
  await reported(victim, { began: 'allowed' })
  await reported(victim, { started: id })
  await victim.end()

  const dispatcher = ours()
  dispatcher.start()
  const waiting = { id, state: 'waiting', crashes: 1 }
  await expect.poll(() => toys(world.db), soon).toMatchObject([waiting])
  const { seconds } = await world.db.one(
    sql<{ seconds: number }>`select extract(epoch from due_at - now())::float8 as seconds from toys`,
  )
  expect(seconds).toBeGreaterThan(50)
  expect(seconds).toBeLessThanOrEqual(60)

  await moveClock(world.db, 61)
  await expect.poll(() => results(world.db), soon).toEqual([{ id, by: 'parent' }])
  await dispatcher.stop()
})

test('a worker that is killed twice with the same row makes it suspect', async () => {
  const [id] = await addToys(world.db, 1)
  for (const crashes of [0, 1]) {
    const victim = childThatWaits('before')
    await reported(victim, { started: id, crashes })
    await victim.end()
  }
  const seen: { id: string; crashes: number }[] = []
  const dispatcher = ours(seen)
  dispatcher.start()
  await expect.poll(() => seen, soon).toEqual([{ id, crashes: 2 }])
  await dispatcher.stop()
})

test('only one suspect row is under way at a time, and the others flow past it', async () => {
  const suspects = await addToys(world.db, 3, { crashes: 2 })
  const others = await addToys(world.db, 30)
  const started: string[] = []
  const goOn = Promise.withResolvers<void>()
  const dispatcher = stopping(
    toyDispatcher(
      world.db,
      toyQueue(async ({ id, crashes }) => {
        started.push(id)
        if (crashes >= 2) await goOn.promise
        return { kind: 'done', by: 'me' }
      }),
    ),
  )
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toHaveLength(others.length)
  // Suspects are looked for whenever something has become due.
  for (let i = 0; i < 3; i++) {
    others.push(...(await addToys(world.db, 1, { state: 'waiting' })))
    await expect.poll(() => results(world.db), soon).toHaveLength(others.length)
  }
  expect(started.filter((id) => suspects.includes(id))).toHaveLength(1)
  goOn.resolve()
  await expect.poll(() => results(world.db), soon).toHaveLength(others.length + suspects.length)
  await dispatcher.stop()
})

test('a frozen worker cannot begin what was given to another, and goes on under another name', async () => {
  const [id] = await addToys(world.db, 1)
  const frozen = childThatWaits('before')
  await reported(frozen, { started: id })
  frozen.signal('SIGSTOP')
  const dispatcher = ours()
  dispatcher.start()
  await expect.poll(() => results(world.db), soon).toEqual([{ id, by: 'parent' }])
  await dispatcher.stop()

  frozen.tell({ goOn: true })
  frozen.signal('SIGCONT')
  await reported(frozen, { began: 'lost' })
  await reported(frozen, { kind: 'lost', rows: 1 })
  expect(frozen.reports).not.toContainEqual({ sent: id })
  expect(await results(world.db)).toEqual([{ id, by: 'parent' }])

  const [next] = await addToys(world.db, 1)
  await reported(frozen, { started: next })
  frozen.tell({ goOn: true })
  await expect.poll(() => results(world.db), soon).toContainEqual({ id: next, by: 'child' })
})

test('a worker that was frozen beyond the point of no return sends no final dot when it wakes up', async () => {
  const [id] = await addToys(world.db, 1)
  const frozen = childThatWaits('after')
  await reported(frozen, { started: id })
  frozen.signal('SIGSTOP')
  const dispatcher = ours()
  dispatcher.start()
  await expect.poll(() => toys(world.db), soon).toMatchObject([{ id, state: 'waiting' }])
  await dispatcher.stop()

  // The handler runs before the first heartbeat: only the fence can stop it.
  frozen.tell({ goOn: true })
  frozen.signal('SIGCONT')
  await reported(frozen, { kind: 'lost', rows: 1 })
  expect(frozen.reports).not.toContainEqual({ sent: id })
  expect(await toys(world.db)).toMatchObject([{ id, state: 'waiting' }])
})
