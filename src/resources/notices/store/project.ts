/** The questions about a project. What is found is in the order of how long it has been so. */
import type { ProjectId } from '../../../core/ids.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import { MAX_FOUND } from '../limits.ts'
import type { About, Row } from '../schema.ts'

export const projectQuestions = {
  sending_held: () => sql<Row>`
    select null::uuid as id, '' as name, held_since as since, held_because as detail, 0 as number
      from sending
     where held_since is not null`,

  destination_unreachable: (project) => troubled(project, sql<never>`is_out_of_reach`),

  destination_slowed: (project) => troubled(project, sql<never>`not is_out_of_reach`),

  destination_paused: (project) => sql<Row>`
    select null::uuid as id, destination as name, min(since) as since,
           coalesce((array_agg(because order by project_id))[1], '') as detail, 0 as number
      from destination_holds
     where project_id = ${project}
        or project_id is null
     group by destination
     order by since
     limit ${MAX_FOUND}`,

  domain_record_lost: (project) => sql<Row>`
    select id, name, coalesce(warning_since, last_checked_at, created_at) as since, status as detail, 0 as number
      from domains
     where project_id = ${project}
       and status in ('warning', 'failed')
       and verified_at is not null
       and removed_at is null
     order by since
     limit ${MAX_FOUND}`,

  domain_unverified: (project) => sql<Row>`
    select id, name, created_at as since, '' as detail, 0 as number
      from domains
     where project_id = ${project}
       and status in ('pending', 'failed')
       and verified_at is null
       and removed_at is null
       and created_at < clock_now() - interval '3 days'
     order by since
     limit ${MAX_FOUND}`,

  bounces_high: (project) => rateAbove(project, { state: 'bounced', percent: 2 }),

  complaints_high: (project) => rateAbove(project, { state: 'filteredspam', percent: 0.1 }),

  webhook_disabled: (project) => sql<Row>`
    select id, url as name, coalesce(failed_at, failing_since, created_at) as since, disabled_reason as detail, 0 as number
      from webhook_endpoints
     where project_id = ${project}
       and not enabled
       and disabled_reason is not null
     order by since
     limit ${MAX_FOUND}`,

  webhook_failing: (project) => sql<Row>`
    select id, url as name, failing_since as since, '' as detail, 0 as number
      from webhook_endpoints
     where project_id = ${project}
       and enabled
       and failing_since < clock_now() - interval '10 minutes'
     order by since
     limit ${MAX_FOUND}`,

  broadcast_returned: (project) => sql<Row>`
    select id, coalesce(name, subject, 'without a name') as name, coalesce(problem_since, created_at) as since,
           problem as detail, 0 as number
      from broadcasts
     where project_id = ${project}
       and problem is not null
       and status = 'draft'
     order by since
     limit ${MAX_FOUND}`,

  // What the present version does: whoever mends an automation makes a new one, and the old failures are over.
  automation_failing: (project) => sql<Row>`
    select automation.id, automation.name, failed.since, failed.step as detail, failed.runs as number
      from (select id, name, version
              from automations
             where project_id = ${project}
               and deleted_at is null
               and enabled
             order by project_id, id
             limit ${MAX_FOUND}) automation
     cross join lateral (
             select min(finished_at) as since, count(*) as runs, coalesce((array_agg(step_id order by id desc))[1], 'end') as step
               from (select id, finished_at, step_id, version
                       from automation_runs
                      where automation_id = automation.id
                        and status = 'failed'
                      order by automation_id, status, id desc
                      limit ${MAX_FOUND}) newest
              where finished_at > clock_now() - interval '24 hours'
                and version = automation.version) failed
     where failed.runs > 0
     order by failed.since`,

  quota_nearly_used: (project) => sql<Row>`
    select null::uuid as id, '' as name, starts_on::timestamp at time zone 'UTC' as since, period as detail,
           floor(100.0 * used / greatest(quota, 1))::int as number
      from (select period, starts_on, used, case period when 'day' then emails_per_day else emails_per_month end as quota
              from quota_usage
              join projects on projects.id = project_id
             where project_id = ${project}
               and starts_on = date_trunc(period, clock_now() at time zone 'UTC')::date) counted
     where used > quota * 0.9
     order by number desc`,

  // A workspace key is shown to those only who can see it.
  key_expiring: (project, { workspaceId, isWorkspace }) => sql<Row>`
    select id, name, expires_at - interval '14 days' as since,
           to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD') as detail, 0 as number
      from api_keys
     where workspace_id = ${workspaceId}
       and (project_id = ${project} or (${isWorkspace}::boolean and project_id is null))
       and revoked_at is null
       and expires_at > clock_now()
       and expires_at < clock_now() + interval '14 days'
     order by expires_at
     limit ${MAX_FOUND}`,
} as const satisfies Record<string, (project: ProjectId, about: About) => Query<Row>>

