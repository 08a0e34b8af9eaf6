/**
 * One statement for all that is watched of a kind, in all projects. Each finds its rows by an index and reads a bounded
 * number of them, however much there is: it is asked every second.
 */
import type { Db } from '../../storage/postgres.ts'
import { sql, type Query } from '../../storage/sql.ts'
import { MAX_ADDED_UP, MAX_COUNTED } from './limits.ts'
import type { Asked, Found } from './schema.ts'

/** So many rows at each end of a queue show whether it moves. */
const MAX_SAMPLED = 50
/** So many of the newest show whether something came, or went. */
const MAX_NEWEST = 50
/** Notices are about so many of a project's domains and endpoints at most. */
const MAX_NOTICED = 200

export const now = async (db: Db): Promise<Date> => (await db.one(sql<{ at: Date }>`select clock_now() as at`)).at

const each = (asked: readonly Asked[]): Query<never> => sql<never>`
  unnest(${asked.map(({ projectId }) => projectId)}::uuid[], ${asked.map(({ id }) => id)}::uuid[],
         ${asked.map(({ since }) => since)}::uuid[]) with ordinality as asked (project, id, since, position)`

/** What waits in the project, and a mark that changes when some of it moves. */
const waiting = sql<never>`
  lateral (select count(*) as rows
             from (select from deliveries where project_id = asked.project limit ${MAX_COUNTED}) counted) waiting
  cross join lateral (
    select md5(string_agg(concat_ws(' ', id, state, attempts, updated_at), ',')) as mark
      from ((select * from deliveries where project_id = asked.project order by project_id, email_id limit ${MAX_SAMPLED})
             union all
            (select * from deliveries where project_id = asked.project order by project_id desc, email_id desc
              limit ${MAX_SAMPLED})) ends) moving`

const project = sql<never>`asked.project`

/** Parts of the statement that other resources write. */
interface OverviewParts {
  flowOf(project: Query<never>): Query<never>
  presentMinute(project: Query<never>, most: number): Query<never>
}

/** The minute that runs, what waits, and how much leaves. */
export const overviews = (db: Db, asked: readonly Asked[], { flowOf, presentMinute }: OverviewParts) =>
  db.all(sql<Found>`
    select asked.position::int as position,
           minute.counts || jsonb_build_object('waiting', waiting.rows) as counts, minute.is_more as "isMore",
           ${flowOf(project)} as "leavingPerSecond", concat_ws(' ', newest.id, moving.mark) as mark
      from ${each(asked)}
     cross join ${presentMinute(project, MAX_ADDED_UP)} minute
      left join lateral (
             select id from emails where project_id = asked.project order by project_id desc, id desc limit 1) newest
        on true
     cross join ${waiting}`)

/** The pauses that count for the project, its own and those of the installation. Each of both has at most so many. */
const pauses = sql<never>`
  lateral (select concat_ws(' ', count(*), max(since)) as mark
             from ((select since from destination_holds where project_id = asked.project limit ${MAX_COUNTED})
                    union all
                   (select since from destination_holds where project_id is null limit ${MAX_COUNTED})) both_kinds) pauses`

export const queues = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, json_build_object('waiting', waiting.rows) as counts,
           concat_ws(' ', moving.mark, sending.held_since, pauses.mark) as mark
      from ${each(asked)}
     cross join sending
     cross join ${pauses}
     cross join ${waiting}`)

/** A mark of what notices are about: the project, sending, the pauses, the domains, the endpoints. */
export const notices = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position,
           concat_ws(' ', project.status, sending.held_since, pauses.mark, domains.mark, endpoints.mark) as mark
      from ${each(asked)}
      join projects project on project.id = asked.project
     cross join sending
     cross join ${pauses}
     cross join lateral (
             select md5(string_agg(concat_ws(' ', id, status), ',')) as mark
               from (select id, status from domains where project_id = asked.project and removed_at is null
                      order by project_id, id limit ${MAX_NOTICED}) few) domains
     cross join lateral (
             select md5(string_agg(concat_ws(' ', id, enabled, failing_since), ',')) as mark
               from (select id, enabled, failing_since from webhook_endpoints where project_id = asked.project
                      order by project_id, id limit ${MAX_NOTICED}) few) endpoints`)

