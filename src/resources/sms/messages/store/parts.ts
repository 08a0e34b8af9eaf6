import type { ProjectId, SmsId, SmsProgramId, SmsSenderId, WorkspaceId } from '../../../../core/ids.ts'
import type { Database, Db, Tx } from '../../../../storage/postgres.ts'
import { sql, type Query } from '../../../../storage/sql.ts'
import type { Alphabet, Category } from '../schema/messages.ts'

/** A part as it is to be submitted. */
export interface DuePart {
  id: string
  projectId: ProjectId
  messageId: SmsId
  seq: number
  attempts: number
  /** It was begun under an earlier lease, and nobody knows what came of it. */
  isInDoubt: boolean
  category: Category
  mode: 'test' | 'live'
  phone: Buffer
  body: Buffer | null
  bodySent: Buffer | null
  encoding: Alphabet
  segments: number
  concatRef: number | null
  validUntil: Date
  quiet: { zones: string[]; hours: { start: string; end: string; sundayStart?: string } } | null
  senderId: SmsSenderId
  senderType: string
  ourAddress: string
  perSecond: number | null
  now: Date
}

/** Step by step, each by a primary key (see `byIndex`). */
export const load = (db: Database, ids: readonly string[]) =>
  db.byIndex.all(sql<DuePart>`
    select p.id, p.project_id as "projectId", p.message_id as "messageId", p.seq, p.attempts,
           p.begun_lease is not null as "isInDoubt", m.category, m.mode, m.phone, m.body, m.body_sent as "bodySent",
           m.encoding, m.segments, m.concat_ref as "concatRef", m.valid_until as "validUntil", m.quiet,
           m.sender_id as "senderId", s.type as "senderType", m.our_address as "ourAddress",
           s.throughput_per_second as "perSecond", clock_now() as now
      from unnest(${ids}::uuid[]) as wanted (id)
     cross join lateral (select * from sms_parts where id = wanted.id offset 0) p
     cross join lateral (select * from sms_messages where id = p.message_id offset 0) m
     cross join lateral (select * from sms_senders where id = m.sender_id offset 0) s`)

/** Why a part must not be submitted now, one column for each reason. */
const obstaclesOf = (liveEnabled: boolean): Query<never> => sql<never>`
  q.begun_lease is not null and q.begun_lease < q.lease_no as "isInDoubt",
  m.status not in ('queued', 'deferred') or p.status = 'archived' as "isOver",
  m.valid_until <= clock_now() as "isExpired",
  m.category <> 'keyword_reply' and sms_suppressed(m.project_id, m.phone_hmac, m.program_id) as "isSuppressed",
  m.consent_needed > 0 and sms_consent_level(m.project_id, m.phone_hmac, m.program_id) < m.consent_needed
    as "lacksConsent",
  case when p.status = 'paused' then 'project_paused'
       when not p.sms_invited then 'not_invited'
       when m.mode = 'live' and not (p.sms_live and ${liveEnabled}::boolean) then 'live_disabled'
       when s.status <> 'active' then 'sender_not_ready'
       when g.status <> 'approved' then 'program_not_ready' end as "heldBy"`

const surroundings = sql<never>`
    sms_messages m
    join projects p on p.id = m.project_id
    join sms_senders s on s.id = m.sender_id
    left join sms_programs g on g.id = m.program_id`

export interface Obstacles {
  id: string
  isInDoubt: boolean
  isOver: boolean
  isExpired: boolean
  isSuppressed: boolean
  lacksConsent: boolean
  heldBy: string | null
}

/** Of leased parts, `q`; asked in the moment in which they would leave. */
export const mayBegin = (liveEnabled: boolean): Query<never> => sql<never>`
  exists (
    select
      from (select ${obstaclesOf(liveEnabled)} from ${surroundings} where m.id = q.message_id) o
     where not (o."isInDoubt" or o."isOver" or o."isExpired" or o."isSuppressed" or o."lacksConsent")
       and o."heldBy" is null)`

