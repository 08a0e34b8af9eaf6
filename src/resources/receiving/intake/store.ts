import type { ProjectStatus } from '../../../core/caller.ts'
import type { DomainId, EmailId, ProjectId, ReceivedId, ReceivingDomainId } from '../../../core/ids.ts'
import type { ReportAddress } from '../../../core/report-address.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export interface Holder {
  name: string
  domainId: ReceivingDomainId
  projectId: ProjectId
  projectStatus: ProjectStatus
  /** Bytes, today. */
  received: number
}

/** Who receives mail for these names. The only question that is asked by name alone: it comes from the outside. */
export const holders = (db: Db, names: readonly string[]) =>
  db.all(sql<Holder>`
    select d.name, d.id as "domainId", project_id as "projectId", p.status as "projectStatus",
           coalesce(bytes, 0) as received
      from receiving_domains d
      join projects p on p.id = project_id
      left join received_daily on owner = project_id::text and day = (clock_now() at time zone 'UTC')::date
     where d.name = any(${names}::text[])
       and d.status = 'verified'
       and removed_at is null`)

/** Who sent the emails that return paths name. */
export const senders = (db: Db, ids: readonly EmailId[]) =>
  db.all(sql<{ id: EmailId; sender: string }>`select id, sender from emails where id = any(${ids}::uuid[])`)

/** Those of these names that mail is sent in. */
export const sendingDomains = (db: Db, names: readonly string[]) =>
  db.all(sql<{ name: string }>`
    select distinct name
      from domains
     where name = any(${names}::text[]) and status in ('verified', 'warning') and removed_at is null`)

export interface ReportedDomain {
  kind: ReportAddress['kind']
  token: string
  domainId: DomainId | ReceivingDomainId
  name: string
}

/** The domains whose report addresses have these tokens. Asked by the token alone: it comes from the outside. */
export const reportedDomains = (db: Db, tokens: readonly string[]) =>
  db.all(sql<ReportedDomain>`
    select 'dmarc' as kind, report_token as token, d.id as "domainId", d.name
      from domains d
      join projects p on p.id = project_id
     where report_token = any(${tokens}::text[]) and removed_at is null and p.status <> 'archived'
     union all
    select 'tls', report_token, d.id, d.name
      from receiving_domains d
      join projects p on p.id = project_id
     where report_token = any(${tokens}::text[]) and removed_at is null and p.status <> 'archived'`)

/** How many messages these have received today; nothing of those that have none. */
export const receivedToday = (db: Db, owners: readonly string[]) =>
  db.all(sql<{ owner: string; messages: number }>`
    select owner, messages from received_daily where owner = any(${owners}::text[]) and day = (clock_now() at time zone 'UTC')::date`)

export interface Received {
  owner: string
  messages: number
  bytes: number
}

/** Those that were not there within the last hour. In one order: two servers that hear the same must not wait in circles. */
export const remember = (tx: Tx, fingerprints: readonly Buffer[]) =>
  tx.all(sql<{ fingerprint: Buffer }>`
    insert into received_lately as known (fingerprint)
    select * from unnest(${fingerprints}::bytea[]) as given (fingerprint) order by 1
    on conflict (fingerprint) do update set at = excluded.at where known.at < clock_now() - interval '1 hour'
    returning fingerprint`)

export const forget = (tx: Tx, fingerprints: readonly Buffer[]) =>
  tx.run(sql`delete from received_lately where fingerprint = any(${fingerprints}::bytea[])`)

export interface NewMessage {
  id: string
  blob: string
  size: number
  envelopeFrom: string | null
  session: object
}

/**
 * Adds the messages, and to what was received today; answers the totals. Nobody else adds to the same totals before our
 * transaction is over. In one order: two servers must not wait for each other in a circle.
 */
export const insertMessages = (
  tx: Tx,
  rows: readonly NewMessage[],
  { isDeferred, received }: { isDeferred: boolean; received: readonly Received[] },
) =>
  tx.all(sql<Received>`
    with inserted as (
      insert into received_messages (id, blob, size, envelope_from, session, waits)
      select *, ${isDeferred}::boolean from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ blob }) => blob)}::text[],
        ${rows.map(({ size }) => size)}::integer[], ${rows.map(({ envelopeFrom }) => envelopeFrom)}::text[],
        ${rows.map(({ session }) => JSON.stringify(session))}::jsonb[])
    )
    insert into received_daily as known (owner, day, messages, bytes)
    select owner, (clock_now() at time zone 'UTC')::date, messages, bytes
      from unnest(
        ${received.map(({ owner }) => owner)}::text[], ${received.map(({ messages }) => messages)}::integer[],
        ${received.map(({ bytes }) => bytes)}::bigint[]) as given (owner, messages, bytes)
     order by owner
    on conflict (owner, day) do update
       set messages = known.messages + excluded.messages, bytes = known.bytes + excluded.bytes
    returning owner, messages, bytes`)

export interface NewEmail {
  id: ReceivedId
  projectId: ProjectId
  domainId: ReceivingDomainId
  messageId: string
  recipient: string
  recipientKey: string
}

export const insertEmails = (tx: Tx, rows: readonly NewEmail[]) =>
  tx.run(sql`
    insert into received_emails (id, project_id, domain_id, message_id, recipient, recipient_key)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ projectId }) => projectId)}::uuid[],
      ${rows.map(({ domainId }) => domainId)}::uuid[], ${rows.map(({ messageId }) => messageId)}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[], ${rows.map(({ recipientKey }) => recipientKey)}::text[])`)

export interface NewReport {
  id: string
  messageId: string
  /** Null for a complaint, whose token is inside, and for a report about a domain. */
  emailId: EmailId | null
  position: number | null
  domainId: string | null
  domainName: string | null
}

export const insertReports = (tx: Tx, rows: readonly NewReport[]) =>
  tx.run(sql`
    insert into received_reports (id, message_id, email_id, position, domain_id, domain_name)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ messageId }) => messageId)}::uuid[],
      ${rows.map(({ emailId }) => emailId)}::uuid[], ${rows.map(({ position }) => position)}::smallint[],
      ${rows.map(({ domainId }) => domainId)}::uuid[], ${rows.map(({ domainName }) => domainName)}::text[])`)

export interface NewOperatorMail {
  id: string
  messageId: string
  recipient: string
}

export const insertOperatorMail = (tx: Tx, rows: readonly NewOperatorMail[]) =>
  tx.run(sql`
    insert into operator_mail (id, message_id, recipient)
    select * from unnest(
      ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ messageId }) => messageId)}::uuid[],
      ${rows.map(({ recipient }) => recipient)}::text[])`)
