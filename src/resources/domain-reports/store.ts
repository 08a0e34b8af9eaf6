import type { Db, Tx } from '../../storage/postgres.ts'
import { sql, type Query } from '../../storage/sql.ts'
import type { Grouping, SourceKind, TlsGroup } from './schema.ts'

export interface NewReport {
  domainId: string
  kind: 'dmarc' | 'tls'
  digest: Buffer
  reporter: string
  /** The domain that its mail is proven to come from; empty where nothing is proven. */
  sender: string
  /** Of the server that handed its mail over. */
  network: string
  reportId: string
  day: string
  rows: number
  /** How many addresses that were new the DNS is asked about for it. */
  asked: number
}

/** How many sums and new addresses reports have brought to these domains within a day, and from where. */
export const broughtToday = (tx: Tx, domains: readonly string[]) =>
  tx.all(sql<Pick<NewReport, 'domainId' | 'sender' | 'network' | 'rows' | 'asked'>>`
    select domain_id as "domainId", sender, network, sum(rows)::integer as rows, sum(asked)::integer as asked
      from domain_reports
     where domain_id = any(${domains}::uuid[]) and received_at > clock_now() - interval '1 day'
     group by 1, 2, 3`)

/**
 * Those of them that were never counted before; whoever counts the same one at the same time waits for our transaction.
 * In one order: two workers must not wait for each other in a circle. A day that is still to come is no report's.
 */
export const insertReports = (tx: Tx, reports: readonly NewReport[]) =>
  tx.all(sql<Pick<NewReport, 'domainId' | 'kind' | 'digest'>>`
    insert into domain_reports (domain_id, kind, digest, reporter, sender, network, report_id, day, rows, asked)
    select *
      from unnest(
        ${reports.map(({ domainId }) => domainId)}::uuid[], ${reports.map(({ kind }) => kind)}::text[],
        ${reports.map(({ digest }) => digest)}::bytea[], ${reports.map(({ reporter }) => reporter)}::text[],
        ${reports.map(({ sender }) => sender)}::text[], ${reports.map(({ network }) => network)}::text[],
        ${reports.map(({ reportId }) => reportId)}::text[],
        ${reports.map(({ day }) => day)}::date[], ${reports.map(({ rows }) => rows)}::integer[],
        ${reports.map(({ asked }) => asked)}::integer[])
        as given (domain_id, kind, digest, reporter, sender, network, report_id, day, rows, asked)
     where day <= (clock_now() at time zone 'UTC')::date + 2
     order by domain_id, kind, digest
    on conflict (domain_id, kind, digest) do nothing
    returning domain_id as "domainId", kind, digest`)

export interface NewDmarcSum {
  domainId: string
  day: string
  reporter: string
  sender: string
  source: string | null
  disposition: string
  dkimAligned: boolean
  spfAligned: boolean
  messages: number
}

/** Adds to what is there, in one order for all of them. */
export const addDmarcSums = (tx: Tx, sums: readonly NewDmarcSum[]) =>
  tx.run(sql`
    insert into dmarc_sums as known
      (domain_id, day, reporter, sender, source, disposition, dkim_aligned, spf_aligned, messages)
    select domain_id, day, reporter, sender, source::inet, disposition, dkim_aligned, spf_aligned, sum(messages)
      from unnest(
        ${sums.map(({ domainId }) => domainId)}::uuid[], ${sums.map(({ day }) => day)}::date[],
        ${sums.map(({ reporter }) => reporter)}::text[], ${sums.map(({ sender }) => sender)}::text[],
        ${sums.map(({ source }) => source)}::text[],
        ${sums.map(({ disposition }) => disposition)}::text[], ${sums.map(({ dkimAligned }) => dkimAligned)}::boolean[],
        ${sums.map(({ spfAligned }) => spfAligned)}::boolean[], ${sums.map(({ messages }) => messages)}::bigint[])
        as given (domain_id, day, reporter, sender, source, disposition, dkim_aligned, spf_aligned, messages)
     group by 1, 2, 3, 4, 5, 6, 7, 8
     order by 1, 2, 3, 4, 5, 6, 7, 8
    on conflict (domain_id, day, reporter, sender, source, disposition, dkim_aligned, spf_aligned) do update
       set messages = known.messages + excluded.messages`)

export interface NewTlsSum {
  domainId: string
  day: string
  reporter: string
  sender: string
  policy: string
  failure: string
  host: string
  sessions: number
}