export const obstacles = (tx: Tx, ids: readonly string[], liveEnabled: boolean) =>
  tx.all(sql<Obstacles>`
    select q.id, ${obstaclesOf(liveEnabled)}
      from sms_parts q
      join (${surroundings}) on m.id = q.message_id
     where q.id = any(${ids}::uuid[])`)

export const messagesOf = (db: Db, parts: readonly string[]) =>
  db.all(sql<{ id: string; messageId: SmsId }>`
    select id, message_id as "messageId" from sms_parts where id = any(${parts}::uuid[])`)

export interface LockedMessage {
  id: SmsId
  projectId: ProjectId
  workspaceId: WorkspaceId
  walletId: string
  mode: 'test' | 'live'
  status: 'queued' | 'deferred' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'expired' | 'unconfirmed'
  category: Category
  phone: Buffer
  masked: string
  senderId: SmsSenderId
  programId: SmsProgramId | null
  encoding: Alphabet
  segments: number
  segmentMicros: number
  chargedMicros: number
  isMoneySettled: boolean
  refundsUndelivered: boolean
  errorCode: string | null
  providerErrorCode: string | null
  sequence: number
  sentAt: Date | null
}

/** After their wallets, and in one order. */
export const lockMessages = (tx: Tx, ids: readonly string[]) =>
  tx.all(sql<LockedMessage>`
    select m.id, m.project_id as "projectId", m.workspace_id as "workspaceId", w.id as "walletId", m.mode, m.status,
           m.category, m.phone, m.masked, m.sender_id as "senderId", m.program_id as "programId", m.encoding, m.segments,
           m.segment_micros as "segmentMicros", m.charged_micros as "chargedMicros",
           m.money_settled_at is not null as "isMoneySettled",
           coalesce(r.refund_undelivered, false) as "refundsUndelivered", m.error_code as "errorCode",
           m.provider_error_code as "providerErrorCode", m.sequence, m.sent_at as "sentAt"
      from sms_messages m
      join sms_wallets w on w.project_id = m.project_id and w.mode = m.mode
      left join sms_rates r on r.id = m.rate_id
     where m.id = any(${ids}::uuid[])
       and m.direction = 'outbound'
     order by m.id
       for update of m`)

export interface PartOfMessage {
  id: string
  messageId: SmsId
  seq: number
  state: string
  accepted: boolean
  errorCode: string | null
  providerErrorCode: string | null
  providerMessageId: string | null
}

export const partsOf = (tx: Tx, messages: readonly string[]) =>
  tx.all(sql<PartOfMessage>`
    select id, message_id as "messageId", seq, state, accepted, error_code as "errorCode",
           provider_error_code as "providerErrorCode", provider_message_id as "providerMessageId"
      from sms_parts
     where message_id = any(${messages}::uuid[])
     order by message_id, seq`)

/**
 * Those that nobody has in his hands, locked. Whoever holds a message must not wait for a part that a worker holds: the
 * worker may be waiting for the message.
 */
export const lockIdle = (tx: Tx, messages: readonly string[]) =>
  tx.all(sql<{ id: string }>`
    select id
      from sms_parts
     where message_id = any(${messages}::uuid[])
       and state in ('waiting', 'ready', 'held')
     order by id
       for update skip locked`)

/** Not on their way yet, to this number. */
export const unsentTo = (tx: Tx, project: ProjectId, phoneHmac: Buffer, program: SmsProgramId | null) =>
  tx.all(sql<{ id: SmsId }>`
    select id
      from sms_messages
     where project_id = ${project}
       and phone_hmac = ${phoneHmac}
       and status in ('queued', 'deferred')
       and category <> 'keyword_reply'
       and (${program}::uuid is null or program_id = ${program}::uuid)`)

