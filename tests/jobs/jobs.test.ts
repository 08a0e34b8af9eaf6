import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { DomainError } from '../../src/core/errors.ts'
import { releaseAll } from '../../src/dispatch/leases.ts'
import { define, jobKind } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { forgetEndedJobs } from '../../src/jobs/forget-ended.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { clearJobs, jobs, makeAllDue, runnerOf, soon } from './world.ts'

const world = await freshDatabase(8)
let greeted: string[]
beforeEach(async () => {
  await clearJobs(world.db)
  greeted = []
})
afterAll(() => world.drop())
const stopping = stopAfterEach()

const greet = jobKind<{ name: string }>('greet')
const greeting = define(greet, async ({ name }) => void greeted.push(name))

test('a job that was enqueued in a committed transaction runs with its payload', async () => {
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }))
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual(['Ada'])
  expect(await jobs(world.db)).toEqual([])
})

test('a job that was enqueued in a transaction that failed never runs', async () => {
  const failing = world.db.transaction(async (tx) => {
    await enqueue(tx, greet, { name: 'Ada' })
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual([])
})

test('two definitions of one name are refused', () => {
  expect(() => runnerOf(world.db, [greeting, define(greet, async () => {})])).toThrow('greet is defined twice')
})

test('a refusal ends the job for good, and its reason is kept', async () => {
  const refusing = define(greet, async ({ name }) => {
    greeted.push(name)
    throw new DomainError('not_found', 'There is no such person.')
  })
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Nobody' }))
  await runnerOf(world.db, [refusing]).runOnce()
  await makeAllDue(world.db)
  await runnerOf(world.db, [refusing]).runOnce()
  expect(greeted).toEqual(['Nobody'])
  expect(await jobs(world.db)).toMatchObject([{ state: 'ended', failures: 1, lastError: 'There is no such person.' }])
})

test.for([new Error('a defect'), new DomainError('unavailable', 'Come back later.')])(
  'a job that throws %s is tried again, later',
  async (error) => {
    const failingOnce = define(greet, async ({ name }, { attempt }) => {
      if (attempt === 1) throw error
      greeted.push(`${name} at attempt ${attempt}`)
    })
    await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }))
    await runnerOf(world.db, [failingOnce]).runOnce()
    const [job] = await jobs(world.db)
    expect(job).toMatchObject({ state: 'waiting', failures: 1, lastError: error.message })
    expect(job!.dueInSeconds).toBeGreaterThan(0)

    await makeAllDue(world.db)
    await runnerOf(world.db, [failingOnce]).runOnce()
    expect(greeted).toEqual(['Ada at attempt 2'])
    expect(await jobs(world.db)).toEqual([])
  },
)

test('a job whose error cannot be stored as it is rests like any other', async () => {
  const choking = define(greet, async () => {
    throw new Error(`cannot read "\0${'x'.repeat(10_000)}"`)
  })
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }))
  await runnerOf(world.db, [choking]).runOnce()
  const [job] = await jobs(world.db)
  expect(job).toMatchObject({ state: 'waiting', failures: 1, lastError: expect.stringContaining('cannot read "xxx') })
  expect(job!.dueInSeconds).toBeGreaterThan(0)
})

test('a job knows its last attempt, and is given up after it', async () => {
  const brittle = jobKind<{ name: string }>('brittle', { attempts: 2 })
  const failing = define(brittle, async (_, { attempt, isLastAttempt }) => {
    greeted.push(`${attempt} ${isLastAttempt}`)
    throw new Error('still broken')
  })
  await world.db.transaction((tx) => enqueue(tx, brittle, { name: 'Ada' }))
  for (let i = 0; i < 3; i++) {
    await runnerOf(world.db, [failing]).runOnce()
    await makeAllDue(world.db)
  }
  expect(greeted).toEqual(['1 false', '2 true'])
})

test('of the jobs with one key only the last one runs; other kinds have keys of their own', async () => {
  const wave = jobKind<{ name: string }>('wave')
  await world.db.transaction(async (tx) => {
    await enqueue(tx, greet, { name: 'first' }, { key: 'k' })
    await enqueue(tx, greet, { name: 'second' }, { key: 'k' })
    await enqueue(tx, wave, { name: 'third' }, { key: 'k' })
  })
  await runnerOf(world.db, [greeting, define(wave, async ({ name }) => void greeted.push(name))]).runOnce()
  expect(greeted.toSorted()).toEqual(['second', 'third'])
})

test('a job for later waits for its time', async () => {
  const inAnHour = new Date(Date.now() + 3_600_000)
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }, { runAt: inAnHour }))
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual([])
  expect((await jobs(world.db))[0]!.dueInSeconds).toBeCloseTo(3_600, -2)
  await makeAllDue(world.db)
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual(['Ada'])
})

