import type { BroadcastId, EmailId, ProjectId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { LinkView } from '../schema/recipients.ts'

/** A mail whose links differ from reader to reader would have as many as readers: no more than this are counted. */
const MAX_LINKS = 1_000

/** A person followed a link of their mail, so many times. */
export interface Followed {
  broadcastId: BroadcastId
  emailId: EmailId
  position: number
  url: string
  times: number
}

/** One row for each reader and link. */
export const count = (tx: Tx, followed: readonly Followed[]) =>
  tx.run(sql`
    with given as (
      select broadcast_id, email_id, position, url, link_key(url) as link, times
        from unnest(${followed.map(({ broadcastId }) => broadcastId)}::uuid[],
                    ${followed.map(({ emailId }) => emailId)}::uuid[],
                    ${followed.map(({ position }) => position)}::smallint[],
                    ${followed.map(({ url }) => url)}::text[], ${followed.map(({ times }) => times)}::int[])
               as g (broadcast_id, email_id, position, url, times)
    ), counted as materialized (
      select given.*
        from given
       where exists (select from broadcast_links k where k.broadcast_id = given.broadcast_id and k.link = given.link)
          or (select count(*)
                from (select from broadcast_links k where k.broadcast_id = given.broadcast_id limit ${MAX_LINKS}) as known)
             < ${MAX_LINKS}
    ), firsts as (
      insert into followed_links (email_id, position, link)
      select email_id, position, link from counted order by email_id, position, link
      on conflict do nothing
      returning email_id, position, link
    )
    insert into broadcast_links as known (broadcast_id, link, url, people, clicks)
    select broadcast_id, link, min(url), count(firsts.link), sum(times)
      from counted
      left join firsts using (email_id, position, link)
     group by broadcast_id, link
     order by broadcast_id, link
    on conflict (broadcast_id, link) do update
       set people = known.people + excluded.people, clicks = known.clicks + excluded.clicks`)

export const list = (db: Db, project: ProjectId, id: BroadcastId) =>
  db.all(sql<LinkView>`
    select k.url, k.people, k.clicks
      from broadcasts b
      join broadcast_links k on k.broadcast_id = b.id
     where b.project_id = ${project}
       and b.id = ${id}
     order by k.people desc, k.clicks desc, k.url
     limit ${MAX_LINKS}`)
