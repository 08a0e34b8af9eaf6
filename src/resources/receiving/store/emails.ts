import type { AttachmentId, ProjectId, ReceivedId, ReceivingDomainId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { AttachmentRow, ReceivedRow, WholeReceivedRow } from '../schema.ts'

const columns = sql`
  e.id, domain_id as "domainId", recipient, envelope_from as "envelopeFrom", e.received_at as "receivedAt", size,
  session, attachments, letter, auth, spam_score as spam`

export interface Filter {
  to: string | undefined
  from: string | undefined
  domainId: ReceivingDomainId | undefined
  receivedAfter: Date | undefined
}

/** What the checks of a mail must have said. No index has it. */
export type Verdicts = Readonly<Partial<Record<'spf' | 'dkim' | 'dmarc', string | undefined>>>

/** So many mails are looked at for their verdicts before a page ends. */
const MAX_LOOKED = 2_000

const fitting = (project: ProjectId, { to, from, domainId, receivedAfter }: Filter, { after }: PageRequest) => sql`
  project_id = ${project}
       and shown_at is not null
       -- Statements of their own for addresses: coalesce would hide the indexes that find them.
       ${to === undefined ? sql`` : sql`and recipient_key = ${to}`}
       ${from === undefined ? sql`` : sql`and sender_key = ${from}`}
       and domain_id = coalesce(${domainId}, domain_id)
       and (${receivedAfter}::timestamptz is null
            or e.received_at >= ${receivedAfter}::timestamptz + interval '1 millisecond')
       and (${after}::uuid is null or e.id < ${after}::uuid)`

export const list = (db: Db, project: ProjectId, filter: Filter, request: PageRequest) =>
  db.all(sql<ReceivedRow>`
    select ${columns}
      from received_emails e
      join received_messages m on m.id = message_id
     where ${fitting(project, filter, request)}
     order by e.id desc
     limit ${request.limit + 1}`)

/** Where a look at verdicts ends, if that is before the mail does. */
export const lookEnds = async (
  db: Db,
  project: ProjectId,
  filter: Filter,
  request: PageRequest,
): Promise<string | null> => {
  const last = await db.maybeOne(sql<{ id: string }>`
    select e.id
      from received_emails e
     where ${fitting(project, filter, request)}
     order by e.id desc
    offset ${MAX_LOOKED - 1}
     limit 1`)
  return last?.id ?? null
}

/** Those with these verdicts, down to where the look ends. */
export const listByVerdicts = (
  db: Db,
  project: ProjectId,
  filter: Filter,
  { spf, dkim, dmarc }: Verdicts,
  end: string | null,
  request: PageRequest,
) =>
  db.all(sql<ReceivedRow>`
    select ${columns}
      -- The offset keeps the planner from beginning with the messages, which are those of all projects.
      from (select *
              from received_emails e
             where ${fitting(project, filter, request)}
               and (${end}::uuid is null or e.id >= ${end}::uuid)
             order by e.id desc
            offset 0) e
      join received_messages m on m.id = message_id
     where (${spf}::text is null or auth->>'spf' = ${spf})
       and (${dkim}::text is null or auth->>'dkim' = ${dkim})
       and (${dmarc}::text is null or auth->>'dmarc' = ${dmarc})
     order by e.id desc
     limit ${request.limit + 1}`)

export const find = (db: Db, project: ProjectId, id: ReceivedId) =>
  db.maybeOne(sql<WholeReceivedRow>`
    select ${columns}, headers, html, text, stripped_text as "strippedText"
      from received_emails e
      join received_messages m on m.id = message_id
     where project_id = ${project} and e.id = ${id} and shown_at is not null`)

export interface RawRow {
  messageId: string
  blob: string
  session: ReceivedRow['session']
  receivedAt: Date
}

/** Where the bytes are, as they came, and how they came. */
export const findRaw = (db: Db, project: ProjectId, id: ReceivedId) =>
  db.maybeOne(sql<RawRow>`
    select m.id as "messageId", blob, session, e.received_at as "receivedAt"
      from received_emails e
      join received_messages m on m.id = message_id
     where project_id = ${project} and e.id = ${id} and shown_at is not null`)

const attachmentColumns = sql`
  a.id, filename, content_type as "contentType", content_id as "contentId", disposition, size, blob`

/** Of a message that the project has: in the order in which the message has them, which is that of their ids. */
export const attachments = (db: Db, messageId: string, { limit, after }: PageRequest) =>
  db.all(sql<AttachmentRow>`
    select ${attachmentColumns}
      from received_attachments a
     where message_id = ${messageId}
       and (${after}::uuid is null or a.id > ${after}::uuid)
     order by a.id
     limit ${limit + 1}`)

export const findAttachment = (db: Db, messageId: string, id: AttachmentId) =>
  db.maybeOne(sql<AttachmentRow>`
    select ${attachmentColumns} from received_attachments a where message_id = ${messageId} and a.id = ${id}`)

/** Messages that were kept for long enough, with everything that hangs on them. How many there were. */
export const purge = async (db: Db, days: number, most: number): Promise<number> => {
  const old = await db.all(sql`
    with old as (
      select id
        from received_messages
       where received_at < clock_now() - make_interval(days => ${days})
       order by received_at
       limit ${most}
         for update skip locked
    ), emails as (
      delete from received_emails where message_id in (select id from old)
    ), files as (
      delete from received_attachments where message_id in (select id from old)
    ), reports as (
      delete from received_reports where message_id in (select id from old)
    ), mailbox as (
      delete from operator_mail where message_id in (select id from old)
    )
    delete from received_messages where id in (select id from old) returning id`)
  return old.length
}

export const forgetLately = (db: Db) =>
  db.run(sql`delete from received_lately where at < clock_now() - interval '1 hour'`)

/** What was counted for days that are over. */
export const forgetDaily = (db: Db) =>
  db.run(sql`delete from received_daily where day < (clock_now() at time zone 'UTC')::date`)

/** Those of these blobs that something received refers to. */
export const usedBlobs = (db: Db, addresses: readonly string[]) =>
  db.all(sql<{ blob: string }>`
    select blob from received_messages where blob = any(${addresses}::text[])
     union
    select blob from received_attachments where blob = any(${addresses}::text[])`)