/** So many destinations that mail of a project waits for are looked at, and so many rows to find out. */
const MAX_AWAITED = 1_000
const MAX_LOOKED_AT = 1_000

/** What the workers say of destinations that mail of the project waits for and that are not paused. */
const troubled = (project: ProjectId, which: Query<never>) => sql<Row>`
  with recursive later as (
    select ${nextLater(project, sql<never>`''`)} as destination, 1 as place
     union all
    select ${nextLater(project, sql<never>`later.destination`)}, place + 1
      from later
     where destination is not null
       and place < ${MAX_AWAITED}
  ), awaited as (
    select destination
      from later
     where exists (select from (select lease_no
                                  from deliveries q
                                 where q.state = 'waiting' and q.project_id = ${project} and q.destination = later.destination
                                 limit ${MAX_LOOKED_AT}) few
                    where lease_no > 0)
     union
    select destination
      from (select destination, state
              from deliveries
             where project_id = ${project}
             order by project_id, email_id
             limit ${MAX_LOOKED_AT}) oldest
     where state = 'ready'
  )
  select null::uuid as id, destination as name, since, '' as detail, 0 as number
    from awaited
   cross join lateral (
           select min(coalesce(since, clock_now())) as since,
                  bool_or((suspended_until > clock_now() or on_trial)
                          and (last_reply ->> 'stage' = 'dns'
                               or (last_reply ->> 'code' is null and last_reply ->> 'stage' not in ('dot', 'body')))) is true
                    as is_out_of_reach
             from destination_states
            where destination_states.destination = awaited.destination
              and (suspended_until > clock_now() or on_trial or connection_limit is not null or per_minute is not null)) known
   where since is not null
     and ${which}
     and not exists (select from destination_holds h
                      where h.destination = awaited.destination and (h.project_id is null or h.project_id = ${project}))
   order by since
   limit ${MAX_FOUND}`

/**
 * The destinations of mail that is due later, one by one, each found by the index: a project may have a million mails for few of
 * them. Those of scheduled mail, which was never tried, are among them.
 */
const nextLater = (project: ProjectId, after: Query<never>) => sql<never>`
  (select destination
     from deliveries
    where state = 'waiting'
      and project_id = ${project}
      and destination > ${after}
    order by state, project_id, destination
    limit 1)`

/** So many of the newest recipients count, of a day at most; of fewer than these nothing can be said in percent. */
const MAX_COUNTED = 1_000
const MIN_COUNTED = 50
const MIN_OCCURRED = 2

/** The newest emails lead to their recipients: nothing else knows the order in which these ended. */
const rateAbove = (project: ProjectId, { state, percent }: { state: string; percent: number }) => sql<Row>`
  select null::uuid as id, '' as name, since, round(100.0 * occurred / finished, 1)::text as detail, occurred as number
    from (select count(*) as finished,
                 count(*) filter (where state = ${state}) as occurred,
                 min(updated_at) filter (where state = ${state}) as since
            from (select recipients.state, recipients.updated_at
                    from (select id, created_at
                            from emails
                           where project_id = ${project}
                           order by project_id desc, id desc
                           limit ${MAX_COUNTED}) newest
                    join recipients on recipients.email_id = newest.id
                   where newest.created_at > clock_now() - interval '24 hours'
                     and recipients.state not in ('suppressed', 'cancelled')
                   limit ${MAX_COUNTED}) counted) rates
   where finished >= ${MIN_COUNTED}
     and occurred >= ${MIN_OCCURRED}
     and 100.0 * occurred > ${percent}::numeric * finished`
