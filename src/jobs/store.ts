import type { Database, Db, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

export interface LoadedJob {
  kind: string
  payload: unknown
  /** 1 for the first. A worker that died with the job has made an attempt as well. */
  attempt: number
  maxAttempts: number
}

/** Undefined when the job is gone. */
export const load = (db: Db, id: string): Promise<LoadedJob | undefined> =>
  db.maybeOne(sql<LoadedJob>`
    select kind, payload, failures + crashes + 1 as attempt, max_attempts as "maxAttempts" from jobs where id = ${id}`)

export const remove = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`delete from jobs where id = any(${ids}::uuid[])`)

/** Gives jobs back as if no worker had tried them. */
export const giveBack = (tx: Tx, ids: readonly string[]): Promise<number> =>
  tx.run(sql`update jobs set state = 'ready', lease_worker = null where id = any(${ids}::uuid[])`)

export interface Failure {
  id: string
  reason: string
  /** No further attempt, even if some are left. */
  isFinal: boolean
}

/** Lets jobs that failed rest before the next attempt, longer each time, or ends them. The reason is kept either way. */
export const fail = (tx: Tx, failures: readonly Failure[]): Promise<number> =>
  tx.run(sql`
    update jobs q
       set state = case when ${isOver} then 'ended' else 'waiting' end,
           ended_at = case when ${isOver} then clock_now() end,
           due_at = clock_now() + exp(least(q.failures + q.crashes + 1, 10)) * interval '1 second',
           failures = q.failures + 1,
           last_error = f.reason,
           lease_worker = null
      from unnest(${failures.map(({ id }) => id)}::uuid[], ${failures.map(({ reason }) => reason)}::text[],
                  ${failures.map(({ isFinal }) => isFinal)}::boolean[]) as f (id, reason, is_final)
     where q.id = f.id`)

const isOver = sql<never>`f.is_final or q.failures + q.crashes + 1 >= q.max_attempts`

const KEPT_DAYS = 30

/** Jobs that were given up stay for a while, with their reason, for an operator who wonders. */
export const forgetEnded = (db: Database): Promise<number> =>
  db.run(sql`
    delete from jobs where state = 'ended' and ended_at < clock_now() - make_interval(days => ${KEPT_DAYS})`)

/** How many jobs there are, by what becomes of them next. */
export const countJobs = (db: Db): Promise<{ state: string; jobs: number }[]> =>
  db.all(sql<{ state: string; jobs: number }>`
    select s.state, count(j.id) as jobs
      from unnest(array['waiting', 'ready', 'running', 'ended']) as s (state)
      left join jobs j on s.state = case when j.state in ('claimed', 'in_flight') then 'running' else j.state end
     group by s.state`)

/** When periodic jobs were last due, in milliseconds as the clock is. */
export const schedules = async (
  db: Db,
  kinds: readonly string[],
): Promise<{ now: number; known: Record<string, number> }> =>
  db.one(sql<{ now: number; known: Record<string, number> }>`
    select floor(extract(epoch from clock_now()) * 1000)::float8 as now,
           coalesce(json_object_agg(kind, extract(epoch from due_at) * 1000), '{}') as known
      from job_schedules
     where kind = any(${kinds}::text[])`)

/** Moves the times that no other worker has moved as far, and names those jobs. */
export const moveSchedules = (tx: Tx, due: readonly { name: string; at: Date }[]): Promise<{ kind: string }[]> =>
  tx.all(sql<{ kind: string }>`
    insert into job_schedules as s (kind, due_at)
    select name, at
      from unnest(${due.map(({ name }) => name)}::text[], ${due.map(({ at }) => at)}::timestamptz[]) as d (name, at)
     order by name
        on conflict (kind) do update
       set due_at = excluded.due_at
     where s.due_at < excluded.due_at or s.due_at > excluded.due_at + interval '1 day'
    returning s.kind`)