export interface PartUpdate {
  id: string
  state: string
  /** For `waiting`. */
  afterMs: number
  accepted: boolean
  isAttempt: boolean
  isSubmission: boolean
  isFinal: boolean
  errorCode: string | null
  providerErrorCode: string | null
  providerMessageId: string | null
}

/** Out of whatever lease they had. A code that is known stays when nothing is said about it. */
export const updateParts = (tx: Tx, all: readonly PartUpdate[]) =>
  tx.run(sql`
    update sms_parts p
       set state = n.state,
           due_at = least(clock_now() + n.after_ms * interval '1 millisecond',
                          greatest(clock_now(), (select valid_until from sms_messages where id = p.message_id))),
           lease_worker = null,
           begun_lease = null,
           accepted = p.accepted or n.accepted,
           attempts = least(p.attempts + n.is_attempt::int, 32767),
           submitted_at = case when n.is_submission then coalesce(p.submitted_at, clock_now()) else p.submitted_at end,
           final_at = case when n.is_final then coalesce(p.final_at, clock_now()) else p.final_at end,
           error_code = coalesce(n.error_code, p.error_code),
           provider_error_code = coalesce(n.provider_error_code, p.provider_error_code),
           provider_message_id = coalesce(n.provider_message_id, p.provider_message_id)
      from unnest(${all.map((u) => u.id)}::uuid[], ${all.map((u) => u.state)}::text[],
                  ${all.map((u) => u.afterMs)}::float8[], ${all.map((u) => u.accepted)}::boolean[],
                  ${all.map((u) => u.isAttempt)}::boolean[], ${all.map((u) => u.isSubmission)}::boolean[],
                  ${all.map((u) => u.isFinal)}::boolean[], ${all.map((u) => u.errorCode)}::text[],
                  ${all.map((u) => u.providerErrorCode)}::text[], ${all.map((u) => u.providerMessageId)}::text[])
           as n (id, state, after_ms, accepted, is_attempt, is_submission, is_final, error_code, provider_error_code,
                 provider_message_id)
     where p.id = n.id`)

export interface MessageUpdate {
  status: LockedMessage['status']
  deferral: { afterMs: number; reason: string } | null
  errorCode: string | null
  providerErrorCode: string | null
  charged: bigint
  isMoneySettled: boolean
  isSent: boolean
  isFinal: boolean
  sequence: number
}

export const updateMessage = (tx: Tx, id: SmsId, u: MessageUpdate) =>
  tx.run(sql`
    update sms_messages
       set status = ${u.status},
           deferred_until = case when ${u.deferral !== null}
                                 then clock_now() + ${u.deferral?.afterMs ?? 0}::float8 * interval '1 millisecond'
                                 else deferred_until end,
           defer_reason = coalesce(${u.deferral?.reason ?? null}, defer_reason),
           error_code = coalesce(error_code, ${u.errorCode}),
           provider_error_code = coalesce(provider_error_code, ${u.providerErrorCode}),
           charged_micros = charged_micros + ${u.charged}::bigint,
           money_settled_at = case when ${u.isMoneySettled} then coalesce(money_settled_at, clock_now()) end,
           sent_at = case when ${u.isSent} then coalesce(sent_at, clock_now()) else sent_at end,
           final_at = case when ${u.isFinal} then coalesce(final_at, clock_now()) else final_at end,
           sequence = ${u.sequence}
     where id = ${id}`)

