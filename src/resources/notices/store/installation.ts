/** The questions about the installation. They name no project: `service.ts` asks them for callers of the whole workspace only. */
import { sql, type Query } from '../../../storage/sql.ts'
import { MAX_FOUND } from '../limits.ts'
import type { About, Row } from '../schema.ts'

/** A node that is silent for longer was taken away; see `limits.ts` of the installation. */
const known = sql<never>`seen_at > clock_now() - interval '24 hours'`
const isSilent = sql<never>`seen_at < clock_now() - interval '10 minutes'`

/** As long as no domain is verified, how mail would leave is of no interest. */
const hasDomain = sql<never>`
  exists (select from domains where status in ('verified', 'warning') and removed_at is null)`

export const installationQuestions = {
  role_down: () => sql<Row>`
    select null::uuid as id, role.role || ' on ' || nodes.name as name,
           case when ${isSilent} then seen_at else role.since end as since,
           role.role || ' on ' || nodes.name as detail, 0 as number
      from nodes
     cross join lateral jsonb_to_recordset(roles) as role (role text, up boolean, since timestamptz)
     where ${known}
       and (${isSilent} or (not role.up and role.since < clock_now() - interval '1 minute'))
     order by since
     limit ${MAX_FOUND}`,

  role_restarting: () => sql<Row>`
    select null::uuid as id, role.role || ' on ' || nodes.name as name, restarts.since,
           role.role || ' on ' || nodes.name as detail, restarts.number
      from nodes
     cross join lateral jsonb_to_recordset(roles) as role (role text, "restartedAt" jsonb)
     cross join lateral (
             select min(at::timestamptz) as since, count(*) as number
               from jsonb_array_elements_text(role."restartedAt") as restart (at)
              where at::timestamptz > clock_now() - interval '1 hour') restarts
     where ${known}
       and restarts.number > 3
     order by since
     limit ${MAX_FOUND}`,

  disk_low: () => sql<Row>`
    select null::uuid as id, name, disk_low_since as since, '' as detail,
           floor(100.0 * disk_free_bytes / disk_total_bytes)::int as number
      from nodes
     where ${known}
       and not ${isSilent}
       and disk_low_since is not null
     order by since
     limit ${MAX_FOUND}`,

  database_busy: () => sql<Row>`
    select null::uuid as id, '' as name, database_full_since as since,
           (database ->> 'connections') || ' of ' || (database ->> 'limit') as detail, 0 as number
      from installation
     where database_full_since is not null`,

  port_25_blocked: () => sql<Row>`
    select null::uuid as id, hostname as name, outgoing_since as since, '' as detail, 0 as number
      from node_hosts
     where looked_at > clock_now() - interval '24 hours'
       and outgoing = 'blocked'
       and ${hasDomain}
     order by since
     limit ${MAX_FOUND}`,

  host_name_wrong: () => sql<Row>`
    select null::uuid as id, hostname as name, name_since as since,
           coalesce((select string_agg(each ->> 'address', ', ')
                       from jsonb_array_elements(addresses) as each
                      where not (each -> 'matches')::boolean), '') as detail,
           0 as number
      from node_hosts
     where looked_at > clock_now() - interval '24 hours'
       and not has_name
       and outgoing <> 'relay'
       and ${hasDomain}
     order by since
     limit ${MAX_FOUND}`,

  certificate_ending: () => sql<Row>`
    select null::uuid as id, name, certificate_ends_at - interval '14 days' as since,
           to_char(certificate_ends_at at time zone 'UTC', 'YYYY-MM-DD') as detail, 0 as number
      from nodes
     where ${known}
       and certificate_ends_at < clock_now() + interval '14 days'
     order by since
     limit ${MAX_FOUND}`,

  public_url_insecure: ({ workspaceId, facts }) => sql<Row>`
    select null::uuid as id, ${facts.publicUrl}::text as name, created_at as since, '' as detail, 0 as number
      from workspaces
     where id = ${workspaceId}
       and not starts_with(${facts.publicUrl}, 'https:')`,

  master_key_not_backed_up: ({ workspaceId, facts }) => sql<Row>`
    select null::uuid as id, '' as name, created_at as since, '' as detail, 0 as number
      from workspaces
     where id = ${workspaceId}
       and not ${facts.hasGivenMasterKey}::boolean
       and exists (select from installation where backup_noted_at is null)`,

  operator_mail: () => sql<Row>`
    select null::uuid as id, recipient as name, received_at as since,
           coalesce(nullif(envelope_from, ''), 'a mail server') as detail, 0 as number
      from (select recipient, operator_mail.received_at, envelope_from
              from operator_mail
              join received_messages on received_messages.id = message_id
             order by operator_mail.id desc
             limit ${MAX_FOUND}) newest
     where received_at > clock_now() - interval '7 days'
     order by since`,
} as const satisfies Record<string, (about: About) => Query<Row>>
