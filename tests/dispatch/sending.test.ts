import { afterAll, beforeEach, expect, test } from 'vitest'
import { countDue, heldSending, holdSending, resumeSending } from '../../src/dispatch/sending.ts'
import { eventually } from '../support/eventually.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import {
  addToys,
  clearToys,
  createToys,
  results,
  shortTimes,
  soon,
  toyDispatcher,
  type ToyOutcome,
  toyQueue,
  toys,
} from './toy.ts'

const world = await freshDatabase(8)
const { db } = world
await createToys(db)
beforeEach(async () => {
  await clearToys(db)
  await resumeSending(db)
})
afterAll(() => world.drop())
const stopping = stopAfterEach()

const done: ToyOutcome = { kind: 'done', by: 'me' }

test('while sending is held nothing is claimed, suspects included, and nothing becomes ready; all of it goes on afterwards', async () => {
  await holdSending(db, 'a test')
  await addToys(db, 3)
  await addToys(db, 1, { crashes: 2 })
  await addToys(db, 2, { state: 'waiting', dueInMs: -1 })
  await addToys(db, 1, { state: 'waiting', dueInMs: 3_600_000 })
  const dispatcher = toyDispatcher(
    db,
    toyQueue(async () => done),
    { times: shortTimes },
  )
  expect(await dispatcher.runOnce()).toBe(0)
  expect(Map.groupBy(await toys(db), ({ state }) => state).get('ready')).toHaveLength(4)
  expect(await countDue(db, 'toys')).toBe(6)
  expect((await toys(db)).every(({ leaseNo }) => leaseNo === 0)).toBe(true)
  await resumeSending(db)
  expect(await dispatcher.runOnce()).toBe(6)
  expect(await results(db)).toHaveLength(6)
  await dispatcher.stop()
})

test('what a worker has in hand may neither begin nor leave once sending is held, and goes on afterwards', async () => {
  const ids = await addToys(db, 2)
  const inHand = new Set<string>()
  const answers: string[] = []
  const dispatcher = stopping(
    toyDispatcher(
      db,
      toyQueue(async ({ id }, lease) => {
        if (inHand.has(id)) return done
        inHand.add(id)
        await eventually('it must not leave any more', () => !lease.holds())
        answers.push(await lease.confirm())
        return { kind: 'retry', inMs: 0 }
      }),
    ),
  )
  dispatcher.start()
  await expect.poll(() => inHand.size, soon).toBe(2)
  await holdSending(db, 'a test')
  await expect.poll(() => answers, soon).toEqual(['refused', 'refused'])
  await expect.poll(async () => (await toys(db)).map(({ state }) => state), soon).toEqual(['waiting', 'waiting'])
  expect(await results(db)).toEqual([])
  await resumeSending(db)
  await expect.poll(async () => (await results(db)).map(({ id }) => id).toSorted(), soon).toEqual(ids)
})

test('sending is held once and let go once, with the first reason', async () => {
  expect(await heldSending(db)).toBeUndefined()
  expect(await Promise.all([holdSending(db, 'one'), holdSending(db, 'one')])).toEqual(
    expect.arrayContaining([true, false]),
  )
  expect(await holdSending(db, 'two')).toBe(false)
  expect(await heldSending(db)).toEqual({ since: expect.any(Date), because: 'one' })
  expect([await resumeSending(db), await resumeSending(db)]).toEqual([true, false])
})
