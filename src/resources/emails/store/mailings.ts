import type { BroadcastId, ContactId, DomainId, EmailId, ProjectId, RunId, TemplateId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { MailSource } from '../states.ts'

interface MailingRow {
  id: EmailId
  deliveryId: string
  projectId: ProjectId
  contentId: string
  domainId: DomainId | null
  sender: string
  addresses: object
  options: object
  recipient: string
  domain: string
  destination: string | null
  contactId: ContactId
  broadcastId: BroadcastId | null
  runId: RunId | null
  step: string | null
}

const MARKETING_LANE = 1

interface CreatedEmail {
  projectId: ProjectId
  at: Date
  domainId: DomainId | null
  source: MailSource
  templateId: TemplateId | null
  recipient: string
}

/** Inserts emails with their deliveries; those that are there already stay as they are. Returns those that are new. */
export const insertMailing = (tx: Tx, rows: readonly MailingRow[]) =>
  tx.all(sql<CreatedEmail>`
    with given as (
      select * from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ deliveryId }) => deliveryId)}::uuid[],
        ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ contentId }) => contentId)}::uuid[],
        ${rows.map(({ domainId }) => domainId)}::uuid[], ${rows.map(({ sender }) => sender)}::text[],
        ${rows.map(({ addresses }) => JSON.stringify(addresses))}::jsonb[],
        ${rows.map(({ options }) => JSON.stringify(options))}::jsonb[],
        ${rows.map(({ recipient }) => recipient)}::text[], ${rows.map(({ domain }) => domain)}::text[],
        ${rows.map(({ destination }) => destination)}::text[], ${rows.map(({ contactId }) => contactId)}::uuid[],
        ${rows.map(({ broadcastId }) => broadcastId)}::uuid[], ${rows.map(({ runId }) => runId)}::uuid[],
        ${rows.map(({ step }) => step)}::text[])
        as g (id, delivery_id, project_id, content_id, domain_id, sender, addresses, options, recipient, domain,
              destination, contact_id, broadcast_id, run_id, step)
    ), stored as (
      insert into emails (id, project_id, content_id, domain_id, sender, addresses, options, contact_id, broadcast_id,
                          run_id, step)
      select id, project_id, content_id, domain_id, sender, addresses, options, contact_id, broadcast_id, run_id, step
        from given
      on conflict do nothing
      returning id, created_at
    ), queued as (
    insert into deliveries (id, project_id, email_id, position, recipient, contact_id, broadcast_id, run_id, state,
                            destination, lane)
    select g.delivery_id, g.project_id, g.id, 0, g.recipient, g.contact_id, g.broadcast_id, g.run_id, 'ready',
           coalesce(g.destination, mail_routes.site, g.domain), ${MARKETING_LANE}::smallint
      from given g
      join stored using (id)
      left join mail_routes on mail_routes.domain = g.domain
    )
    select g.project_id as "projectId", stored.created_at as at, g.domain_id as "domainId", g.recipient,
           case when g.broadcast_id is null then 'automation' else 'broadcast' end as source,
           (select template_id from contents where contents.id = g.content_id) as "templateId"
      from given g
      join stored using (id)`)

export const unfinishedCounts = (db: Db, broadcast: BroadcastId) =>
  db.one(sql<{ total: number; ready: number }>`
    select count(*) as total, count(*) filter (where state <> 'waiting') as ready
      from deliveries
     where broadcast_id = ${broadcast}`)
