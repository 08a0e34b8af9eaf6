import { once } from 'node:events'
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { silent } from '../../src/core/log.ts'
import { Doorbell } from '../../src/dispatch/doorbell.ts'
import { holdSending, resumeSending } from '../../src/dispatch/sending.ts'
import { define, jobKind } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { stopAfterEach } from '../support/stop-after-each.ts'
import { clearJobs, gate, jobs, runnerOf, soon } from './world.ts'

const world = await freshDatabase(8)
let done: string[]
beforeEach(async () => {
  await clearJobs(world.db)
  done = []
})
afterAll(() => world.drop())
const stopping = stopAfterEach()

const work = jobKind<{ name: string }>('work')
const add = (name: string) => world.db.transaction((tx) => enqueue(tx, work, { name }))

test('a running runner is told of new jobs', async () => {
  const doorbell = new Doorbell({ db: world.db, log: silent, random: Math.random })
  const runner = stopping(
    runnerOf(world.db, [define(work, async ({ name }) => void done.push(name))], { pollMs: 3_600_000, doorbell }),
  )
  doorbell.start()
  onTestFinished(() => doorbell.stop())
  runner.start()
  // The announcement reaches nobody until the runner listens; the first job may come before that.
  await expect
    .poll(async () => {
      await add('x')
      return done.length
    }, soon)
    .toBeGreaterThan(0)
  await runner.stop()
})

test('a stop waits for the job that is running, and takes no other', async () => {
  const started = gate()
  const goOn = gate()
  const waiting = define(work, async ({ name }) => {
    started.resolve()
    await goOn.promise
    done.push(name)
  })
  const runner = stopping(runnerOf(world.db, [waiting], { concurrency: 1 }))
  await add('first')
  await add('second')
  runner.start()
  await started.promise
  const stopped = runner.stop().then(() => done.push('stopped'))
  goOn.resolve()
  await stopped
  expect(done).toEqual(['first', 'stopped'])
  expect(await jobs(world.db)).toMatchObject([{ payload: { name: 'second' }, state: 'ready', failures: 0 }])
  expect(await world.db.all(sql`select * from workers`)).toEqual([])
})

test('a job that outlasts the patience of a stop is given back, and can no longer complete', async () => {
  const started = gate()
  const goOn = gate()
  const ended = gate()
  const slow = define(work, async (_, { signal }) => {
    started.resolve()
    await goOn.promise
    expect(signal.aborted).toBe(true)
    ended.resolve()
  })
  const runner = stopping(runnerOf(world.db, [slow], { graceMs: 50 }))
  await add('slow')
  runner.start()
  await started.promise
  await runner.stop()
  expect(await jobs(world.db)).toMatchObject([{ payload: { name: 'slow' }, state: 'ready', failures: 0, crashes: 0 }])
  goOn.resolve()
  await ended.promise
  await runnerOf(world.db, [define(work, async ({ name }) => void done.push(name))]).runOnce()
  expect(done).toEqual(['slow'])
})

test('a periodic job whose time passed while nobody was there is made up for, once for all runners', async () => {
  const hourly = define(jobKind('hourly'), async () => void done.push('run'), { cron: '0 * * * *' })
  const first = stopping(runnerOf(world.db, [hourly]))
  first.start()
  await expect.poll(() => world.db.all(sql`select from job_schedules`), soon).toHaveLength(1)
  await first.stop()
  expect(done).toEqual([])
  await world.db.run(sql`update job_schedules set due_at = clock_now() - interval '61 minutes'`)
  const pair = [stopping(runnerOf(world.db, [hourly])), stopping(runnerOf(world.db, [hourly]))]
  for (const runner of pair) runner.start()
  await expect.poll(() => done, soon).toEqual(['run'])
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await Promise.all(pair.map((runner) => runner.stop()))
  expect(done).toEqual(['run'])
})

test('an impossible time for a periodic job is refused', () => {
  expect(() => runnerOf(world.db, [define(work, async () => {}, { cron: '61 * * * *' })])).toThrow('61 in 61 * * * *')
})

test('jobs of a kind that this version does not know are left to others', async () => {
  await add('x')
  const other = define(jobKind('other'), async () => void done.push('other'))
  await world.db.transaction((tx) => enqueue(tx, other.kind, {}))
  await runnerOf(world.db, [other]).runOnce()
  expect(done).toEqual(['other'])
  expect(await jobs(world.db)).toMatchObject([{ kind: 'work', state: 'ready', failures: 0 }])
})

test('jobs run while sending is held', async () => {
  await holdSending(world.db, 'a test')
  await add('x')
  await runnerOf(world.db, [define(work, async ({ name }) => void done.push(name))]).runOnce()
  await resumeSending(world.db)
  expect(done).toEqual(['x'])
})

test('a job that is cut short by a stop has not failed', async () => {
  const started = gate()
  const long = define(work, async (_, { signal }) => {
    started.resolve()
    await once(signal, 'abort')
    signal.throwIfAborted()
  })
  const runner = stopping(runnerOf(world.db, [long]))
  await add('long')
  runner.start()
  await started.promise
  await runner.stop()
  expect(await jobs(world.db)).toMatchObject([{ state: 'ready', failures: 0, crashes: 0, lastError: null }])
})

test('a runner survives the loss of all its connections', async () => {
  const started = gate()
  const goOn = gate()
  const runner = stopping(
    runnerOf(world.db, [
      define(work, async ({ name }) => {
        started.resolve()
        await goOn.promise
        done.push(name)
      }),
    ]),
  )
  await add('during')
  runner.start()
  await started.promise
  await world.db
    .all(sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()`)
    .catch(() => {})
  goOn.resolve()
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await add('after')
  await expect.poll(() => done, soon).toEqual(['during', 'after'])
  await runner.stop()
})
