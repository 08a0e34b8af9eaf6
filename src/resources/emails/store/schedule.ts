import type { BroadcastId, EmailId, ProjectId } from '../../../core/ids.ts'
import type { Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'

/**
 * The recipients of a scheduled email, locked, or none: as soon as a worker has moved the first of them, the email is
 * scheduled no more. A worker passes over rows that we hold, and we wait for those that it holds and look again.
 */
const whileScheduled = (project: ProjectId, email: EmailId) => sql`
  locked as (
    select id, state in ('waiting', 'held') and lease_no = 0 as waits
      from deliveries
     where project_id = ${project} and email_id = ${email}
     order by id
       for update
  ), still as (
    select id from locked where (select bool_and(waits) from locked)
  )`

/** False when the email is not scheduled (any more). */
export const cancel = async (tx: Tx, project: ProjectId, email: EmailId): Promise<boolean> =>
  (await tx.run(sql`
    with ${whileScheduled(project, email)}, gone as (
      delete from deliveries
       where id in (select id from still)
      returning email_id, position, project_id, recipient
    )
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select email_id, position, project_id, recipient, 'cancelled', 0 from gone`)) > 0

/** False when the email is not scheduled (any more). */
export const reschedule = async (tx: Tx, project: ProjectId, email: EmailId, sendAt: Date): Promise<boolean> =>
  (await tx.run(sql`
    with ${whileScheduled(project, email)}, moved as (
      update deliveries
         set state = 'waiting', due_at = ${sendAt}, updated_at = clock_now()
       where id in (select id from still)
      returning email_id
    )
    update emails
       set send_at = ${sendAt}
     where project_id = ${project} and id in (select email_id from moved)`)) > 0

/**
 * Those of its recipients that wait for another attempt are due now, but not those that may have left. Returns how many
 * there are.
 */
export const retryNow = (tx: Tx, project: ProjectId, email: EmailId) =>
  tx.run(sql`
    update deliveries q
       set state = 'ready', due_at = least(due_at, clock_now())
     where project_id = ${project}
       and email_id = ${email}
       and (state = 'ready' or state = 'waiting' and q.unknown_lease is distinct from q.lease_no)
       and lease_no > 0`)

/**
 * An archived project sends nothing more. What a worker has in its hands ends by itself. Answers how many of which
 * broadcasts are cancelled, apart those that had been tried.
 */
export const cancelAllOf = (tx: Tx, project: ProjectId) =>
  tx.all(
    cancelChosen(sql`
    select id from deliveries
     where project_id = ${project} and state in ('waiting', 'ready', 'held')
     order by id
       for update`),
  )

/** Cancels emails of one broadcast, `most` of them at a time. Passes over rows that others have locked. */
export const cancelSomeOf = (tx: Tx, project: ProjectId, broadcast: BroadcastId, most: number) =>
  tx.all(
    cancelChosen(sql`
    select id from deliveries
     where project_id = ${project} and broadcast_id = ${broadcast} and state in ('waiting', 'ready', 'held')
     limit ${most}
       for update skip locked`),
  )

interface Cancelled {
  broadcastId: BroadcastId
  wasTried: boolean
  count: number
}

const cancelChosen = (chosen: Query<unknown>) => sql<Cancelled>`
    with gone as (
      delete from deliveries
       where id in (${chosen})
      returning email_id, position, project_id, recipient, attempts, broadcast_id
    ), kept as (
      insert into recipients (email_id, position, project_id, recipient, state, attempts)
      select email_id, position, project_id, recipient, 'cancelled', attempts from gone
    )
    select broadcast_id as "broadcastId", attempts > 0 as "wasTried", count(*) as count
      from gone
     where broadcast_id is not null
     group by 1, 2`

/** The same as moves of a broadcast's recipients. */
export const movesOf = (cancelled: readonly Cancelled[]) =>
  cancelled.map(({ broadcastId, wasTried, count }) => ({
    broadcastId,
    from: wasTried ? ('deferred' as const) : ('queued' as const),
    to: 'cancelled' as const,
    count,
  }))
