import type { DomainId, ProjectId, TemplateId, WebhookId } from '../../../core/ids.ts'
import type { Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import { mailCounts, OTHER_PROVIDER, type WebhookCount } from '../kinds.ts'
import { beginnings, MAIL_LATENCY_MS } from '../limits.ts'

const NOTHING = '00000000-0000-0000-0000-000000000000'

const source = sql<never>`
  case when email.broadcast_id is not null then 'broadcast' when email.run_id is not null then 'automation' else 'transactional' end`

/** As far as it is known where the mail of a domain goes. */
const providerOfDomain = (domain: Query<never>, providers: readonly string[]): Query<never> => sql<never>`
  coalesce((select site from mail_routes where mail_routes.domain = ${domain} and site = any(${providers}::text[])), ${OTHER_PROVIDER})`

/** An event that counts; the provider is null where no server was asked. */
export interface CountedEvent {
  id: string
  provider: string | null
  /** Of the recipient's address. */
  domain: string
}

/** A part of the statement that stores events: it finds them in `stored` and adds what they count. */
export const eventCounts = (counted: readonly CountedEvent[], providers: readonly string[]): Query<never> =>
  sql<never>`
    insert into statistics_added
      (project_id, at, domain_id, provider, source, template_id, tag, kind, latency, recipients)
    with happened as (
      select stored.project_id, date_trunc('minute', stored.at) as at, coalesce(email.domain_id, ${NOTHING}) as domain_id,
             coalesce(counted.provider, ${providerOfDomain(sql<never>`counted.domain`, providers)}) as provider, ${source} as source,
             coalesce((select template_id from contents where contents.id = email.content_id), ${NOTHING}) as template_id,
             substring(stored.kind from 7) as kind, email.tags,
             case stored.kind when 'email.delivered' then width_bucket(
               extract(epoch from stored.at - greatest(email.send_at, email.created_at))::float8 * 1000,
               ${beginnings(MAIL_LATENCY_MS)}::float8[]) end as latency
        from unnest(${counted.map(({ id }) => id)}::uuid[], ${counted.map(({ provider }) => provider)}::text[],
                    ${counted.map(({ domain }) => domain)}::text[]) as counted (id, provider, domain)
        join stored on stored.id = counted.id
       cross join lateral (select * from emails where id = stored.message_id offset 0) email
    )
    select project_id, at, domain_id, provider, source, template_id, '', kind, latency, count(*)
      from happened
     group by 1, 2, 3, 4, 5, 6, 8, 9
     union all
    select project_id, at, domain_id, provider, source, template_id, key || ':' || value, kind, latency, count(*)
      from happened
     cross join lateral jsonb_each_text(tags)
     where tags <> '{}'
     group by 1, 2, 3, 4, 5, 6, 7, 8, 9`

/** Recipients of accepted emails that are alike. */
export interface AcceptedRow {
  projectId: ProjectId
  at: Date
  domainId: DomainId | null
  source: string
  templateId: TemplateId | null
  /** '' for none. */
  tag: string
  domain: string
  recipients: number
}

export const addAccepted = (tx: Tx, rows: readonly AcceptedRow[], providers: readonly string[]): Promise<unknown> =>
  tx.run(sql`
    insert into statistics_added
      (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
    select project_id, date_trunc('minute', at), coalesce(domain_id, ${NOTHING}), ${providerOfDomain(sql<never>`accepted.domain`, providers)},
           source, coalesce(template_id, ${NOTHING}), tag, ${mailCounts[0]}, sum(recipients)
      from unnest(
        ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ domainId }) => domainId)}::uuid[], ${rows.map((row) => row.source)}::text[],
        ${rows.map(({ templateId }) => templateId)}::uuid[], ${rows.map(({ tag }) => tag)}::text[],
        ${rows.map(({ domain }) => domain)}::text[], ${rows.map((row) => row.recipients)}::int[])
        as accepted (project_id, at, domain_id, source, template_id, tag, domain, recipients)
     group by 1, 2, 3, 4, 5, 6, 7`)

/** Attempts, and deliveries that ended with one. */
export interface TriedRow {
  endpointId: WebhookId
  at: Date
  kind: WebhookCount
  latency: number | null
}

/** The project is the endpoint's. An endpoint that is gone is not counted any more. */
export const addTried = async (tx: Tx, rows: readonly TriedRow[]): Promise<void> => {
  await tx.run(sql`
    insert into webhook_statistics_added (project_id, at, endpoint_id, kind, latency, deliveries)
    select endpoint.project_id, date_trunc('minute', tried.at), endpoint.id, kind, latency, count(*)
      from unnest(
        ${rows.map(({ endpointId }) => endpointId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ kind }) => kind)}::text[], ${rows.map(({ latency }) => latency)}::smallint[])
        as tried (endpoint_id, at, kind, latency)
      join webhook_endpoints endpoint on endpoint.id = tried.endpoint_id
     group by 1, 2, 3, 4, 5`)
}
