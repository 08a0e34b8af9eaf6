import type { ProjectId, SmsConsentId, SmsProgramId } from '../../../../core/ids.ts'
import type { PageRequest } from '../../../../core/page.ts'
import type { Db, Tx } from '../../../../storage/postgres.ts'
import { sql } from '../../../../storage/sql.ts'
import type { Consent, ConsentType } from '../schema.ts'

const columns = sql<never>`
  c.id, c.project_id as "projectId", c.program_id as "programId", c.phone_hmac as "phoneHmac", c.phone, c.masked, c.type,
  c.action, c.method, c.captured_at as "capturedAt", c.evidence, c.evidence_sha256 as "evidenceSha256",
  c.recipient_timezone as "recipientTimezone", c.expires_at as "expiresAt", c.recorded_at as "recordedAt",
  c.recorded_by as "recordedBy"`

/** The newest of a number and a program counts; of two at the same moment the one that takes it back. */
const newestFirst = sql<never>`c.captured_at desc, c.action = 'revoked' desc, c.id desc`

export interface ConsentFilter {
  phoneHmac: Buffer | undefined
  programId: SmsProgramId | undefined
  action: string | undefined
}

export const list = (
  db: Db,
  project: ProjectId,
  { phoneHmac, programId, action }: ConsentFilter,
  { limit, after }: PageRequest,
) =>
  db.all(sql<Consent>`
    select ${columns}
      from sms_consents c
     where c.project_id = ${project}
       and (${phoneHmac ?? null}::bytea is null or c.phone_hmac = ${phoneHmac ?? null}::bytea)
       and (${programId ?? null}::uuid is null or c.program_id = ${programId ?? null}::uuid)
       and c.action = coalesce(${action}, c.action)
       and (${after}::uuid is null or c.id < ${after}::uuid)
     order by c.id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: SmsConsentId) =>
  db.maybeOne(sql<Consent>`select ${columns} from sms_consents c where c.project_id = ${project} and c.id = ${id}`)

/** What counts for a number and a program now, granted or not. */
export const newest = (db: Db, project: ProjectId, phoneHmac: Buffer, program: SmsProgramId) =>
  db.maybeOne(sql<Consent & { isExpired: boolean }>`
    select ${columns}, coalesce(c.expires_at <= clock_now(), false) as "isExpired"
      from sms_consents c
     where c.project_id = ${project}
       and c.phone_hmac = ${phoneHmac}
       and c.program_id = ${program}
     order by ${newestFirst}
     limit 1`)

/** For each program that ever had one: what counts now, and what counted before it was last taken back. */
export const standings = (tx: Tx, project: ProjectId, phoneHmac: Buffer) =>
  tx.all(sql<{ programId: SmsProgramId; action: 'granted' | 'revoked'; grantedType: ConsentType | null }>`
    select p.program_id as "programId", now.action, before.type as "grantedType"
      from (select distinct program_id from sms_consents where project_id = ${project} and phone_hmac = ${phoneHmac}) p
     cross join lateral (
             select c.action, c.captured_at
               from sms_consents c
              where c.project_id = ${project} and c.phone_hmac = ${phoneHmac} and c.program_id = p.program_id
              order by ${newestFirst}
              limit 1) now
      left join lateral (
             select c.type
               from sms_consents c
              where c.project_id = ${project} and c.phone_hmac = ${phoneHmac} and c.program_id = p.program_id
                and c.action = 'granted' and (c.expires_at is null or c.expires_at > clock_now())
              order by ${newestFirst}
              limit 1) before on true`)

export type NewConsent = Omit<Consent, 'recordedAt' | 'capturedAt'> & {
  /** Null for now. */
  capturedAt: Date | null
  fingerprint: Buffer
}

/** Undefined when the very same is on record already. */
export const insert = (tx: Tx, c: NewConsent) =>
  tx.maybeOne(sql<Consent>`
    insert into sms_consents as c
      (id, project_id, program_id, phone_hmac, phone, masked, type, action, method, captured_at, evidence,
       evidence_sha256, recipient_timezone, expires_at, recorded_by, fingerprint)
    values (${c.id}, ${c.projectId}, ${c.programId}, ${c.phoneHmac}, ${c.phone}, ${c.masked}, ${c.type}, ${c.action},
            ${c.method}, coalesce(${c.capturedAt}::timestamptz, clock_now()), ${c.evidence}, ${c.evidenceSha256},
            ${c.recipientTimezone}, ${c.expiresAt}, ${c.recordedBy}, ${c.fingerprint})
    on conflict (project_id, fingerprint) do nothing
    returning ${columns}`)

export const byFingerprint = (tx: Tx, project: ProjectId, fingerprint: Buffer) =>
  tx.one(sql<Consent>`
    select ${columns} from sms_consents c where c.project_id = ${project} and c.fingerprint = ${fingerprint}`)

/** Whether the handset wrote to this sender within a day: whoever asks may be answered. */
export const wroteLately = async (db: Db, project: ProjectId, phoneHmac: Buffer, sender: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from sms_messages
     where project_id = ${project}
       and phone_hmac = ${phoneHmac}
       and sender_id = ${sender}
       and direction = 'inbound'
       and created_at > clock_now() - interval '24 hours'
     limit 1`)) !== undefined
