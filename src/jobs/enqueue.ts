import { newId } from '../core/ids.ts'
import { CHANNEL } from '../dispatch/doorbell.ts'
import type { Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import type { JobKind } from './define.ts'
import { destinationOf, LANE, TABLE } from './table.ts'

export interface EnqueueOptions {
  /** Not before; at once unless given. */
  runAt?: Date
  /** Not before so much time has passed. */
  afterMs?: number
  /**
   * At most one job per kind and key waits. Another one takes its place, with its payload and its time; a job that is
   * already running is not disturbed, the other one runs beside or after it.
   */
  key?: string
  /** Of the jobs of one kind and queue each node runs one at a time. For few queues with lasting names. */
  queue?: string
}

/**
 * Puts a job into the queue when, and only when, the transaction commits. The announcement is part of it: code that
 * enqueues rarely knows when its caller's transaction is over.
 */
export async function enqueue<Payload>(
  tx: Tx,
  kind: JobKind<Payload>,
  payload: Payload,
  { runAt, afterMs = 0, key, queue }: EnqueueOptions = {},
): Promise<void> {
  await tx.all(sql`
    with added as (
      insert into jobs (id, kind, destination, lane, payload, key, state, due_at, max_attempts)
      select ${newId()}, ${kind.name}, ${destinationOf(kind, queue)}, ${LANE}, ${JSON.stringify(payload)}::json,
             ${key ?? null}, case when due_at <= clock_now() then 'ready' else 'waiting' end, due_at, ${kind.attempts}
        from (select coalesce(${runAt ?? null}::timestamptz, clock_now()) + ${afterMs} * interval '1 ms' as due_at) as d
          on conflict (kind, key) where key is not null and state in ('waiting', 'ready') do update
         set payload = excluded.payload,
             destination = excluded.destination,
             state = excluded.state,
             due_at = excluded.due_at,
             max_attempts = excluded.max_attempts,
             failures = 0,
             crashes = 0,
             last_error = null
      returning state
    )
    select pg_notify(${CHANNEL}, ${TABLE}) from added where state = 'ready'`)
}
