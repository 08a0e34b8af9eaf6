/** The rows that an accepted email is made of. Many emails in each statement. */
import {
  newId,
  type BatchId,
  type DomainId,
  type EmailId,
  type KeyId,
  type PersonId,
  type ProjectId,
  type TemplateId,
} from '../../../core/ids.ts'
import type { Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export const now = (tx: Tx) => tx.one(sql<{ now: Date }>`select clock_now() as now`)

interface NewContent {
  id: string
  projectId: ProjectId
  subject: string
  html: string | null
  text: string | null
  headers: object
  variables: object
  templateId: TemplateId | null
  templateVersion: number | null
  size: number
  merge?: object
}

export const insertContents = (tx: Tx, rows: readonly NewContent[]) =>
  tx.run(sql`
    insert into contents (id, project_id, subject, html, text, headers, variables, template_id, template_version, size,
                          merge)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ projectId }) => projectId)}::uuid[],
      ${rows.map(({ subject }) => subject)}::text[], ${rows.map(({ html }) => html)}::text[],
      ${rows.map(({ text }) => text)}::text[], ${rows.map(({ headers }) => JSON.stringify(headers))}::jsonb[],
      ${rows.map(({ variables }) => JSON.stringify(variables))}::jsonb[],
      ${rows.map(({ templateId }) => templateId)}::uuid[], ${rows.map(({ templateVersion }) => templateVersion)}::int[],
      ${rows.map(({ size }) => size)}::int[], ${rows.map(({ merge }) => merge && JSON.stringify(merge))}::jsonb[])`)

interface NewEmail {
  id: EmailId
  projectId: ProjectId
  contentId: string
  domainId: DomainId | null
  batchId: BatchId | null
  /** The key or the person that sent it. */
  keyId: KeyId | null
  personId: PersonId | null
  sender: string
  addresses: object
  tags: object
  options: object
  sendAt: Date | null
  createdAt: Date
}

export const insertEmails = (tx: Tx, rows: readonly NewEmail[]) =>
  tx.run(sql`
    insert into emails (id, project_id, content_id, domain_id, batch_id, key_id, person_id, sender, addresses, tags, options,
                        send_at, created_at)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ projectId }) => projectId)}::uuid[],
      ${rows.map(({ contentId }) => contentId)}::uuid[], ${rows.map(({ domainId }) => domainId)}::uuid[],
      ${rows.map(({ batchId }) => batchId)}::uuid[], ${rows.map(({ keyId }) => keyId)}::uuid[],
      ${rows.map(({ personId }) => personId)}::uuid[],
      ${rows.map(({ sender }) => sender)}::text[],
      ${rows.map(({ addresses }) => JSON.stringify(addresses))}::jsonb[],
      ${rows.map(({ tags }) => JSON.stringify(tags))}::jsonb[],
      ${rows.map(({ options }) => JSON.stringify(options))}::jsonb[],
      ${rows.map(({ sendAt }) => sendAt)}::timestamptz[], ${rows.map(({ createdAt }) => createdAt)}::timestamptz[])`)

interface NewTag {
  projectId: ProjectId
  emailId: EmailId
  name: string
  value: string
}

/** Inserts the tags by which the list finds emails. */
export const insertTags = (tx: Tx, rows: readonly NewTag[]) =>
  tx.run(sql`
    insert into email_tags (project_id, tag, email_id)
    select project_id, email_tag(name, value), email_id
      from unnest(
        ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ emailId }) => emailId)}::uuid[],
        ${rows.map(({ name }) => name)}::text[], ${rows.map(({ value }) => value)}::text[])
        as t (project_id, email_id, name, value)
    on conflict do nothing`)

interface NewDelivery {
  id: string
  projectId: ProjectId
  emailId: EmailId
  position: number
  recipient: string
  domain: string
  /** Null leaves it to what is known of the domain. */
  destination: string | null
  state: 'waiting' | 'ready'
  dueAt: Date
}

const TRANSACTIONAL_LANE = 0

export const insertDeliveries = (tx: Tx, rows: readonly NewDelivery[]) =>
  tx.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, state, due_at, destination, lane)
    select d.id, d.project_id, d.email_id, d.position, d.recipient, d.state, d.due_at,
           coalesce(d.destination, mail_routes.site, d.domain), ${TRANSACTIONAL_LANE}::smallint
      from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ projectId }) => projectId)}::uuid[],
        ${rows.map(({ emailId }) => emailId)}::uuid[], ${rows.map(({ position }) => position)}::smallint[],
        ${rows.map(({ recipient }) => recipient)}::text[], ${rows.map(({ state }) => state)}::text[],
        ${rows.map(({ dueAt }) => dueAt)}::timestamptz[], ${rows.map(({ destination }) => destination)}::text[],
        ${rows.map(({ domain }) => domain)}::text[])
        as d (id, project_id, email_id, position, recipient, state, due_at, destination, domain)
      left join mail_routes on mail_routes.domain = d.domain`)

interface SuppressedRecipient {
  projectId: ProjectId
  emailId: EmailId
  position: number
  recipient: string
}

export const insertSuppressed = (tx: Tx, rows: readonly SuppressedRecipient[]) =>
  tx.run(sql`
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select email_id, position, project_id, recipient, 'suppressed', 0
      from unnest(
        ${rows.map(({ emailId }) => emailId)}::uuid[], ${rows.map(({ position }) => position)}::smallint[],
        ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ recipient }) => recipient)}::text[])
        as r (email_id, position, project_id, recipient)`)

interface NewAttachment {
  contentId: string
  projectId: ProjectId
  position: number
  filename: string
  contentType: string
  cid: string | null
  disposition: string
  size: number
  blob: string
}

export const insertAttachments = (tx: Tx, rows: readonly NewAttachment[]) =>
  tx.run(sql`
    insert into content_attachments (id, content_id, project_id, position, filename, content_type, cid, disposition,
                                     size, blob)
    select * from unnest(
      ${rows.map(() => newId<'att'>())}::uuid[], ${rows.map(({ contentId }) => contentId)}::uuid[],
      ${rows.map(({ projectId }) => projectId)}::uuid[], ${rows.map(({ position }) => position)}::smallint[],
      ${rows.map(({ filename }) => filename)}::text[], ${rows.map(({ contentType }) => contentType)}::text[],
      ${rows.map(({ cid }) => cid)}::text[], ${rows.map(({ disposition }) => disposition)}::text[],
      ${rows.map(({ size }) => size)}::int[], ${rows.map(({ blob }) => blob)}::text[])`)
