import { silent } from '../../src/core/log.ts'
import { jobKind, type JobDefinition } from '../../src/jobs/define.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { JobRunner, type JobRunnerOptions } from '../../src/jobs/run.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

/** For tests that wait for a death: short, but not too short for a machine that has other things to do. */
export const shortTimes = { heartbeatMs: 300, fenceMs: 1_500, expiryMs: 2_500 }

/** For `expect.poll`: how long to ask for something that should be true at once, on a machine that may be busy. */
export const soon = { timeout: 60_000, interval: 10 }

export const runnerOf = (
  db: Database,
  definitions: readonly JobDefinition[],
  more: Partial<JobRunnerOptions> = {},
): JobRunner =>
  new JobRunner({
    db,
    jobs: definitions,
    concurrency: 2,
    name: 'test',
    log: silent,
    random: Math.random,
    pollMs: 100,
    ...more,
  })

export interface StoredJob {
  kind: string
  payload: unknown
  state: string
  failures: number
  crashes: number
  lastError: string | null
  dueInSeconds: number
}

/** What stands in the table, in the order of enqueueing. */
export const jobs = (db: Database): Promise<StoredJob[]> =>
  db.all(sql<StoredJob>`
    select kind, payload, state, failures, crashes, last_error as "lastError",
           extract(epoch from due_at - clock_now())::float8 as "dueInSeconds"
      from jobs
     order by id`)

/** As in a fresh database, for tests that share one. */
export const clearJobs = async (db: Database): Promise<void> => {
  await db.run(sql`truncate jobs, job_schedules, workers cascade`)
}

export const makeAllDue = (db: Database): Promise<number> =>
  db.run(sql`update jobs set due_at = clock_now() - interval '1 second' where state = 'waiting'`)

/** Enqueues a job by the name of its kind. */
export const enqueueNamed = (db: Database, name: string): Promise<void> =>
  db.transaction((tx) => enqueue(tx, jobKind(name), {}))

/** A promise and what settles it. */
export const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>()
