import type { Visibility } from '../../../core/caller.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { WaitingRow } from '../schema.ts'
import { MAX_LISTED, PICTURE_MS } from '../states.ts'

/** Any number that no other program takes an advisory lock on in this database. */
const PICTURE_LOCK = 7_015_243

/** When the last picture was taken, if that is not long ago. Not by `now()`: it may have been while we waited for the lock. */
export const recentPicture = (db: Db) =>
  db.maybeOne(sql<{ asOf: Date }>`
    select as_of as "asOf"
      from queue_picture_times
     where clock_timestamp() - taken_at between interval '0' and ${PICTURE_MS} * interval '1 millisecond'`)

export const now = (db: Db) => db.one(sql<{ now: Date }>`select clock_now() as now`)

/** One at a time in the installation. */
export const lockPicture = (tx: Tx) => tx.all(sql`select pg_advisory_xact_lock(${PICTURE_LOCK}::bigint)`)

export const forgetPicture = (tx: Tx) => tx.run(sql`delete from queue_picture`)

/** What is scheduled does not wait for anybody. */
const isUnderWay = sql<never>`not (lease_no = 0 and state in ('waiting', 'held'))`

/**
 * Counts everything that waits, in one pass over each queue. Ids begin with the time at which they were made; as a text,
 * because older versions of PostgreSQL cannot tell the least of several UUIDs.
 */
export const takePicture = (tx: Tx) =>
  tx.run(sql`
    insert into queue_picture (kind, project_id, destination, waiting, deferred, due, oldest_id, next_try_at)
    select 'emails', project_id, destination,
           count(*) filter (where ${isUnderWay}),
           count(*) filter (where attempts > 0 or (state = 'waiting' and lease_no > 0)),
           count(*) filter (where state = 'ready' or (state = 'waiting' and due_at <= clock_now())),
           min(id::text collate "C") filter (where ${isUnderWay}),
           min(due_at) filter (where state = 'waiting' and lease_no > 0)
      from deliveries
     group by project_id, destination
     union all
    select 'webhooks', project_id, '', count(*), 0, count(*), null, null
      from webhook_deliveries
     where state = 'ready' or (state = 'waiting' and due_at <= clock_now())
     group by project_id
     union all
    select 'sms', project_id, '', count(*), 0, count(*), null, null
      from sms_parts
     where state = 'ready' or (state = 'waiting' and due_at <= clock_now())
     group by project_id`)

export const datePicture = (tx: Tx) =>
  tx.one(sql<{ asOf: Date }>`
    insert into queue_picture_times (as_of, taken_at)
    values (clock_now(), clock_timestamp())
    on conflict (only_row) do update set as_of = excluded.as_of, taken_at = excluded.taken_at
    returning as_of as "asOf"`)

/** What waits of a project, the largest first. */
export const waitingOf = (db: Db, project: ProjectId) =>
  db.all(sql<WaitingRow>`
    select destination, waiting, deferred, due, oldest_id as "oldestId", next_try_at as "nextTryAt"
      from queue_picture
     where project_id = ${project} and kind = 'emails'
     order by waiting desc, destination
     limit ${MAX_LISTED}`)

export interface Due {
  emails: number
  webhooks: number
  sms: number
}

/** What would leave now of the projects that are visible. Scheduled mail whose time has come counts, too. */
export const dueOf = (db: Db, { workspaceId, projectIds }: Visibility) =>
  db.one(sql<Due>`
    select coalesce(sum(due) filter (where kind = 'emails'), 0) as emails,
           coalesce(sum(due) filter (where kind = 'webhooks'), 0) as webhooks,
           coalesce(sum(due) filter (where kind = 'sms'), 0) as sms
      from queue_picture
      join projects on projects.id = queue_picture.project_id
     where workspace_id = ${workspaceId}
       and (${projectIds}::uuid[] is null or projects.id = any(${projectIds}::uuid[]))`)

/** Those that wait for another attempt, and not because they may have left. */
const waitsForAttempt = (project: ProjectId, destination: string): Query<never> => sql<never>`
  q.state = 'waiting'
    and q.project_id = ${project}
    and q.destination = ${destination}
    and q.lease_no > 0
    and q.unknown_lease is distinct from q.lease_no`

/** Those that wait for another attempt are due now; `most` of them. */
export const retryWaiting = (db: Db, project: ProjectId, destination: string, most: number) =>
  db.run(sql`
    update deliveries
       set state = 'ready', due_at = least(due_at, clock_now())
     where project_id = ${project}
       and id = any(array(
             select q.id
               from deliveries q
              where ${waitsForAttempt(project, destination)}
              limit ${most}
                for update skip locked))`)

/** How many wait for another attempt. */
export const countWaiting = async (db: Db, project: ProjectId, destination: string): Promise<number> =>
  (
    await db.one(sql<{ count: number }>`
    select count(*) as count from deliveries q where ${waitsForAttempt(project, destination)}`)
  ).count
