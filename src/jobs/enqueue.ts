import type { Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import type { JobKind } from './define.ts'

export interface EnqueueOptions {
  /** Not before; at once unless given. */
  runAt?: Date
  /** Not before so much time has passed. */
  afterMs?: number
  /**
   * At most one job per kind and key waits. Another one takes its place, with its payload and its time; a job that is
   * already running is not disturbed, the other one runs after it.
   */
  key?: string
  /** Jobs of one queue run one after the other. For few queues with lasting names. */
  queue?: string
}

/** Puts a job into the queue when, and only when, the transaction commits. */
export async function enqueue<Payload extends object>(
  tx: Tx,
  kind: JobKind<Payload>,
  payload: Payload,
  { runAt, afterMs = 0, key, queue }: EnqueueOptions = {},
): Promise<void> {
  await tx.all(sql`
    select from graphile_worker.add_job(
      identifier => ${kind.name},
      payload => ${JSON.stringify(payload)}::json,
      queue_name => ${queue ?? null},
      -- graphile-worker asks now() whether a job is due; where clock_now() has been moved, so is the job's time.
      run_at => coalesce(${runAt ?? null}::timestamptz - (clock_now() - now()), now()) + ${afterMs} * interval '1 ms',
      max_attempts => ${kind.attempts},
      job_key => ${key === undefined ? null : `${kind.name}:${key}`})`)
}
