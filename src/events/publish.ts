import type { Dialogue } from '../core/dialogue.ts'
import { newId, type EventId, type IdPrefix, type ProjectId, type WorkspaceId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { sql, type Query } from '../storage/sql.ts'
import { keepDialogues } from './dialogues.ts'
import type { EventKind } from './kinds.ts'
import { payloadAround, type SmsFields } from './payload.ts'
import type { SmtpDetail } from './smtp-detail.ts'

/** The kinds that are about one recipient of an email that we sent. */
export type RecipientEventKind = Exclude<Extract<EventKind, `email.${string}`>, 'email.received'>

interface EventFields {
  projectId: ProjectId
  workspaceId: WorkspaceId
  /** The email, received email or SMS that it is about; see `payload.ts` for those that are about something else. */
  messageId: string
  recipient: string
  detail: string
  smtp?: SmtpDetail | undefined
  /** What was said, where that is kept. */
  dialogue?: Dialogue | undefined
  /** What `messageId` names, where the kind does not tell. */
  about?: IdPrefix
  /** Present for an SMS. Webhooks get its number, and the event keeps `masked` instead. */
  sms?: { fields: SmsFields; masked: string } | undefined
  /**
   * True for what happened before, and for what a machine or a pause of ours is behind: the message shows it, it does not
   * count, and no webhook tells it.
   */
  isRepeated?: boolean
}

export type NewEvent = EventFields &
  (
    | { kind: RecipientEventKind; /** The recipient's place in the email. */ position: number }
    | { kind: Exclude<EventKind, RecipientEventKind>; position?: undefined }
  )

export interface StoredEvent {
  id: EventId
  kind: EventKind
  messageId: string
  recipient: string
  detail: string
  smtp: SmtpDetail | null
  at: Date
}

export type Publish = (tx: Tx, events: readonly NewEvent[]) => Promise<void>

/** A part of the statement that stores events: it finds them in `stored`, by their ids, and counts them. */
export type CountEvents = (events: readonly NewEvent[], ids: readonly EventId[]) => Query<never>

/**
 * Publishes in the transaction of the change that the events tell of: there is neither without the other. `queue` is
 * the end of the statement that stores them: it finds in `published` what is to be told, with the body that webhooks
 * post, and puts it into their outbox.
 */
export const publisher =
  (queue: Query<never>, counting: CountEvents): Publish =>
  async (tx, events) => {
    if (events.length === 0) return
    const ids = events.map(() => newId<'evt'>())
    const details = events.map(({ detail }) => printable(detail))
    const bodies = events.map((event, i) => payloadAround({ ...event, detail: details[i] ?? '' }))
    const kept = events.flatMap(({ dialogue, projectId, messageId }, i) => {
      const eventId = ids[i]
      return dialogue && eventId ? [{ ...dialogue, eventId, projectId, messageId }] : []
    })
    const stored = tx.run(sql`
      with stored as (
        insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail, smtp)
        select * from unnest(
          ${ids}::uuid[], ${events.map(({ projectId }) => projectId)}::uuid[],
          ${events.map(({ workspaceId }) => workspaceId)}::uuid[], ${events.map(({ kind }) => kind)}::text[],
          ${events.map(({ messageId }) => messageId)}::uuid[],
          ${events.map(({ recipient, sms }) => sms?.masked ?? recipient)}::text[], ${details}::text[],
          ${events.map(({ smtp }) => smtp && JSON.stringify(smtp))}::jsonb[])
        returning id, project_id, kind, message_id, at
      ),
      published as (
        select stored.*, concat(said.before, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), said.after) as body
          from stored
          join unnest(${ids}::uuid[], ${bodies.map(({ before }) => before)}::text[],
                      ${bodies.map(({ after }) => after)}::text[],
                      ${events.map(({ isRepeated = false }) => isRepeated)}::boolean[])
                 as said (id, before, after, repeated) on said.id = stored.id and not said.repeated
      ),
      counted as (${counting(events, ids)})
      ${queue}`)
    // One behind the other on the same connection, without waiting in between.
    await Promise.all([stored, keepDialogues(tx, kept)])
  }

/** Everything that happened to a message, in the order of time. */
export const eventsOf = (db: Db, project: ProjectId, messageId: string): Promise<StoredEvent[]> =>
  db.all(sql<StoredEvent>`
    select id, kind, message_id as "messageId", recipient, detail, smtp, at
      from events
     where project_id = ${project} and message_id = ${messageId}
     order by at, id`)

const MAX_BYTES = 1024

/** Cleans and shortens what a server answered, which may be any text of any length. */
function printable(detail: string): string {
  const clean = detail
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  if (Buffer.byteLength(clean) <= MAX_BYTES) return clean
  // Cut between characters: half of one at the end becomes the sign for it, and goes.
  return Buffer.from(clean)
    .subarray(0, MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/u, '')
}
