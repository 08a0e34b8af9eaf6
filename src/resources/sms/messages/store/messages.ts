import type { ProjectId, SmsConsentId, SmsId, SmsProgramId, SmsSenderId, WorkspaceId } from '../../../../core/ids.ts'
import type { PageRequest } from '../../../../core/page.ts'
import type { Db, Tx } from '../../../../storage/postgres.ts'
import { sql } from '../../../../storage/sql.ts'
import type { Alphabet, Category, Happening, PartRow, Sms, Status } from '../schema/messages.ts'

const columns = sql<never>`
  m.id, m.project_id as "projectId", m.workspace_id as "workspaceId", m.mode, m.direction, sms_status(m) as status,
  m.category, m.keyword, m.sender_id as "senderId", m.program_id as "programId", m.phone_hmac as "phoneHmac", m.phone,
  m.masked, m.our_address as "ourAddress", m.country, m.encoding, m.units, m.segments,
  m.segment_micros as "segmentMicros", m.charged_micros as "chargedMicros", m.currency, m.body,
  m.body_sent as "bodySent", m.metadata, m.body_purged_at as "bodyPurgedAt", m.consent_id as "consentId",
  m.consent_type as "consentType", m.consent_at as "consentAt", m.deferred_until as "deferredUntil",
  m.error_code as "errorCode", m.created_at as "createdAt", m.sent_at as "sentAt", m.final_at as "finalAt"`