/** Held until the transaction ends: a report and the answer that it is about never miss each other. */
export const lockProviderIds = (tx: Tx, connection: string, ids: readonly string[]) =>
  tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(name, 0))
      from unnest(${[...new Set(ids)].toSorted().map((id) => `sms ${connection} ${id}`)}::text[]) as name`)

export const byProviderId = (tx: Tx, connection: string, providerId: string) =>
  tx.all(sql<{ id: string; messageId: SmsId; seq: number }>`
    select id, message_id as "messageId", seq
      from sms_parts
     where destination = ${connection}
       and provider_message_id = ${providerId}
     order by seq`)

export interface Orphan {
  id: string
  connection: string
  providerId: string
  receipt: unknown
  projectId: ProjectId | null
  phoneHmac: Buffer | null
}

export const addOrphan = (tx: Tx, o: Orphan) =>
  tx.run(sql`
    insert into sms_orphan_receipts (id, connection, provider_id, receipt, project_id, phone_hmac)
    values (${o.id}, ${o.connection}, ${o.providerId}, ${JSON.stringify(o.receipt)}, ${o.projectId}, ${o.phoneHmac})`)

/** Those whose answer will not come any more. */
export const lateOrphans = (db: Db, seconds: number, most: number) =>
  db.all(sql<Orphan>`
    select id, connection, provider_id as "providerId", receipt, project_id as "projectId", phone_hmac as "phoneHmac"
      from sms_orphan_receipts
     where phone_hmac is not null
       and created_at < clock_now() - make_interval(secs => ${seconds})
     order by id
     limit ${most}`)

export const dropOrphan = (tx: Tx, id: string) => tx.run(sql`delete from sms_orphan_receipts where id = ${id}`)

/**
 * Gives the oldest part to this number whose answer was lost the name that the carrier has for it; and the other parts
 * of its message, where all of them left together.
 */
export const adopt = (tx: Tx, { connection, providerId, projectId, phoneHmac }: Orphan, isWhole: boolean) =>
  tx.run(sql`
    with lost as (
      select p.id, p.message_id
        from sms_parts p
        join sms_messages m on m.id = p.message_id
       where p.destination = ${connection}
         and p.state = 'unknown'
         and p.provider_message_id is null
         and m.project_id = ${projectId}
         and m.phone_hmac = ${phoneHmac}
       order by p.submitted_at, p.id
       limit 1
    )
    update sms_parts q
       set provider_message_id = ${providerId}
      from lost
     where q.message_id = lost.message_id
       and (q.id = lost.id or ${isWhole}::boolean)
       and q.state = 'unknown'
       and q.provider_message_id is null`)

export const takeOrphans = (tx: Tx, connection: string, providerIds: readonly string[]) =>
  tx.all(sql<{ id: string; receipt: unknown }>`
    delete from sms_orphan_receipts
     where connection = ${connection}
       and provider_id = any(${providerIds}::text[])
    returning id, receipt`)

/** What nothing was heard of for so long; of the simulator's as much shorter as its time runs faster. */
export const silent = (db: Db, hours: number, timeScale: number, most: number) =>
  db.all(sql<{ messageId: SmsId }>`
    select distinct p.message_id as "messageId"
      from sms_parts p
      join sms_messages m on m.id = p.message_id
     where p.state in ('sent', 'unknown')
       and m.status in ('sent', 'unconfirmed', 'queued', 'deferred', 'undelivered')
       and p.submitted_at < clock_now()
           - make_interval(hours => ${hours}) * (case m.mode when 'test' then ${timeScale}::float8 else 1 end)
     limit ${most}`)

export const addSimulations = (
  tx: Tx,
  all: readonly { id: string; projectId: ProjectId; messageId: SmsId; happening: object; afterMs: number }[],
) =>
  tx.run(sql`
    insert into sms_simulations (id, project_id, message_id, happening, destination, lane, state, due_at)
    select id, project_id, message_id, happening, message_id::text, 0, 'waiting',
           clock_now() + after_ms * interval '1 millisecond'
      from unnest(${all.map((s) => s.id)}::uuid[], ${all.map((s) => s.projectId)}::uuid[],
                  ${all.map((s) => s.messageId)}::uuid[], ${all.map((s) => JSON.stringify(s.happening))}::jsonb[],
                  ${all.map((s) => s.afterMs)}::float8[]) as s (id, project_id, message_id, happening, after_ms)`)
