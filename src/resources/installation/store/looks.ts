/** What is written in the background. All of it is about the installation and names no project. */
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import { FORGOTTEN_AFTER_HOURS, MIN_FREE_SHARE, MAX_CONNECTIONS_SHARE } from '../limits.ts'
import type { HostAddress, NodeRow, Outgoing } from '../schema.ts'

/** Of several workers that look at once, the first does; the others find that it has been done. */
export const lookAtDatabase = (db: Db) =>
  db.run(sql`
    update installation
       set database = looked.facts,
           database_looked_at = clock_now(),
           database_full_since = case when looked.is_full then coalesce(database_full_since, clock_now()) end
      from (select jsonb_build_object(
                     'version', split_part(current_setting('server_version'), ' ', 1),
                     'connections', used, 'limit', most, 'sizeBytes', pg_database_size(current_database())) as facts,
                   used > most * ${MAX_CONNECTIONS_SHARE}::float8 as is_full
              from (select (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
                           current_setting('max_connections')::int
                             - current_setting('superuser_reserved_connections')::int as most) counted) looked
     where database_looked_at is null
        or database_looked_at < clock_now() - interval '4 minutes'
        or database_looked_at > clock_now()`)

/**
 * Whether this node may try if mail gets out: there is a domain to send for, sending is on, and the last try is long
 * enough ago. What works is tried once a day.
 */
export const hostDue = (db: Db, nodeId: string) =>
  db.one(sql<{ mayProbe: boolean }>`
    select sending_is_on()
           and exists (select from domains where status in ('verified', 'warning') and removed_at is null)
           and not exists (
                 select
                   from node_hosts
                  where id = ${nodeId}
                    and outgoing_at > clock_now() - case outgoing when 'open' then interval '24 hours'
                                                                  when 'blocked' then interval '15 minutes'
                                                                  else interval '1 hour' end) as "mayProbe"`)

/** What the worker could not see this time stays as it was seen before. */
export const storeHost = (
  db: Db,
  nodeId: string,
  look: { hostname: string; addresses: readonly HostAddress[] | undefined; outgoing: Outgoing | undefined },
) => {
  const addresses = look.addresses === undefined ? null : JSON.stringify(look.addresses)
  const hasName = look.addresses && look.addresses.length > 0 && look.addresses.every(({ matches }) => matches)
  const outgoing = look.outgoing ?? null
  return db.run(sql`
    insert into node_hosts as known (id, hostname, addresses, has_name, name_since, outgoing, outgoing_since, outgoing_at)
    values (${nodeId}, ${look.hostname}, coalesce(${addresses}::jsonb, '[]'), coalesce(${hasName ?? null}::boolean, true), clock_now(),
            coalesce(${outgoing}::text, 'unknown'), clock_now(), case when ${outgoing}::text is not null then clock_now() end)
    on conflict (id) do update
       set hostname = excluded.hostname,
           addresses = coalesce(${addresses}::jsonb, known.addresses),
           has_name = coalesce(${hasName ?? null}::boolean, known.has_name),
           name_since = case when coalesce(${hasName ?? null}::boolean, known.has_name) = known.has_name
                             then known.name_since else clock_now() end,
           outgoing = coalesce(${outgoing}::text, known.outgoing),
           outgoing_since = case when coalesce(${outgoing}::text, known.outgoing) = known.outgoing
                                 then known.outgoing_since else clock_now() end,
           outgoing_at = case when ${outgoing}::text is null then known.outgoing_at else clock_now() end,
           looked_at = clock_now()`)
}

/** Whoever reports also forgets the nodes that have been silent for a day. */
export const storeNode = (db: Db, node: Omit<NodeRow, 'seenAt' | 'isSilent'>) => {
  const { diskFreeBytes: free, diskTotalBytes: total } = node
  const isLow = free !== null && total !== null && free < total * MIN_FREE_SHARE
  return db.run(sql`
      with forgotten as (
        delete from nodes
         where id <> ${node.id}
           and seen_at < clock_now() - ${FORGOTTEN_AFTER_HOURS} * interval '1 hour'),
           hosts as (
        delete from node_hosts
         where id <> ${node.id}
           and looked_at < clock_now() - ${FORGOTTEN_AFTER_HOURS} * interval '1 hour')
    insert into nodes as known (id, name, version, started_at, roles, disk_free_bytes, disk_total_bytes, disk_low_since,
                                certificate_ends_at)
    values (${node.id}, ${node.name}, ${node.version}, ${node.startedAt}, ${JSON.stringify(node.roles)}::jsonb, ${free}, ${total},
            case when ${isLow}::boolean then clock_now() end, ${node.certificateEndsAt})
    on conflict (id) do update
       set name = excluded.name, version = excluded.version, started_at = excluded.started_at, roles = excluded.roles,
           disk_free_bytes = excluded.disk_free_bytes, disk_total_bytes = excluded.disk_total_bytes,
           disk_low_since = case when ${isLow}::boolean then coalesce(known.disk_low_since, clock_now()) end,
           certificate_ends_at = excluded.certificate_ends_at, seen_at = clock_now()`)
}

export const forgetNode = (db: Db, id: string) =>
  db.run(sql`with host as (delete from node_hosts where id = ${id}) delete from nodes where id = ${id}`)
