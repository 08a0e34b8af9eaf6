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
}

/** Those that nobody has read yet. */
export const begin = (db: Db, ids: readonly string[]) =>
  db.all(sql<Unread>`
    update received_messages
       set attempts = attempts + 1
     where id = any(${ids}::uuid[]) and state = 'unread'
    returning id, blob, size, envelope_from as "envelopeFrom", session, attempts`)

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

/** False when somebody was faster. */
export const finish = async (tx: Tx, id: string, contents: Contents | undefined): Promise<boolean> => {
  const finished = await tx.run(sql`
    update received_messages
       set state = ${contents === undefined ? 'unreadable' : 'read'},
           letter = ${contents === undefined ? null : JSON.stringify(contents.letter)},
           headers = ${contents === undefined ? null : JSON.stringify(contents.headers)},
           html = ${contents?.html ?? null},
           text = ${contents?.text ?? null},
           stripped_text = ${contents?.strippedText ?? null},
           attachments = ${contents?.attachments.length ?? 0},
           auth = ${contents === undefined ? null : JSON.stringify(contents.auth)},
           spam_score = ${contents?.spam ?? null}
     where id = ${id} and state = 'unread'`)
  return finished === 1
}

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
  id: ReceivedId
  projectId: ProjectId
  workspaceId: WorkspaceId
  recipient: string
}

/** From now on those whom it is for can see it. */
export const show = (tx: Tx, messageId: string, senderKey: string | null) =>
  tx.all(sql<Shown>`
    update received_emails e
       set shown_at = clock_now(), sender_key = ${senderKey}
      from projects p
     where message_id = ${messageId}
       and shown_at is null
       and p.id = e.project_id
    returning e.id, e.project_id as "projectId", workspace_id as "workspaceId", recipient`)

export interface ReportRow {
  id: string
  emailId: EmailId | null
  position: number | null
}

export const reports = (tx: Tx, messageId: string) =>
  tx.all(sql<ReportRow>`
    select id, email_id as "emailId", position from received_reports where message_id = ${messageId}`)

export const settleReport = (tx: Tx, id: string, outcome: string) =>
  tx.run(sql`update received_reports set outcome = ${outcome} where id = ${id}`)

/** Messages that nobody has read although their job should have: it was given up. */
export const leftUnread = (db: Db, most: number) =>
  db.all(sql<{ id: string }>`
    select id
      from received_messages
     where state = 'unread' and received_at < clock_now() - interval '1 hour'
     limit ${most}`)