/** A message is shown when it was read, which is not the order in which messages came. */
export const inboxes = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, newest.ids[1] as newest, md5(newest.ids::text) as mark
      from ${each(asked)}
     cross join lateral (
             select array_agg(id) as ids
               from (select id from received_emails where project_id = asked.project and shown_at is not null
                      order by project_id desc, id desc limit ${MAX_NEWEST}) few) newest`)

export const emailLists = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, newest.id as newest, more.rows as more
      from ${each(asked)}
      left join lateral (
             select id from emails where project_id = asked.project order by project_id desc, id desc limit 1) newest
        on true
     cross join lateral (
             select count(*) as rows
               from (select from emails where project_id = asked.project and id > asked.since
                      limit ${MAX_COUNTED}) counted) more`)

export const emails = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, email_status(email.project_id, email.id) as status, states.counts,
           concat_ws(' ', states.attempts, states.updated, happened.id) as mark
      from ${each(asked)}
      join emails email on email.id = asked.id and email.project_id = asked.project
     cross join lateral (
             select json_object_agg(state, rows) as counts, sum(attempts) as attempts, max(updated) as updated
               from (select state, count(*) as rows, sum(attempts) as attempts, max(updated_at) as updated
                       from recipient_states
                      where project_id = asked.project and email_id = asked.id
                      group by state) by_state) states
      left join lateral (
             select id from events where message_id = asked.id order by message_id desc, id desc limit 1) happened on true`)

export const broadcasts = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, broadcast.status,
           coalesce(to_jsonb(counts) - 'broadcast_id', '{}') as counts,
           concat_ws(' ', broadcast.version, broadcast.send_at, broadcast.fed, broadcast.problem) as mark
      from ${each(asked)}
      join broadcasts broadcast on broadcast.id = asked.id and broadcast.project_id = asked.project
      left join broadcast_counts counts on counts.broadcast_id = broadcast.id`)

export const imports = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, import.status,
           json_build_object('bytes', import.bytes, 'processedBytes', import.processed_bytes,
                             'processedRows', import.processed_rows, 'created', import.created,
                             'updated', import.updated, 'refused', import.refused) as counts
      from ${each(asked)}
      join contact_imports import on import.id = asked.id and import.project_id = asked.project`)

export const automations = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position,
           case when automation.enabled then 'enabled' else 'disabled' end as status, counts.counts,
           concat_ws(' ', automation.version, automation.updated_at) as mark
      from ${each(asked)}
      join automations automation
        on automation.id = asked.id and automation.project_id = asked.project and automation.deleted_at is null
     cross join lateral (
             select json_build_object('started', coalesce(sum(started), 0), 'waiting', coalesce(sum(waiting), 0),
                                      'completed', coalesce(sum(completed), 0), 'stopped', coalesce(sum(stopped), 0),
                                      'failed', coalesce(sum(failed), 0), 'emails', coalesce(sum(emails), 0)) as counts
               from automation_counts where automation_id = automation.id) counts`)

export const webhooks = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, case when endpoint.enabled then 'enabled' else 'disabled' end as status,
           json_build_object('pending', pending.rows) as counts,
           concat_ws(' ', endpoint.url, endpoint.failing_since, endpoint.failed_at, moving.mark, ended.id) as mark
      from ${each(asked)}
      join webhook_endpoints endpoint on endpoint.id = asked.id and endpoint.project_id = asked.project
     cross join lateral (
             select count(*) as rows
               from (select from webhook_deliveries where endpoint_id = endpoint.id limit ${MAX_COUNTED}) counted) pending
     cross join lateral (
             select md5(string_agg(concat_ws(' ', id, attempts), ',')) as mark
               from ((select id, attempts from webhook_deliveries where endpoint_id = endpoint.id
                       order by endpoint_id, id limit ${MAX_SAMPLED})
                      union all
                     (select id, attempts from webhook_deliveries where endpoint_id = endpoint.id
                       order by endpoint_id desc, id desc limit ${MAX_SAMPLED})) ends) moving
      left join lateral (
             select id from webhook_log where endpoint_id = endpoint.id order by endpoint_id desc, id desc limit 1) ended
        on true`)

export const domains = (db: Db, asked: readonly Asked[]) =>
  db.all(sql<Found>`
    select asked.position::int as position, domain.status,
           concat_ws(' ', domain.last_checked_at, domain.verified_at, domain.warning_since, md5(domain.seen::text),
                     domain.track_opens, domain.track_clicks, domain.tracking_host) as mark
      from ${each(asked)}
      join domains domain
        on domain.id = asked.id and domain.project_id = asked.project and domain.removed_at is null`)
