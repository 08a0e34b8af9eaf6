import { afterAll, beforeEach, expect, test } from 'vitest'
import { Permissions } from '../../src/dispatch/permissions.ts'
import { claim } from '../../src/dispatch/claim.ts'
import { sql } from '../../src/storage/sql.ts'
import { Worker, type ExpiredWorker } from '../../src/dispatch/workers.ts'
import { freshDatabase } from '../support/database.ts'
import { addToys, clearToys, createToys, shortTimes, silent, soon, TABLE, toys } from './toy.ts'

const world = await freshDatabase()
await createToys(world.db)
beforeEach(() => clearToys(world.db))
afterAll(() => world.drop())

const times = { heartbeatMs: 5_000, fenceMs: 15_000, expiryMs: 20_000 }

function workerWithClock() {
  const time = { steady: 1_000, wall: 1_000_000 }
  const expired: ExpiredWorker[] = []
  const worker = new Worker({
    db: world.db,
    role: 'test',
    name: 'us',
    log: silent,
    times,
    now: () => ({ ...time }),
    release: async (_, workers) => void expired.push(...workers),
  })
  return { worker, time, expired }
}

test('a worker holds nothing before its first heartbeat', async () => {
  const { worker } = workerWithClock()
  expect(worker.holds()).toBe(false)
  await worker.runOnce()
  expect(worker.holds()).toBe(true)
  await worker.stop()
  expect(worker.holds()).toBe(false)
  expect(await worker.untilHolds()).toBe(false)
})

test.for(['steady', 'wall'] as const)(
  'the fence closes 15 s after the last heartbeat, by the %s clock',
  async (which) => {
    const { worker, time } = workerWithClock()
    await worker.runOnce()
    time[which] += 14_999
    expect(worker.holds()).toBe(true)
    time[which] += 1
    expect(worker.holds()).toBe(false)
    await worker.runOnce()
    expect(worker.holds()).toBe(true)
  },
)

test('the fence counts from when the heartbeat was sent, not from its answer', async () => {
  const { worker, time } = workerWithClock()
  await worker.runOnce()
  time.steady += 10_000
  const beat = worker.runOnce()
  // The process freezes while the answer is on its way.
  time.steady += 16_000
  await beat
  expect(worker.holds()).toBe(false)
})

test('a worker that was struck by the others never holds anything again', async () => {
  const { worker } = workerWithClock()
  await worker.runOnce()
  await world.db.run(sql`delete from workers where id = ${worker.id}`)
  expect(worker.lost.aborted).toBe(false)
  await worker.runOnce()
  expect(worker.lost.aborted).toBe(true)
  expect(worker.holds()).toBe(false)
  expect(await world.db.all(sql`select * from workers`)).toEqual([])
})

test('who was deaf itself declares nobody dead until the others had time to be heard again', async () => {
  const short = { ...shortTimes, heartbeatMs: 200, expiryMs: 1_000 }
  const young = sql`select where pg_postmaster_start_time() > now() - interval '1 second'`
  await expect.poll(() => world.db.all(young), soon).toEqual([])
  const time = { steady: 0, wall: 0 }
  const expired: ExpiredWorker[] = []
  const options = { db: world.db, role: 'test', log: silent, times: short, now: () => ({ ...time }) }
  const silentOne = new Worker({ ...options, name: 'silent', release: async () => {} })
  const us = new Worker({ ...options, name: 'us', release: async (_, workers) => void expired.push(...workers) })
  await silentOne.runOnce()
  await us.runOnce()
  await world.db.run(sql`update workers set heartbeat_at = now() - interval '1 hour' where id = ${silentOne.id}`)

  time.steady += 500
  await us.runOnce()
  expect(expired).toEqual([])
  for (let beats = 0; beats < 5; beats++) {
    time.steady += 200
    await us.runOnce()
  }
  expect(expired).toEqual([{ id: silentOne.id, name: 'silent' }])
})

test('a worker that was struck can claim nothing, even before it has noticed', async () => {
  const [id] = await addToys(world.db, 1)
  const { worker } = workerWithClock()
  await worker.runOnce()
  const wanted = [{ lane: 0, destination: 'example.com', firstId: id!, most: 1 }]
  await world.db.run(sql`delete from workers where id = ${worker.id}`)
  expect(worker.holds()).toBe(true)
  expect(await claim(world.db, { table: TABLE }, worker.id, wanted)).toEqual([])
  expect(await toys(world.db)).toMatchObject([{ id, state: 'ready', leaseNo: 0 }])
})

test('a permission to begin that arrives after the fence has closed is none', async () => {
  const [id] = await addToys(world.db, 1)
  const { worker, time } = workerWithClock()
  await worker.runOnce()
  const [row] = await claim(world.db, { table: TABLE }, worker.id, [
    { lane: 0, destination: 'example.com', firstId: id!, most: 1 },
  ])
  const permissions = new Permissions({ db: world.db, queue: { table: TABLE }, log: silent, random: Math.random })
  const request = { key: { id: id!, worker: worker.id, leaseNo: row!.leaseNo }, worker }

  const asked = permissions.confirm(request)
  time.steady += 15_000
  expect(await asked).toBe('lost')
  await worker.runOnce()
  expect(await permissions.confirm(request)).toBe('allowed')
})

test('workers of another role are none of our business', async () => {
  const { worker, expired } = workerWithClock()
  await world.db.run(sql`
    insert into workers (id, role, name, heartbeat_at)
    values ('00000000-0000-4000-8000-000000000000', 'other', 'silent', now() - interval '1 hour')`)
  await worker.runOnce()
  expect(expired).toEqual([])
  expect(worker.peers).toBe(1)
})