/** Held until the transaction ends: whoever repeats a request waits for the first answer, whatever it will be. */
export const lockKey = (tx: Tx, project: ProjectId, key: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`sms ${project} ${key}`}, 0))`)

export const byKey = (db: Db, project: ProjectId, key: string) =>
  db.maybeOne(sql<{ fingerprint: Buffer; answer: string }>`
    select fingerprint, answer from sms_messages where project_id = ${project} and idempotency_key = ${key}`)

export interface NewMessage {
  id: SmsId
  projectId: ProjectId
  workspaceId: WorkspaceId
  mode: 'test' | 'live'
  status: 'queued' | 'deferred'
  category: Category
  keyword: 'STOP' | 'HELP' | 'START' | null
  request: { key: string; fingerprint: Buffer } | null
  senderId: SmsSenderId
  programId: SmsProgramId | null
  phoneHmac: Buffer
  rangeHmac: Buffer
  phone: Buffer
  masked: string
  ourAddress: string
  country: string | null
  connection: string
  encoding: Alphabet
  units: number
  segments: number
  segmentMicros: bigint
  currency: string
  rateId: string | null
  body: Buffer
  bodySent: Buffer | null
  metadata: Buffer | null
  consentId: SmsConsentId | null
  consentType: string | null
  consentAt: Date | null
  consentNeeded: number
  quiet: object | null
  concatRef: number | null
  validSeconds: number
  deferredUntil: Date | null
  deferReason: string | null
}

/** The answer is written afterwards, when it is known: it tells when the message was made. */
export const insert = (tx: Tx, m: NewMessage) =>
  tx.one(sql<{ createdAt: Date }>`
    insert into sms_messages
      (id, project_id, workspace_id, mode, direction, status, category, keyword, idempotency_key, fingerprint, answer,
       sender_id, program_id, phone_hmac, phone_prefix_hmac, phone, masked, our_address, country, connection, encoding,
       units, segments, segment_micros, currency, rate_id, body, body_sent, metadata, consent_id, consent_type,
       consent_at, consent_needed, quiet, concat_ref, valid_until, deferred_until, defer_reason)
    values (${m.id}, ${m.projectId}, ${m.workspaceId}, ${m.mode}, 'outbound', ${m.status}, ${m.category}, ${m.keyword},
            ${m.request?.key ?? null}, ${m.request?.fingerprint ?? null}, ${m.request ? '' : null}, ${m.senderId},
            ${m.programId}, ${m.phoneHmac}, ${m.rangeHmac}, ${m.phone}, ${m.masked}, ${m.ourAddress}, ${m.country},
            ${m.connection}, ${m.encoding}, ${m.units}, ${m.segments}, ${m.segmentMicros}, ${m.currency}, ${m.rateId},
            ${m.body}, ${m.bodySent}, ${m.metadata}, ${m.consentId}, ${m.consentType}, ${m.consentAt},
            ${m.consentNeeded}, ${m.quiet === null ? null : JSON.stringify(m.quiet)}, ${m.concatRef},
            clock_now() + make_interval(secs => ${m.validSeconds}), ${m.deferredUntil}, ${m.deferReason})
    returning created_at as "createdAt"`)

export const keepAnswer = (tx: Tx, project: ProjectId, id: SmsId, answer: string) =>
  tx.run(sql`update sms_messages set answer = ${answer} where project_id = ${project} and id = ${id}`)

/** The first is ready, or waits until it may go; those behind it are held. */
export const insertParts = (
  tx: Tx,
  { id, projectId, connection }: Pick<NewMessage, 'id' | 'projectId' | 'connection'>,
  parts: readonly { id: string; units: number }[],
  { lane, notBefore }: { lane: number; notBefore: Date | null },
) =>
  tx.run(sql`
    insert into sms_parts (id, project_id, message_id, seq, units, destination, lane, state, due_at)
    select part.id, ${projectId}, ${id}, part.seq, part.units, ${connection}, ${lane}::smallint,
           case when part.seq > 1 then 'held' when ${notBefore}::timestamptz is null then 'ready' else 'waiting' end,
           coalesce(least(${notBefore}::timestamptz, (select valid_until from sms_messages where id = ${id})), clock_now())
      from unnest(${parts.map((part) => part.id)}::uuid[], ${parts.map((part) => part.units)}::int[])
           with ordinality as part (id, units, seq)`)

/** The next reference for parts that belong together, on this connection and to this number. */
export const nextConcatRef = async (tx: Tx, connection: string, phoneHmac: Buffer, bits: 8 | 16): Promise<number> => {
  const { next } = await tx.one(sql<{ next: number }>`
    insert into sms_concat_refs as r (connection, phone_hmac, next) values (${connection}, ${phoneHmac}, 1)
    on conflict (connection, phone_hmac) do update set next = r.next + 1
    returning next`)
  return next % 2 ** bits
}

export interface NewInbound {
  id: SmsId
  projectId: ProjectId
  workspaceId: WorkspaceId
  mode: 'test' | 'live'
  keyword: 'STOP' | 'HELP' | 'START' | null
  senderId: SmsSenderId
  programId: SmsProgramId | null
  phoneHmac: Buffer
  rangeHmac: Buffer
  phone: Buffer
  masked: string
  ourAddress: string
  country: string | null
  connection: string
  units: number
  segments: number
  body: Buffer
  isIncomplete: boolean
}

export const insertInbound = (tx: Tx, m: NewInbound) =>
  tx.one(sql<{ createdAt: Date }>`
    insert into sms_messages
      (id, project_id, workspace_id, mode, direction, status, keyword, sender_id, program_id, phone_hmac,
       phone_prefix_hmac, phone, masked, our_address, country, connection, units, segments, body, is_incomplete,
       valid_until, money_settled_at)
    values (${m.id}, ${m.projectId}, ${m.workspaceId}, ${m.mode}, 'inbound', 'received', ${m.keyword}, ${m.senderId},
            ${m.programId}, ${m.phoneHmac}, ${m.rangeHmac}, ${m.phone}, ${m.masked}, ${m.ourAddress}, ${m.country},
            ${m.connection}, ${m.units}, ${m.segments}, ${m.body}, ${m.isIncomplete}, clock_now(), clock_now())
    returning created_at as "createdAt"`)

/** When this number was last answered a word like HELP. */
export const lastReply = (tx: Tx, project: ProjectId, phoneHmac: Buffer, keyword: string) =>
  tx.maybeOne(sql<{ at: Date }>`
    select created_at as at
      from sms_messages
     where project_id = ${project}
       and phone_hmac = ${phoneHmac}
       and category = 'keyword_reply'
       and keyword = ${keyword}
     order by id desc
     limit 1`)

/** How often a number, and its neighbours, were written to lately; and when the window has room again. */
export interface Velocity {
  inHour: number
  inDay: number
  neighboursInHour: number
  hourOpensAt: Date | null
  dayOpensAt: Date | null
  neighboursOpenAt: Date | null
}

export interface VelocityLimits {
  perHour: number
  perDay: number
  neighboursPerHour: number
}

export const velocity = (db: Db, project: ProjectId, phoneHmac: Buffer, rangeHmac: Buffer, limits: VelocityLimits) =>
  db.one(sql<Velocity>`
    with mine as (
      select created_at, row_number() over (order by created_at desc) as n
        from sms_messages
       where project_id = ${project} and phone_hmac = ${phoneHmac} and idempotency_key is not null
         and created_at > clock_now() - interval '1 day'
    ), around as (
      select max(created_at) as last, row_number() over (order by max(created_at) desc) as n
        from sms_messages
       where project_id = ${project} and phone_prefix_hmac = ${rangeHmac} and phone_hmac <> ${phoneHmac}
         and idempotency_key is not null
         and created_at > clock_now() - interval '1 hour'
       group by phone_hmac
    )
    select (select count(*) from mine where created_at > clock_now() - interval '1 hour') as "inHour",
           (select count(*) from mine) as "inDay",
           (select count(*) from around) as "neighboursInHour",
           (select created_at + interval '1 hour' from mine where n = ${limits.perHour}::int) as "hourOpensAt",
           (select created_at + interval '1 day' from mine where n = ${limits.perDay}::int) as "dayOpensAt",
           (select last + interval '1 hour' from around where n = ${limits.neighboursPerHour}::int) as "neighboursOpenAt"`)

/** Of a sender, since midnight UTC. */
export const segmentsToday = async (db: Db, project: ProjectId, sender: SmsSenderId): Promise<number> => {
  const { segments } = await db.one(sql<{ segments: number }>`
    select coalesce(sum(segments), 0)::bigint as segments
      from sms_messages
     where project_id = ${project}
       and sender_id = ${sender}
       and direction = 'outbound'
       and created_at >= date_trunc('day', clock_now() at time zone 'UTC') at time zone 'UTC'`)
  return segments
}

export interface MessageFilter {
  status: Status | undefined
  direction: 'outbound' | 'inbound' | undefined
  category: Category | undefined
  programId: SmsProgramId | undefined
  senderId: SmsSenderId | undefined
  phoneHmac: Buffer | undefined
  /** The first bytes of the HMAC. */
  recipientRef: Buffer | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

export const list = (db: Db, project: ProjectId, f: MessageFilter, { limit, after }: PageRequest) =>
  db.all(sql<Sms>`
    select ${columns}
      from sms_messages m
     where m.project_id = ${project}
       and (${after}::uuid is null or m.id < ${after}::uuid)
       and (${f.status ?? null}::text is null or sms_status(m) = ${f.status ?? null}::text)
       and m.direction = coalesce(${f.direction ?? null}, m.direction)
       and (${f.category ?? null}::text is null or m.category = ${f.category ?? null}::text)
       and (${f.programId ?? null}::uuid is null or m.program_id = ${f.programId ?? null}::uuid)
       and (${f.senderId ?? null}::uuid is null or m.sender_id = ${f.senderId ?? null}::uuid)
       and (${f.phoneHmac ?? null}::bytea is null or m.phone_hmac = ${f.phoneHmac ?? null}::bytea)
       and (${f.recipientRef ?? null}::bytea is null or substring(m.phone_hmac for 8) = ${f.recipientRef ?? null}::bytea)
       and m.created_at >= coalesce(${f.createdAfter ?? null}::timestamptz, m.created_at)
       and (${f.createdBefore ?? null}::timestamptz is null or m.created_at < ${f.createdBefore ?? null}::timestamptz)
     order by m.id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: SmsId) =>
  db.maybeOne(sql<Sms>`select ${columns} from sms_messages m where m.project_id = ${project} and m.id = ${id}`)

