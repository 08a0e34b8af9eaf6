import { newId, type EventId, type ProjectId, type WorkspaceId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import type { EventKind } from './kinds.ts'

/** What was said on the wire when it happened. */
export interface SmtpDetail {
  code?: number
  enhanced?: string
  stage?: string
  host?: string
  address?: string
  source?: string
  tls?: string
  ms?: number
}

export interface NewEvent {
  projectId: ProjectId
  workspaceId: WorkspaceId
  kind: EventKind
  /** The email or received email that it is about. */
  messageId: string
  recipient: string
  detail: string
  smtp?: SmtpDetail | undefined
}

export interface StoredEvent {
  id: EventId
  kind: EventKind
  messageId: string
  recipient: string
  detail: string
  smtp: SmtpDetail | null
  at: Date
}

/** In the transaction of the change that the events tell of: there is neither without the other. */
export async function publish(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.run(sql`
    insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail, smtp)
    select * from unnest(
      ${events.map(() => newId<'evt'>())}::uuid[], ${events.map(({ projectId }) => projectId)}::uuid[],
      ${events.map(({ workspaceId }) => workspaceId)}::uuid[], ${events.map(({ kind }) => kind)}::text[],
      ${events.map(({ messageId }) => messageId)}::uuid[], ${events.map(({ recipient }) => recipient)}::text[],
      ${events.map(({ detail }) => printable(detail))}::text[],
      ${events.map(({ smtp }) => smtp && JSON.stringify(smtp))}::jsonb[])`)
}

/** All that happened to a message, in the order of time. */
export const eventsOf = (db: Db, project: ProjectId, messageId: string): Promise<StoredEvent[]> =>
  db.all(sql<StoredEvent>`
    select id, kind, message_id as "messageId", recipient, detail, smtp, at
      from events
     where project_id = ${project} and message_id = ${messageId}
     order by at, id`)

const MOST_BYTES = 1024

/** What servers answer may contain anything, and go on for ever. */
function printable(detail: string): string {
  const clean = detail
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  if (Buffer.byteLength(clean) <= MOST_BYTES) return clean
  // Cut between characters: half of one at the end becomes the sign for it, and goes.
  return Buffer.from(clean)
    .subarray(0, MOST_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '')
}
