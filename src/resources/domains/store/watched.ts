/** The statements for domains whose DNS records are watched: sending domains and receiving domains. */
import type { ProjectId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { identifier, sql, type Query } from '../../../storage/sql.ts'
import type { Seen } from '../schema.ts'

/** A table with the columns that watching takes, beside what else its rows have. */
export interface WatchedTable {
  name: string
  /** What a row of it is read as. */
  columns: Query<unknown>
  /** The column that says since when a verified domain lacks a record. */
  missingSince: string
  /** The status of a verified domain in the first day without a record. */
  statusWhileMissing: string
  /** The unique index that lets one project of the installation hold a name verified. */
  oneHolder: string
}

export interface WatchedRow {
  id: string
  projectId: ProjectId
  name: string
  status: string
  /** What the last look at the DNS saw. */
  seen: readonly Seen[]
  /** The database's time when the row was read, to the microsecond: a Date would round it. */
  readAt: string
}

export const list = <Row extends WatchedRow>(
  db: Db,
  { name: table, columns }: WatchedTable,
  project: ProjectId,
  { name, status }: { name: string | undefined; status: string | undefined },
  { limit, after }: PageRequest,
) =>
  db.all(sql<Row>`
    select ${columns}
      from ${identifier(table)}
     where project_id = ${project}
       and removed_at is null
       and name = coalesce(${name}, name)
       and status = coalesce(${status}, status)
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = <Row extends WatchedRow>(
  db: Db,
  { name: table, columns }: WatchedTable,
  project: ProjectId,
  id: Row['id'],
) =>
  db.maybeOne(sql<Row>`
    select ${columns} from ${identifier(table)} where project_id = ${project} and id = ${id} and removed_at is null`)

export const findByName = <Row extends WatchedRow>(
  db: Db,
  { name: table }: WatchedTable,
  project: ProjectId,
  name: string,
) =>
  db.maybeOne(sql<Pick<Row, 'id'>>`
    select id from ${identifier(table)} where project_id = ${project} and name = ${name} and removed_at is null`)

/** Whether another project of the installation has the name verified. */
export const isTaken = async (
  db: Db,
  { name: table }: WatchedTable,
  project: ProjectId,
  name: string,
): Promise<boolean> => {
  const holders = await db.all(sql`
    select from ${identifier(table)}
     where project_id <> ${project}
       and name = ${name}
       and status in ('verified', 'warning')
       and removed_at is null`)
  return holders.length > 0
}

/**
 * The domains whose time has come, each for one asker: it is not due again until its look is recorded, or in five
 * minutes if it never is.
 */
export const claimDue = <Row extends WatchedRow>(db: Db, { name: table, columns }: WatchedTable, most: number) =>
  db.all(sql<Row>`
    update ${identifier(table)}
       set next_check_at = clock_now() + interval '5 minutes'
     where id = any(array(
             select id from ${identifier(table)}
              where next_check_at <= clock_now() and removed_at is null
              order by next_check_at
              limit ${most}
                for update skip locked))
    returning ${columns}`)

/**
 * What a look means for the domain. Complete: verified, whatever it was. Incomplete: a verified one keeps what it may do
 * for a day and then fails, any other stays what it is. Unanswered: nothing changes but the time. False when the domain
 * is gone, or a look that began later is recorded already.
 */
export const recordCheck = async (
  tx: Tx,
  { name: table, missingSince, statusWhileMissing }: WatchedTable,
  { projectId, id, readAt }: WatchedRow,
  verdict: 'complete' | 'incomplete' | 'unanswered',
  seen: readonly Seen[],
): Promise<boolean> => {
  const since = identifier(missingSince)
  const recorded = await tx.run(sql`
    update ${identifier(table)} d
       set seen = ${JSON.stringify(seen)},
           last_checked_at = ${readAt}::timestamptz,
           verified_at = case when ${verdict} = 'complete' then coalesce(verified_at, clock_now()) else verified_at end,
           (status, ${since}, next_check_at) = (
             select next.status, missing.since,
                    clock_now() + case when missing.since is not null or d.watched_until > clock_now()
                                       then interval '5 minutes' else interval '1 day' end
               from (select case
                              when ${verdict} = 'complete' then 'verified'
                              when ${verdict} = 'unanswered' then d.status
                              when d.${since} <= clock_now() - interval '24 hours' then 'failed'
                              when d.status = 'verified' then ${statusWhileMissing}
                              else d.status
                            end) as next (status)
              cross join lateral (
                    select case
                             when ${verdict} = 'complete' or next.status = 'failed' then null
                             when ${verdict} = 'incomplete' and d.status = 'verified'
                               then coalesce(d.${since}, clock_now())
                             else d.${since}
                           end) as missing (since))
     where project_id = ${projectId}
       and id = ${id}
       and removed_at is null
       and (last_checked_at is null or last_checked_at <= ${readAt}::timestamptz)`)
  return recorded === 1
}

export const remove = (tx: Tx, { name: table }: WatchedTable, project: ProjectId, id: string) =>
  tx.maybeOne(sql<{ name: string }>`
    update ${identifier(table)} set removed_at = clock_now()
     where project_id = ${project} and id = ${id} and removed_at is null
    returning name`)