export const parts = (db: Db, project: ProjectId, id: SmsId) =>
  db.all(sql<PartRow>`
    select seq, units, state, provider_message_id as "providerMessageId", error_code as "errorCode",
           provider_error_code as "providerErrorCode", submitted_at as "submittedAt", final_at as "finalAt"
      from sms_parts
     where project_id = ${project} and message_id = ${id}
     order by seq`)

export const happenings = (db: Db, project: ProjectId, id: SmsId) =>
  db.all(sql<Happening>`
    select type, at, status, error_code as "errorCode", detail
      from sms_events
     where project_id = ${project} and message_id = ${id}
     order by id`)

export interface NewHappening {
  id: string
  projectId: ProjectId
  messageId: string
  type: string
  status?: string | null
  errorCode?: string | null
  detail?: string
}

export const addHappenings = (tx: Tx, all: readonly NewHappening[]) =>
  tx.run(sql`
    insert into sms_events (id, project_id, message_id, type, status, error_code, detail)
    select * from unnest(
      ${all.map((h) => h.id)}::uuid[], ${all.map((h) => h.projectId)}::uuid[], ${all.map((h) => h.messageId)}::uuid[],
      ${all.map((h) => h.type)}::text[], ${all.map((h) => h.status ?? null)}::text[],
      ${all.map((h) => h.errorCode ?? null)}::text[], ${all.map((h) => h.detail ?? '')}::text[])`)