test('where the clock is moved, a job is due by that clock', async () => {
  const inTenDays = new Date(Date.now() + 10 * 86_400_000)
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }, { runAt: inTenDays }))
  await moveClock(world.db, 10 * 86_400 - 60)
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual([])
  await moveClock(world.db, 10 * 86_400 + 60)
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted).toEqual(['Ada'])
  await moveClock(world.db, 0)
})

test('a job that failed leaves its key to a newer one', async () => {
  const enqueueOne = (name: string) => world.db.transaction((tx) => enqueue(tx, greet, { name }, { key: 'k' }))
  const failing = define(greet, async ({ name }) => {
    greeted.push(name)
    if (name === 'first') await enqueueOne('second')
    throw new Error('not now')
  })
  await enqueueOne('first')
  await runnerOf(world.db, [failing]).runOnce()
  expect(greeted).toEqual(['first', 'second'])
  await enqueueOne('third')
  expect((await jobs(world.db)).map(({ payload, state }) => ({ payload, state }))).toEqual([
    { payload: { name: 'first' }, state: 'waiting' },
    { payload: { name: 'third' }, state: 'ready' },
  ])
})

test('jobs that come back from a worker that died leave their key to a newer one', async () => {
  const enqueueOne = (name: string) => world.db.transaction((tx) => enqueue(tx, greet, { name }, { key: 'k' }))
  const worker = randomUUID()
  for (const name of ['first', 'second']) {
    await enqueueOne(name)
    await world.db.run(sql`update jobs set state = 'claimed', lease_worker = ${worker}, lease_no = 1`)
  }
  await enqueueOne('third')
  await world.db.transaction((tx) => releaseAll(tx, 'jobs', { workers: [worker], crashed: true }))
  await runnerOf(world.db, [greeting]).runOnce()
  expect(greeted.toSorted()).toEqual(['first', 'second', 'third'])
})

test('of a hundred who enqueue with one key at once, one job is left', async () => {
  const names = Array.from({ length: 100 }, (_, i) => `n${i}`)
  await Promise.all(names.map((name) => world.db.transaction((tx) => enqueue(tx, greet, { name }, { key: 'k' }))))
  expect(await jobs(world.db)).toHaveLength(1)
})

test('jobs of one queue run one after the other', async () => {
  let running = 0
  const careful = define(greet, async ({ name }) => {
    expect(++running).toBe(1)
    await world.db.one(sql`select pg_sleep(0.02)`)
    running--
    greeted.push(name)
  })
  await world.db.transaction(async (tx) => {
    for (const name of ['a', 'b', 'c', 'd']) await enqueue(tx, greet, { name }, { queue: 'single file' })
  })
  const runner = stopping(runnerOf(world.db, [careful], { concurrency: 3 }))
  runner.start()
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await runner.stop()
  expect(greeted).toEqual(['a', 'b', 'c', 'd'])
})

test('what a handler writes together with the end of its job is written exactly once', async () => {
  await world.db.run(sql`create table greetings (name text not null)`)
  const attempts: number[] = []
  const writing = define(greet, async ({ name }, job) => {
    attempts.push(job.attempt)
    await world.db.transaction(async (tx) => {
      await tx.run(sql`insert into greetings values (${name})`)
      await job.finish(tx)
      if (job.attempt === 1) throw new Error('failed before the commit')
    })
  })
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'Ada' }))
  for (let i = 0; i < 3; i++) {
    await runnerOf(world.db, [writing]).runOnce()
    await makeAllDue(world.db)
  }
  expect(attempts).toEqual([1, 2])
  expect(await world.db.all(sql`select name from greetings`)).toEqual([{ name: 'Ada' }])
  expect(await jobs(world.db)).toEqual([])
})

test('jobs that ended long ago are forgotten, others are not', async () => {
  await world.db.transaction((tx) => enqueue(tx, greet, { name: 'waiting' }, { runAt: new Date(Date.now() + 60_000) }))
  for (const [name, age] of [
    ['old', '31 days'],
    ['recent', '29 days'],
  ] as const) {
    await world.db.transaction((tx) => enqueue(tx, greet, { name }))
    await world.db.run(sql`
      update jobs
         set state = 'ended', ended_at = clock_now() - ${age}::interval
       where payload ->> 'name' = ${name}`)
  }
  const forgetting = forgetEndedJobs(world.db)
  await world.db.transaction((tx) => enqueue(tx, forgetting.kind as typeof greet, { name: '' }))
  await runnerOf(world.db, [forgetting]).runOnce()
  expect((await jobs(world.db)).map(({ payload }) => payload)).toEqual([{ name: 'waiting' }, { name: 'recent' }])
})
