/**
 * What may be written about a job, and by whom. A job is held by the pool whose name stands in `locked_by`; a pool that
 * was declared dead has lost its jobs, even if it wakes up later and finishes its handlers.
 *
 * graphile-worker deletes a job that succeeded by its number alone, which would be the job that somebody else is just
 * running; and what it writes about a failure it does not write again when the database was away. So we write both
 * ourselves, under the right condition, and what graphile-worker does afterwards finds nothing left to do. The tables
 * are its private ones; its version is pinned.
 */
import type { Db, Tx } from '../storage/postgres.ts'
import { sql, type Query } from '../storage/sql.ts'

export interface Holding {
  jobId: number
  pool: string
}

export class LostJobError extends Error {
  constructor({ jobId }: Holding) {
    super(`job ${jobId} has been given to somebody else`)
    this.name = 'LostJobError'
  }
}

/** Locks the job for the rest of the transaction. */
export async function holdJob(tx: Tx, holding: Holding): Promise<void> {
  const held = await tx.run(sql`
    select from graphile_worker._private_jobs
     where id = ${holding.jobId}
       and locked_by = ${holding.pool}
       for update`)
  if (held === 0) throw new LostJobError(holding)
}

/** Deletes a job that is done, and lets the next one of its queue run. */
export async function completeJob(db: Db, holding: Holding): Promise<void> {
  const completed = await db.all(sql`
    with settled as (
      delete from graphile_worker._private_jobs
       where id = ${holding.jobId}
         and locked_by = ${holding.pool}
      returning job_queue_id
    ), freed as (${freeQueue(holding)})
    select from settled`)
  if (completed.length === 0) throw new LostJobError(holding)
}

/** Lets a job that failed rest before the next attempt, longer each time; or for ever, with its reason. */
export async function failJob(db: Db, holding: Holding, failure: { reason: string; forGood: boolean }): Promise<void> {
  const failed = await db.all(sql`
    with settled as (
      update graphile_worker._private_jobs
         set last_error = ${failure.reason},
             attempts = case when ${failure.forGood} then max_attempts else attempts end,
             run_at = greatest(now(), run_at) + exp(least(attempts, 10)) * interval '1 second',
             locked_by = null,
             locked_at = null
       where id = ${holding.jobId}
         and locked_by = ${holding.pool}
      returning job_queue_id
    ), freed as (${freeQueue(holding)})
    select from settled`)
  if (failed.length === 0) throw new LostJobError(holding)
}

const freeQueue = ({ pool }: Holding): Query<never> => sql<never>`
      update graphile_worker._private_job_queues q
         set locked_by = null, locked_at = null
        from settled
       where q.id = settled.job_queue_id
         and q.locked_by = ${pool}`

/** Gives back the jobs of pools that are gone. Their attempt counts: it may be the job that killed them. */
export const releaseJobs = async (tx: Tx, pools: readonly string[]): Promise<void> => {
  await tx.all(sql`select graphile_worker.force_unlock_workers(${pools}::text[])`)
}
