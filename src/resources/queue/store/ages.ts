import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { AgesRow } from '../schema.ts'

/** So many rows of each kind are looked at: of those that wait, that are held, and of each lane of those that are due. */
const MAX_LOOKED = 10_000

/** The lanes of `delivery/mail`. */
const lanes = [0, 1, 2]

/**
 * How old the mail of a project is that waits for a destination. No index leads to those of one project that are due:
 * the oldest of all projects are looked at, as many as are looked at of the others. Scheduled mail does not wait.
 */
export const ages = (db: Db, project: ProjectId, destination: string, now: Date) =>
  db.one(sql<AgesRow>`
    with waiting as (
      select id
        from deliveries
       where state = 'waiting' and project_id = ${project} and destination = ${destination} and lease_no > 0
       limit ${MAX_LOOKED}
    ), held as (
      select id
        from deliveries
       where state = 'held' and project_id = ${project} and destination = ${destination} and lease_no > 0
       limit ${MAX_LOOKED}
    ), due as (
      select row.id, row.lane, row.project_id
        from unnest(${lanes}::smallint[]) as lanes (lane)
       cross join lateral (
               select id, lane, project_id
                 from deliveries
                where state = 'ready'
                  and crashes < 2
                  and deliveries.lane = lanes.lane
                  and destination = ${destination}
                order by id
                limit ${MAX_LOOKED}) row
    ), aged as (
      -- An id begins with the milliseconds at which it was made.
      select extract(epoch from ${now}::timestamptz)
               - ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0 as seconds
        from (select id from waiting
               union all
              select id from held
               union all
              select id from due where project_id = ${project}) looked
    )
    select count(*) filter (where seconds < 300) as "under5Minutes",
           count(*) filter (where seconds >= 300 and seconds < 3600) as "under1Hour",
           count(*) filter (where seconds >= 3600 and seconds < 21600) as "under6Hours",
           count(*) filter (where seconds >= 21600 and seconds < 86400) as "under24Hours",
           count(*) filter (where seconds >= 86400) as older,
           (select count(*) from waiting) = ${MAX_LOOKED}
             or (select count(*) from held) = ${MAX_LOOKED}
             or exists (select from due group by lane having count(*) = ${MAX_LOOKED}) as "isMore"
      from aged`)
