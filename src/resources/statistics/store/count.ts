import type { CountEvents, NewEvent } from '../../../events/publish.ts'
import { domainOf } from '../../../mail/address.ts'
import { providerOf, providers } from '../../../mail/replies/providers.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { CountAccepted, CountedRecipient } from '../../emails/index.ts'
import type { CountTried } from '../../webhooks/index.ts'
import { mailCounts, OTHER_PROVIDER } from '../kinds.ts'
import { beginnings, MAIL_LATENCY_MS, WEBHOOK_LATENCY_MS } from '../limits.ts'

const NOTHING = '00000000-0000-0000-0000-000000000000'

const source = sql<never>`
  case when email.broadcast_id is not null then 'broadcast' when email.run_id is not null then 'automation' else 'transactional' end`

/** As far as it is known where the mail of a domain goes. */
const providerOfDomain = (domain: Query<never>): Query<never> => sql<never>`
  coalesce((select site from mail_routes where mail_routes.domain = ${domain} and site = any(${providers}::text[])), ${OTHER_PROVIDER})`

/**
 * A part of the statement that stores events: it finds them in `stored` and adds what they count. What happened before
 * (another deferral of the same recipient, a machine that opened the mail) was counted then, or never is.
 */
export const countEvents: CountEvents = (events, ids) => {
  const counted = events.flatMap((event, i) =>
    event.position === undefined || event.isRepeated === true ? [] : [{ ...event, id: ids[i] }],
  )
  return sql<never>`
    insert into statistics_added
      (project_id, at, domain_id, provider, source, template_id, tag, kind, latency, recipients)
    with happened as (
      select stored.project_id, date_trunc('minute', stored.at) as at, coalesce(email.domain_id, ${NOTHING}) as domain_id,
             coalesce(counted.provider, ${providerOfDomain(sql<never>`counted.domain`)}) as provider, ${source} as source,
             coalesce((select template_id from contents where contents.id = email.content_id), ${NOTHING}) as template_id,
             substring(stored.kind from 7) as kind, email.tags,
             case stored.kind when 'email.delivered' then width_bucket(
               extract(epoch from stored.at - greatest(email.send_at, email.created_at))::float8 * 1000,
               ${beginnings(MAIL_LATENCY_MS)}::float8[]) end as latency
        from unnest(${counted.map(({ id }) => id)}::uuid[], ${counted.map(providerIn)}::text[],
                    ${counted.map(({ recipient }) => domainOf(recipient))}::text[]) as counted (id, provider, domain)
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
}

/** A server that answered says whose it is; null where nobody was asked. */
const providerIn = ({ smtp }: NewEvent): string | null =>
  smtp?.host === undefined ? null : (providerOf(smtp.host) ?? OTHER_PROVIDER)

export const countAccepted: CountAccepted = async (tx, recipients) => {
  const rows = alike(recipients)
  if (rows.length === 0) return
  await tx.run(sql`
    insert into statistics_added
      (project_id, at, domain_id, provider, source, template_id, tag, kind, recipients)
    select project_id, date_trunc('minute', at), coalesce(domain_id, ${NOTHING}), ${providerOfDomain(sql<never>`accepted.domain`)},
           source, coalesce(template_id, ${NOTHING}), tag, ${mailCounts[0]}, sum(recipients)
      from unnest(
        ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ at }) => at)}::timestamptz[],
        ${rows.map(({ domainId }) => domainId)}::uuid[], ${rows.map((row) => row.source)}::text[],
        ${rows.map(({ templateId }) => templateId)}::uuid[], ${rows.map(({ tag }) => tag)}::text[],
        ${rows.map(({ domain }) => domain)}::text[], ${rows.map((row) => row.recipients)}::int[])
        as accepted (project_id, at, domain_id, source, template_id, tag, domain, recipients)
     group by 1, 2, 3, 4, 5, 6, 7`)
}

type Alike = Omit<CountedRecipient, 'tags'> & { tag: string; recipients: number }

/** Each recipient once without a tag and once with each of its own; those that are alike in one row. */
function alike(recipients: readonly CountedRecipient[]): Alike[] {
  const rows = new Map<string, Alike>()
  for (const { tags, ...row } of recipients) {
    for (const tag of ['', ...tags]) {
      const key = [row.projectId, row.at.getTime(), row.domainId, row.source, row.templateId, row.domain, tag].join(' ')
      const found = rows.get(key)
      if (found === undefined) rows.set(key, { ...row, tag, recipients: 1 })
      else found.recipients++
    }
  }
  return [...rows.values()]
}

/** The project is the endpoint's. An endpoint that is gone is not counted any more. */
export const countTried: CountTried = async (tx, tried) => {
  const rows = tried.flatMap(({ endpointId, at, durationMs, ended }) => [
    { endpointId, at, kind: 'attempts', latency: classOf(durationMs) },
    ...(ended === undefined ? [] : [{ endpointId, at, kind: ended, latency: null }]),
  ])
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

/** The class of a time; as `width_bucket` has it, a time that is the end of a class belongs to the next one. */
const classOf = (ms: number): number => beginnings(WEBHOOK_LATENCY_MS).filter((end) => end <= ms).length