export const addTlsSums = (tx: Tx, sums: readonly NewTlsSum[]) =>
  tx.run(sql`
    insert into tls_sums as known (domain_id, day, reporter, sender, policy, failure, host, sessions)
    select domain_id, day, reporter, sender, policy, failure, host, sum(sessions)
      from unnest(
        ${sums.map(({ domainId }) => domainId)}::uuid[], ${sums.map(({ day }) => day)}::date[],
        ${sums.map(({ reporter }) => reporter)}::text[], ${sums.map(({ sender }) => sender)}::text[],
        ${sums.map(({ policy }) => policy)}::text[],
        ${sums.map(({ failure }) => failure)}::text[], ${sums.map(({ host }) => host)}::text[],
        ${sums.map(({ sessions }) => sessions)}::bigint[])
        as given (domain_id, day, reporter, sender, policy, failure, host, sessions)
     group by 1, 2, 3, 4, 5, 6, 7
     order by 1, 2, 3, 4, 5, 6, 7
    on conflict (domain_id, day, reporter, sender, policy, failure, host) do update
       set sessions = known.sessions + excluded.sessions`)

export const knownSources = (tx: Tx, addresses: readonly string[]) =>
  tx.all(sql<{ address: string }>`
    select host(address) as address from dmarc_sources where address = any(${addresses}::text[]::inet[])`)

/** Addresses that a report names. What is ours is so at once; whose the others are is asked later. */
export const addSources = (tx: Tx, sources: readonly { address: string; ourName: string | null }[]) =>
  tx.run(sql`
    insert into dmarc_sources as known (address, kind, name)
    select address::inet, case when name is null then 'unknown' else 'ours' end, name
      from unnest(${sources.map(({ address }) => address)}::text[], ${sources.map(({ ourName }) => ourName)}::text[])
        as given (address, name)
     order by address::inet
    on conflict (address) do update
       set seen_at = excluded.seen_at,
           kind = case when excluded.kind = 'ours' then 'ours' else known.kind end,
           name = case when excluded.kind = 'ours' and known.kind <> 'ours' then excluded.name else known.name end`)

/** Those whose time has come, new ones first; of addresses that no report has named for a month nothing more is asked. */
export const sourcesToName = (db: Db, most: number) =>
  db.all(sql<{ address: string }>`
    (${due(false)} limit ${most}) union all (${due(true)} limit ${most}) limit ${most}`)

const due = (asked: boolean): Query<never> => sql<never>`
  select host(address) as address
    from dmarc_sources
   where asked = ${asked} and ask_at <= clock_now() and seen_at > clock_now() - interval '1 month'
   order by ask_at`

export interface NamedSource {
  address: string
  kind: SourceKind
  name: string | null
  /** The DNS gave no answer. */
  isUncertain: boolean
}

/**
 * Where the DNS did not say whose an address is, what it said before stays, and it is asked again after a day, a week and
 * then every month. Locks are taken in the order of `addSources`.
 */
export const nameSources = (db: Db, named: readonly NamedSource[]) =>
  db.run(sql`
    with locked as materialized (
      select address from dmarc_sources
       where address = any(${named.map(({ address }) => address)}::text[]::inet[])
       order by address for update
    )
    update dmarc_sources source
       set kind = case when given.kind = 'unknown' then source.kind else given.kind end,
           name = case when given.kind = 'unknown' then source.name else given.name end,
           asked = true,
           unanswered = case when uncertain then least(unanswered + 1, 3) else 0 end,
           ask_at = clock_now()
             + make_interval(days => case when uncertain then (array[1, 7, 30])[least(unanswered + 1, 3)] else 30 end)
      from unnest(
        ${named.map(({ address }) => address)}::text[], ${named.map(({ kind }) => kind)}::text[],
        ${named.map(({ name }) => name)}::text[], ${named.map(({ isUncertain }) => isUncertain)}::boolean[])
        as given (address, kind, name, uncertain)
      join locked on locked.address = given.address::inet
     where source.address = locked.address`)

export interface Days {
  from: string
  to: string
}

const within = (domain: string, { from, to }: Days): Query<never> =>
  sql<never>`domain_id = ${domain} and day between ${from}::date and ${to}::date`

export const countReports = (db: Db, domain: string, kind: 'dmarc' | 'tls', days: Days) =>
  db.one(sql<{ all: number; unproven: number }>`
    select count(*) as all, count(*) filter (where sender = '') as unproven
      from domain_reports
     where kind = ${kind} and ${within(domain, days)}`)

export interface DmarcGroupRow {
  key: string | null
  kind: SourceKind | null
  name: string | null
  proven: boolean
  messages: number
  dkimAligned: number
  spfAligned: number
  none: number
  quarantine: number
  reject: number
}

/**
 * Of a domain that the project has. What is proven comes first, so that the largest lies cannot push it out of the groups
 * that are answered.
 */
