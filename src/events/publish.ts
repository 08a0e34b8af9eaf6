import {
  encodeId,
  newId,
  type EmailId,
  type EventId,
  type Id,
  type IdPrefix,
  type ProjectId,
  type WorkspaceId,
} from '../core/ids.ts'
import { encodeReference } from '../core/mail-reference.ts'
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

/**
 * What is told of an SMS beside the fields that every event has. Written out here, field by field, because it leaves
 * our system: no text of a message, nothing that proves a consent, nothing of the caller's own.
 */
export interface SmsFields {
  projectId: string
  mode: 'test' | 'live'
  direction?: 'outbound' | 'inbound'
  status?: string
  category?: string | null
  programId?: string | null
  senderId?: string | null
  segments?: number
  encoding?: string | null
  errorCode?: string | null
  providerErrorCode?: string | null
  keyword?: string | null
  /** How somebody opted out: by a word, or by what they seem to mean. */
  origin?: string
  /** Counts the events of one message, for whoever gets them out of order. */
  sequence?: number
}

/** The kinds that are about one recipient of an email that we sent. */
export type RecipientEventKind = Exclude<Extract<EventKind, `email.${string}`>, 'email.received'>

interface EventFields {
  projectId: ProjectId
  workspaceId: WorkspaceId
  /** The email, received email or SMS that it is about; see `prefixOf` for those that are about something else. */
  messageId: string
  recipient: string
  detail: string
  smtp?: SmtpDetail | undefined
  /** What `messageId` names, where the kind does not tell. */
  about?: IdPrefix
  /** Of an SMS. The number is then told, but not kept here: `masked` is. */
  sms?: { fields: SmsFields; masked: string } | undefined
  /** It happened before: kept for whoever looks at the message, but nobody is told twice. */
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

/**
 * In the transaction of the change that the events tell of: there is neither without the other. The same statement puts
 * a row into the outbox for every webhook endpoint that is to be told. Its id begins as that of the event does, so that
 * the rows sort as the events do.
 */
export async function publish(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const ids = events.map(() => newId<'evt'>())
  await tx.run(sql`
    with stored as (
      insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail, smtp)
      select * from unnest(
        ${ids}::uuid[], ${events.map(({ projectId }) => projectId)}::uuid[],
        ${events.map(({ workspaceId }) => workspaceId)}::uuid[], ${events.map(({ kind }) => kind)}::text[],
        ${events.map(({ messageId }) => messageId)}::uuid[],
        ${events.map(({ recipient, sms }) => sms?.masked ?? recipient)}::text[],
        ${events.map(({ detail }) => printable(detail))}::text[],
        ${events.map(({ smtp }) => smtp && JSON.stringify(smtp))}::jsonb[])
      returning id, project_id, kind, message_id, detail, at
    )
    insert into webhook_deliveries
      (id, project_id, endpoint_id, event_id, kind, message_id, body, created_at, destination, lane, state)
    select encode(substring(uuid_send(stored.id) for 10) || substring(uuid_send(gen_random_uuid()) from 11), 'hex')::uuid,
           stored.project_id, endpoint.id, stored.id, kind, message_id,
           concat('{"type":', to_json(kind), ',"messageId":', to_json(said.message), ',"recipient":', to_json(said.recipient),
                  ',"timestamp":"', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                  '","detail":', to_json(detail), ',"accountId":', to_json(said.account), said.more, '}'),
           at, endpoint.id::text, 0, 'ready'
      from stored
      join unnest(${ids}::uuid[], ${events.map(wireMessageId)}::text[],
                  ${events.map(({ workspaceId }) => encodeId('acc', workspaceId))}::text[],
                  ${events.map(({ recipient }) => recipient)}::text[],
                  ${events.map(({ sms }) => (sms ? `,"sms":${JSON.stringify(sms.fields)}` : ''))}::text[],
                  ${events.map(({ isRepeated = false }) => isRepeated)}::boolean[])
             as said (id, message, account, recipient, more, repeated) on said.id = stored.id and not said.repeated
      join webhook_endpoints endpoint
        on endpoint.project_id = stored.project_id and endpoint.enabled and stored.kind = any(endpoint.events)
       and (said.more = '' or (select sms_invited from projects where id = stored.project_id))`)
}

const wireMessageId = ({ kind, messageId, position, about }: NewEvent): string => {
  if (position !== undefined) return encodeReference({ emailId: messageId as EmailId, position })
  const prefix = about ?? prefixOf(kind)
  return encodeId(prefix, messageId as Id<typeof prefix>)
}

/** What `messageId` names. Of some events of SMS it is no message, so that no two of them have the same. */
function prefixOf(kind: EventKind): IdPrefix {
  switch (kind) {
    case 'email.received':
      return 'rcv'
    case 'sms.optedout':
      return 'smssp'
    case 'sms.optedin':
      return 'smscn'
    case 'sms.walletlow':
      return 'sml'
    default:
      return kind.startsWith('sms.') ? 'sms' : 'em'
  }
}

/** All that happened to a message, in the order of time. */
export const eventsOf = (db: Db, project: ProjectId, messageId: string): Promise<StoredEvent[]> =>
  db.all(sql<StoredEvent>`
    select id, kind, message_id as "messageId", recipient, detail, smtp, at
      from events
     where project_id = ${project} and message_id = ${messageId}
     order by at, id`)

const MAX_BYTES = 1024

/** What servers answer may contain anything, and go on for ever. */
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
