import { silent } from '../../src/core/log.ts'
import type { JobDefinition } from '../../src/jobs/define.ts'
import { JobRunner, type JobRunnerOptions } from '../../src/jobs/run.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'

/** For tests that wait for a death: short, but not too short for a machine that has other things to do. */
export const shortTimes = { heartbeatMs: 300, fenceMs: 1_500, expiryMs: 2_500 }

/** For `expect.poll`: how long to ask for something that should be true at once, on a machine that may be busy. */
export const soon = { timeout: 20_000, interval: 10 }

export const runnerOf = (
  db: Database,
  definitions: readonly JobDefinition[],
  more: Partial<JobRunnerOptions> = {},
): JobRunner =>
  new JobRunner({
    db,
    jobs: definitions,
    concurrency: 2,
    log: silent,
    random: Math.random,
    pollMs: 100,
    ...more,
  })

export interface StoredJob {
  kind: string
  payload: unknown
  attempts: number
  maxAttempts: number
  lockedBy: string | null
  lastError: string | null
  dueInSeconds: number
}

/** What stands in graphile-worker's table. */
export const jobs = (db: Database): Promise<StoredJob[]> =>
  db.all(sql<StoredJob>`
    select t.identifier as kind, j.payload, j.attempts, j.max_attempts as "maxAttempts", j.locked_by as "lockedBy",
           j.last_error as "lastError", extract(epoch from j.run_at - now())::float8 as "dueInSeconds"
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
     order by j.id`)

/** As in a fresh database, for tests that share one. */
export const clearJobs = async (db: Database): Promise<void> => {
  await db.run(sql`
    truncate graphile_worker._private_jobs, graphile_worker._private_job_queues,
             graphile_worker._private_known_crontabs, workers`)
}

export const makeAllDue = (db: Database): Promise<number> =>
  db.run(sql`update graphile_worker._private_jobs set run_at = now() - interval '1 second'`)

/** A promise and what settles it. */
export const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>()