export const dmarcGroups = (db: Db, domain: string, days: Days, groupBy: Grouping, most: number) =>
  db.all(sql<DmarcGroupRow>`
    with groups as (
      select ${groupOf[groupBy]} as key, case when ${groupBy} = 'reporter' then sender end as sender, sender <> '' as proven,
             ${counts}
        from dmarc_sums
       where ${within(domain, days)}
       group by 1, 2, 3
    ), placed as (
      select *, row_number() over (order by key is null, proven desc, messages desc, key, sender) as place from groups
    ), kept as (
      select case when place <= ${most} then key end as key, case when place <= ${most} then sender end as sender, proven,
             sum(messages) as messages, sum(aligned_dkim) as aligned_dkim,
             sum(aligned_spf) as aligned_spf, sum(none) as none, sum(quarantine) as quarantine, sum(reject) as reject
        from placed
       group by 1, 2, 3
    )
    select key, source.kind, coalesce(source.name, nullif(sender, '')) as name, proven, messages::bigint, aligned_dkim::bigint as "dkimAligned",
           aligned_spf::bigint as "spfAligned", none::bigint, quarantine::bigint, reject::bigint
      from kept
      left join dmarc_sources source on ${groupBy} = 'source' and address = case when ${groupBy} = 'source' then key::inet end
     order by case when ${groupBy} = 'day' then key end, key is null, proven desc, messages desc, key, sender`)

const groupOf: Readonly<Record<Grouping, Query<never>>> = {
  source: sql<never>`host(source)`,
  reporter: sql<never>`reporter`,
  day: sql<never>`day::text`,
}

const counts = sql<never>`
  sum(messages) as messages,
  coalesce(sum(messages) filter (where dkim_aligned), 0) as aligned_dkim,
  coalesce(sum(messages) filter (where spf_aligned), 0) as aligned_spf,
  coalesce(sum(messages) filter (where disposition = 'none'), 0) as none,
  coalesce(sum(messages) filter (where disposition = 'quarantine'), 0) as quarantine,
  coalesce(sum(messages) filter (where disposition = 'reject'), 0) as reject`

/** By what is proven. */
export const dmarcTotals = (db: Db, domain: string, days: Days) =>
  db.one(sql<{ messages: number; failed: number }>`
    select coalesce(sum(messages), 0)::bigint as messages,
           coalesce(sum(messages) filter (where not dkim_aligned and not spf_aligned), 0)::bigint as failed
      from dmarc_sums
     where ${within(domain, days)} and sender <> ''`)

/** Where messages came from that were aligned in neither way, by what is proven. */
export const failedSources = (db: Db, domain: string, days: Days, most: number) =>
  db.all(sql<{ key: string | null; kind: SourceKind | null; name: string | null; messages: number }>`
    select host(source) as key, kind, name, sum(messages)::bigint as messages
      from dmarc_sums
      left join dmarc_sources on address = source
     where ${within(domain, days)} and sender <> '' and not dkim_aligned and not spf_aligned
     group by source, kind, name
     order by 4 desc, 1
     limit ${most}`)

/** Of all sources, the ones beyond those that `failedSources` answers included. */
export const failedByKind = (db: Db, domain: string, days: Days) =>
  db.all(sql<{ kind: SourceKind; messages: number }>`
    select coalesce(kind, 'unknown') as kind, sum(messages)::bigint as messages
      from dmarc_sums
      left join dmarc_sources on address = source
     where ${within(domain, days)} and sender <> '' and not dkim_aligned and not spf_aligned
     group by 1`)

/** Of each group the failures with the most sessions; `failed` counts all of them. */
export const tlsGroups = (db: Db, domain: string, days: Days, most: { groups: number; failures: number }) =>
  db.all(sql<TlsGroup>`
    with placed as (
      select *, row_number() over (partition by day, reporter, sender, policy, failure = '' order by sessions desc, failure, host) as place
        from tls_sums
       where ${within(domain, days)}
    )
    select day::text, reporter, sender <> '' as proven, policy,
           coalesce(sum(sessions) filter (where failure = ''), 0)::bigint as successful,
           coalesce(sum(sessions) filter (where failure <> ''), 0)::bigint as failed,
           coalesce(json_agg(json_build_object('type', failure, 'host', nullif(host, ''), 'sessions', sessions)
                             order by place) filter (where failure <> '' and place <= ${most.failures}), '[]') as failures
      from placed
     group by day, reporter, sender, policy
     order by day desc, sender = '', reporter, sender, policy
     limit ${most.groups}`)

/** What is older than this many days. Reports go with their sums, so an old one that comes again is counted again. */
export const forget = async (tx: Tx, days: number): Promise<void> => {
  const before = sql<never>`(clock_now() at time zone 'UTC')::date - ${days}::integer`
  await tx.run(sql`delete from dmarc_sums where day < ${before}`)
  await tx.run(sql`delete from tls_sums where day < ${before}`)
  await tx.run(sql`delete from domain_reports where day < ${before}`)
  await tx.run(sql`delete from dmarc_sources where seen_at < clock_now() - make_interval(days => ${days})`)
}
