import type { ProjectId, SmsId, SmsProgramId, SmsSenderId, WorkspaceId } from '../../../../core/ids.ts'
import type { Db, Tx } from '../../../../storage/postgres.ts'
import { sql } from '../../../../storage/sql.ts'

export interface InboundRow {
  id: string
  connection: string
  projectId: ProjectId
  senderId: SmsSenderId
  fromHmac: Buffer
  phone: Buffer
  ref: number
  total: number
  seq: number
  bodySha256: Buffer
  alphabet: string
  payload: Buffer
  isAnswered: boolean
}

/** Of what has a name of its own, which is the same at any time. */
const TIMELESS = 0
const NAMES_KEPT_DAYS = 7

/**
 * False for one that was here within the last minutes, or days where it has a name: carriers say things twice. Unless
 * it is meant as another one.
 */
export const insert = async (
  tx: Tx,
  p: InboundRow,
  { bucketSeconds, isNamed, isAnother }: { bucketSeconds: number; isNamed: boolean; isAnother: boolean },
): Promise<boolean> =>
  (await tx.run(sql`
    insert into sms_inbound_parts
      (id, connection, project_id, sender_id, from_hmac, phone, ref, total, seq, body_sha256, bucket, take, alphabet,
       payload, is_answered)
    values (${p.id}, ${p.connection}, ${p.projectId}, ${p.senderId}, ${p.fromHmac}, ${p.phone}, ${p.ref}, ${p.total},
            ${p.seq}, ${p.bodySha256},
            case when ${isNamed} then ${TIMELESS} else floor(extract(epoch from clock_now()) / ${bucketSeconds}::int) end,
            case when ${isAnother} then (
              select count(*) from sms_inbound_parts where sender_id = ${p.senderId} and from_hmac = ${p.fromHmac})
              else 0 end, ${p.alphabet},
            ${p.payload}, ${p.isAnswered})
    on conflict do nothing`)) > 0

/** The last words of a handset to a sender of ours. */
export const lastSaid = (tx: Tx, { senderId, fromHmac }: Pick<InboundRow, 'senderId' | 'fromHmac'>) =>
  tx.maybeOne(sql<{ bodySha256: Buffer }>`
    select body_sha256 as "bodySha256"
      from sms_inbound_parts
     where sender_id = ${senderId}
       and from_hmac = ${fromHmac}
     order by id desc
     limit 1`)

export type InboundGroup = Pick<InboundRow, 'connection' | 'projectId' | 'senderId' | 'fromHmac' | 'ref' | 'total'>

/** Two parts of one message that come at the same moment see each other. */
export const lockGroup = (tx: Tx, g: InboundGroup) =>
  tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(
      ${`sms in ${g.connection} ${g.senderId} ${g.fromHmac.toString('hex')} ${g.ref} ${g.total}`}, 0))`)

export type StoredPart = InboundRow & { waitedMs: number }

/** All parts of a message that are here and not yet part of one. */
export const waiting = (tx: Tx, g: InboundGroup) =>
  tx.all(sql<StoredPart>`
    select id, connection, project_id as "projectId", sender_id as "senderId", from_hmac as "fromHmac", phone, ref, total,
           seq, body_sha256 as "bodySha256", alphabet, payload, is_answered as "isAnswered",
           extract(epoch from clock_now() - min(created_at) over ())::float8 * 1000 as "waitedMs"
      from sms_inbound_parts
     where connection = ${g.connection}
       and project_id = ${g.projectId}
       and sender_id = ${g.senderId}
       and from_hmac = ${g.fromHmac}
       and ref = ${g.ref}
       and total = ${g.total}
       and joined_at is null
     order by id`)

export const joined = (tx: Tx, ids: readonly string[]) =>
  tx.run(sql`update sms_inbound_parts set joined_at = clock_now(), payload = null where id = any(${ids}::uuid[])`)

/** Those whose missing parts will not come any more. */
export const overdue = (db: Db, afterMs: number, most: number) =>
  db.all(sql<InboundGroup>`
    select connection, project_id as "projectId", sender_id as "senderId", from_hmac as "fromHmac", ref, total
      from sms_inbound_parts
     where joined_at is null
     group by connection, project_id, sender_id, from_hmac, ref, total
    having min(created_at) <= clock_now() - ${afterMs}::float8 * interval '1 millisecond'
     limit ${most}`)

/** What nobody asks about any more. */
export const forget = async (db: Db, minutes: number): Promise<void> => {
  await db.run(sql`
    delete from sms_inbound_parts
     where joined_at is not null
       and created_at < clock_now() - make_interval(mins => ${2 * minutes})
       and (bucket <> ${TIMELESS} or created_at < clock_now() - make_interval(days => ${NAMES_KEPT_DAYS}))`)
  await db.run(sql`
    delete from sms_orphan_receipts where created_at < clock_now() - make_interval(mins => ${minutes})`)
}

/** Texts whose time is over. Whom they went to and what they cost stays. */
export const purgeBodies = (db: Db, days: number, most: number) =>
  db.run(sql`
    update sms_messages
       set body = null, body_sent = null, metadata = null, body_purged_at = clock_now()
     where id = any(array(
             select id
               from sms_messages
              where body is not null
                and created_at < clock_now() - make_interval(days => ${days})
              limit ${most}
                for update skip locked))`)

export interface Correspondence {
  projectId: ProjectId
  workspaceId: WorkspaceId
  projectName: string
  mode: 'test' | 'live'
  phoneHmac: Buffer
  phone: Buffer
  senderId: SmsSenderId
  programId: SmsProgramId | null
}

/** Who wrote to whom in a message of ours. */
export const correspondence = (tx: Db, message: SmsId) =>
  tx.maybeOne(sql<Correspondence>`
    select m.project_id as "projectId", m.workspace_id as "workspaceId", p.name as "projectName", m.mode,
           m.phone_hmac as "phoneHmac", m.phone, m.sender_id as "senderId", m.program_id as "programId"
      from sms_messages m
      join projects p on p.id = m.project_id
     where m.id = ${message}`)

export interface Simulation {
  id: string
  messageId: SmsId
  happening: unknown
}

export const simulations = (db: Db, ids: readonly string[]) =>
  db.all(sql<Simulation>`
    select id, message_id as "messageId", happening from sms_simulations where id = any(${ids}::uuid[])`)

export const endSimulations = (tx: Tx, ids: readonly string[]) =>
  tx.run(sql`delete from sms_simulations where id = any(${ids}::uuid[])`)

export const postponeSimulations = (tx: Tx, ids: readonly string[], ms: number) =>
  tx.run(sql`
    update sms_simulations
       set state = 'waiting', lease_worker = null, due_at = clock_now() + ${ms}::float8 * interval '1 millisecond'
     where id = any(${ids}::uuid[])`)
