import type { ProjectStatus } from '../../../core/caller.ts'
import type { DomainId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Domain, KeyAlgorithm, Tracking, TrackingChange } from '../schema.ts'

/** With every key whose record should be in the DNS: a retired one's for a week, which no mail is under way longer. */
const columns = sql`
  id, project_id as "projectId", name, status, seen, track_opens as "trackOpens", track_clicks as "trackClicks",
  tracking_host as "trackingHost", report_token as "reportToken", created_at as "createdAt", verified_at as "verifiedAt",
  last_checked_at as "lastCheckedAt", next_check_at as "nextCheckAt", name_servers as "nameServers",
  clock_now()::text as "readAt",
  array(
    select json_build_object('selector', selector, 'algorithm', algorithm, 'record', record, 'state', state,
                             'createdAt', created_at, 'keepUntil', retired_at + interval '7 days')
      from domain_keys
     where domain_id = domains.id
       and (retired_at is null or retired_at > clock_now() - interval '7 days')
     order by created_at, algorithm desc
  ) as keys`

/** A domain that lacks a record goes on sending for a day, in warning. */
export const table = {
  name: 'domains',
  columns,
  missingSince: 'warning_since',
  statusWhileMissing: 'warning',
  oneHolder: 'domains_one_owner',
}

/** False when the project has the name already. */
export const insert = async (tx: Tx, project: ProjectId, id: DomainId, name: string, tracking: Tracking) => {
  const inserted = await tx.run(sql`
    insert into domains (id, project_id, name, track_opens, track_clicks, tracking_host)
    values (${id}, ${project}, ${name}, ${tracking.opens}, ${tracking.clicks}, ${tracking.host})
    on conflict (project_id, name) where removed_at is null do nothing`)
  return inserted === 1
}

/** Counts sending and receiving domains. Those of archived projects are left out: their owners cannot remove them. */
export const countAll = (tx: Tx, workspace: WorkspaceId) =>
  tx.one(sql<{ count: number }>`
    select count(*) as count
      from projects
      join (select project_id from domains where removed_at is null
             union all
            select project_id from receiving_domains where removed_at is null) as all_domains
        on all_domains.project_id = projects.id
     where workspace_id = ${workspace}
       and status <> 'archived'`)

export const updateTracking = (tx: Tx, project: ProjectId, id: DomainId, tracking: TrackingChange) =>
  tx.maybeOne(sql<Domain>`
    update domains
       set track_opens = coalesce(${tracking.opens}, track_opens),
           track_clicks = coalesce(${tracking.clicks}, track_clicks),
           tracking_host = case when ${tracking.host !== undefined} then ${tracking.host ?? null} else tracking_host end
     where project_id = ${project} and id = ${id} and removed_at is null
    returning ${columns}`)

/** Checks the domain soon and often again, when there is a new record to look for. */
export const watch = (tx: Tx, project: ProjectId, id: DomainId) =>
  tx.maybeOne(sql<Domain>`
    update domains
       set watched_until = clock_now() + interval '72 hours',
           next_check_at = least(next_check_at, clock_now() + interval '5 minutes')
     where project_id = ${project} and id = ${id} and removed_at is null
    returning ${columns}`)

/** The owner of a verified domain, and how its mail is tracked unless it says otherwise. */
export interface Owner {
  domainId: DomainId
  projectId: ProjectId
  projectStatus: ProjectStatus
  trackOpens: boolean
  trackClicks: boolean
}

export const owners = (db: Db, workspace: WorkspaceId, names: readonly string[]) =>
  db.all(sql<Owner & { name: string }>`
    select domains.name, domains.id as "domainId", project_id as "projectId", projects.status as "projectStatus",
           track_opens as "trackOpens", track_clicks as "trackClicks"
      from domains
      join projects on projects.id = project_id
     where workspace_id = ${workspace}
       and domains.name = any(${names})
       and domains.status in ('verified', 'warning')
       and removed_at is null`)

/** Of verified domains only: nobody shuts a door under a name that is not theirs. */
export const trackingHosts = (db: Db) =>
  db.all(sql<{ host: string }>`
    select distinct tracking_host as host
      from domains
     where tracking_host is not null
       and status in ('verified', 'warning')
       and removed_at is null`)

export interface NewKey {
  selector: string
  algorithm: KeyAlgorithm
  record: string
  /** Sealed. */
  privateKey: Buffer
}

/** False when a key of this kind waits for its record already. */
export const insertKey = async (tx: Tx, domain: DomainId, key: NewKey): Promise<boolean> => {
  const inserted = await tx.run(sql`
    insert into domain_keys (domain_id, selector, algorithm, record, private_key)
    values (${domain}, ${key.selector}, ${key.algorithm}, ${key.record}, ${key.privateKey})
    on conflict (domain_id, algorithm) where state = 'pending' do nothing`)
  return inserted === 1
}

export interface SpareKey {
  /** Its own, not a domain's. */
  id: DomainId
  record: string
  /** Sealed. */
  privateKey: Buffer
}

export const countSpareKeys = (db: Db) => db.one(sql<{ count: number }>`select count(*) as count from spare_dkim_keys`)

export const insertSpareKey = (db: Db, { id, record, privateKey }: SpareKey) =>
  db.run(sql`insert into spare_dkim_keys (id, record, private_key) values (${id}, ${record}, ${privateKey})`)

/** Undefined when there is no spare key, or all of them are locked by other transactions. */
export const takeSpareKey = (tx: Tx) =>
  tx.maybeOne(sql<SpareKey>`
    delete from spare_dkim_keys
     where id = (select id from spare_dkim_keys order by id limit 1 for update skip locked)
    returning id, record, private_key as "privateKey"`)

/** In the transaction that records the check. */
export const setNameServers = (tx: Tx, project: ProjectId, id: DomainId, nameServers: readonly string[]) =>
  tx.run(sql`
    update domains set name_servers = ${nameServers}::text[] where project_id = ${project} and id = ${id} and removed_at is null`)

/** A waiting key whose record is published takes over; its predecessor signs no more. */
export async function activateKeys(tx: Tx, domain: DomainId, published: readonly string[]): Promise<void> {
  await tx.run(sql`
    update domain_keys old
       set state = 'retired', retired_at = clock_now()
      from domain_keys new
     where old.domain_id = ${domain}
       and old.state = 'active'
       and new.domain_id = old.domain_id
       and new.algorithm = old.algorithm
       and new.state = 'pending'
       and new.selector = any(${published})`)
  await tx.run(sql`
    update domain_keys set state = 'active'
     where domain_id = ${domain} and state = 'pending' and selector = any(${published})`)
}

/** The keys that sign. Those of removed domains too: their mail may still be under way. */
export const activeKeys = (db: Db, domain: DomainId) =>
  db.all(sql<{ domain: string; selector: string; privateKey: Buffer }>`
    select domains.name as domain, selector, private_key as "privateKey"
      from domain_keys
      join domains on domains.id = domain_id
     where domain_id = ${domain}
       and state = 'active'
     order by algorithm desc`)
