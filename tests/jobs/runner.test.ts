import { afterAll, beforeEach, expect, test } from 'vitest'
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
  const runner = stopping(
    runnerOf(world.db, [define(work, async ({ name }) => void done.push(name))], { pollMs: 3_600_000 }),
  )
  await runner.start()
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
  await runner.start()
  await started.promise
  const stopped = runner.stop().then(() => done.push('stopped'))
  goOn.resolve()
  await stopped
  expect(done).toEqual(['first', 'stopped'])
  expect(await jobs(world.db)).toMatchObject([{ payload: { name: 'second' }, lockedBy: null, attempts: 0 }])
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
  await runner.start()
  await started.promise
  await runner.stop()
  expect(await jobs(world.db)).toMatchObject([{ payload: { name: 'slow' }, lockedBy: null, attempts: 1 }])
  goOn.resolve()
  await ended.promise
  await runnerOf(world.db, [define(work, async ({ name }) => void done.push(name))]).runOnce()
  expect(done).toEqual(['slow'])
})

test('a periodic job whose time passed while nobody was there is made up for, once for all runners', async () => {
  const hourly = define(jobKind('hourly'), async () => void done.push('run'), { cron: '0 * * * *' })
  const first = stopping(runnerOf(world.db, [hourly]))
  await first.start()
  await expect.poll(() => world.db.all(sql`select from graphile_worker._private_known_crontabs`), soon).toHaveLength(1)
  await first.stop()
  expect(done).toEqual([])
  await world.db.run(sql`
    update graphile_worker._private_known_crontabs set known_since = now() - interval '61 minutes'`)
  const pair = [stopping(runnerOf(world.db, [hourly])), stopping(runnerOf(world.db, [hourly]))]
  await Promise.all(pair.map((runner) => runner.start()))
  await expect.poll(() => done, soon).toEqual(['run'])
  await expect.poll(() => jobs(world.db), soon).toEqual([])
  await Promise.all(pair.map((runner) => runner.stop()))
  expect(done).toEqual(['run'])
})

test('an impossible time for a periodic job is refused at start', async () => {
  const runner = stopping(runnerOf(world.db, [define(work, async () => {}, { cron: '61 * * * *' })]))
  await expect(runner.start()).rejects.toThrow()
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
  await runner.start()
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

test('when graphile-worker gives up a pool, another one takes over', async () => {
  // Its own statements fail from now on, after ours about the same job have succeeded.
  await world.db.run(sql`
    create function fail_the_library() returns trigger language plpgsql as $$
    begin
      if current_query() not like '%settled%' then raise exception 'cannot be written'; end if;
      return null;
    end $$`)
  await world.db.run(sql`
    create trigger fail_the_library before delete on graphile_worker._private_jobs
    for each statement execute function fail_the_library()`)
  const pools = new Set<string | null>()
  const runner = stopping(
    runnerOf(world.db, [
      define(work, async ({ name }) => {
        for (const { lockedBy } of await jobs(world.db)) pools.add(lockedBy)
        done.push(name)
      }),
    ]),
  )
  await runner.start()
  for (const name of ['a', 'b', 'c']) {
    await add(name)
    await expect.poll(() => done, soon).toContain(name)
    await expect.poll(() => world.db.all(sql`select from workers`), soon).toHaveLength(1)
  }
  await runner.stop()
  await world.db.run(sql`drop function fail_the_library cascade`)
  expect(done).toEqual(['a', 'b', 'c'])
  expect(pools.size).toBeGreaterThan(1)
})
