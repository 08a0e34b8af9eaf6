import type { EmailId, ProjectId, ReceivedId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { AttachmentRow, Auth, StoredLetter } from '../schema.ts'

export interface Unread {
  id: string
  blob: string
  size: number
  envelopeFrom: string | null
  session: { address: string; helo: string }
  /** This one included. */
  attempts: number
  /** It came to the report address of a domain. */
  isDomainReport: boolean
}

/** Those that no worker has read yet. */
export const begin = (db: Db, ids: readonly string[]) =>
  db.all(sql<Unread>`
    update received_messages
       set attempts = attempts + 1
     where id = any(${ids}::uuid[]) and state = 'unread'
    returning id, blob, size, envelope_from as "envelopeFrom", session, attempts,
              exists (select from received_reports r
                       where r.message_id = received_messages.id and r.domain_id is not null) as "isDomainReport"`)

export interface Contents {
  letter: StoredLetter
  headers: readonly { name: string; value: string }[]
  html: string | null
  text: string | null
  strippedText: string | null
  attachments: readonly AttachmentRow[]
  auth: Auth
  spam: number | null
}

export interface Finished {
  id: string
  /** Undefined when it could not be read. */
  contents: Contents | undefined
}

/** Those of them that no other worker was faster with. In one order: two workers must not wait for each other in a circle. */
export const finish = (tx: Tx, all: readonly Finished[]) =>
  tx.all(sql<{ id: string }>`
    with given as materialized (
      select *
        from unnest(
          ${all.map(({ id }) => id)}::uuid[],
          ${all.map(({ contents }) => (contents === undefined ? 'unreadable' : 'read'))}::text[],
          ${all.map(({ contents }) => contents && JSON.stringify(contents.letter))}::jsonb[],
          ${all.map(({ contents }) => contents && JSON.stringify(contents.headers))}::jsonb[],
          ${all.map(({ contents }) => contents?.html)}::text[],
          ${all.map(({ contents }) => contents?.text)}::text[],
          ${all.map(({ contents }) => contents && storedStrippedText(contents))}::text[],
          ${all.map(({ contents }) => contents?.attachments.length ?? 0)}::integer[],
          ${all.map(({ contents }) => contents && JSON.stringify(contents.auth))}::jsonb[],
          ${all.map(({ contents }) => contents?.spam)}::double precision[])
          as g (id, state, letter, headers, html, text, stripped_text, attachments, auth, spam_score)
    ), unread as materialized (
      select id from received_messages m
       where id = any(${all.map(({ id }) => id)}::uuid[]) and state = 'unread'
       order by id for update
    )
    update received_messages m
       set state = given.state, letter = given.letter, headers = given.headers, html = given.html, text = given.text,
           stripped_text = given.stripped_text, attachments = given.attachments, auth = given.auth,
           spam_score = given.spam_score
      from given
      join unread using (id)
     where m.id = given.id
    returning m.id`)

/** Null where it equals the text, as in most mail that is no reply: it would be stored twice. */
const storedStrippedText = ({ text, strippedText }: Contents): string | null =>
  strippedText === text?.trim() ? null : strippedText

export const insertAttachments = (tx: Tx, messageId: string, rows: readonly AttachmentRow[]) =>
  tx.run(sql`
    insert into received_attachments
      (id, message_id, position, filename, content_type, content_id, disposition, size, blob)
    select a.id, ${messageId}::uuid, a.position - 1, filename, content_type, content_id, disposition, size, blob
      from unnest(
        ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ filename }) => filename)}::text[],
        ${rows.map(({ contentType }) => contentType)}::text[], ${rows.map(({ contentId }) => contentId)}::text[],
        ${rows.map(({ disposition }) => disposition)}::text[], ${rows.map(({ size }) => size)}::integer[],
        ${rows.map(({ blob }) => blob)}::text[])
        with ordinality as a (id, filename, content_type, content_id, disposition, size, blob, position)`)

export interface Shown {
  message: string
  id: ReceivedId
  projectId: ProjectId
  workspaceId: WorkspaceId
  recipient: string
}

/** From now on those whom they are for can see them. */
export const show = (tx: Tx, messages: readonly { id: string; senderKey: string | null }[]) =>
  tx.all(sql<Shown>`
    update received_emails e
       set shown_at = clock_now(), sender_key = given.sender_key
      from projects p,
           unnest(${messages.map(({ id }) => id)}::uuid[], ${messages.map(({ senderKey }) => senderKey)}::text[])
             as given (id, sender_key)
     where message_id = given.id
       and shown_at is null
       and p.id = e.project_id
    returning message_id as message, e.id, e.project_id as "projectId", workspace_id as "workspaceId", recipient`)

export interface ReportRow {
  id: string
  message: string
  emailId: EmailId | null
  position: number | null
  /** Of a report about a domain. */
  domainId: string | null
  domainName: string | null
}

export const reports = (tx: Tx, messages: readonly string[]) =>
  tx.all(sql<ReportRow>`
    select id, message_id as message, email_id as "emailId", position, domain_id as "domainId",
           domain_name as "domainName"
      from received_reports
     where message_id = any(${messages}::uuid[])
     order by id`)

export const settleReport = (tx: Tx, id: string, outcome: string) =>
  tx.run(sql`update received_reports set outcome = ${outcome} where id = ${id}`)

/** Messages that no worker has read although their job should have: it was given up. */
export const leftUnread = (db: Db, most: number) =>
  db.all(sql<{ id: string }>`
    select id
      from received_messages
     where state = 'unread' and received_at < clock_now() - interval '1 hour'
     limit ${most}`)

/** Of what came in a burst: messages that were deferred for long enough; from now on no other worker takes them. */
export const takeDeferred = (tx: Tx, afterMs: number, most: number) =>
  tx.all(sql<{ id: string }>`
    update received_messages
       set waits = false
     where id = any(array(
             select id
               from received_messages
              where waits and received_at < clock_now() - ${afterMs} * interval '1 ms'
              order by received_at
              limit ${most}
                for update skip locked))
    returning id`)
