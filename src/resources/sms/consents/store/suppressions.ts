import type { ProjectId, SmsProgramId, SmsSuppressionId } from '../../../../core/ids.ts'
import type { PageRequest } from '../../../../core/page.ts'
import type { Db, Tx } from '../../../../storage/postgres.ts'
import { sql } from '../../../../storage/sql.ts'
import type { Origin, Suppression } from '../schema.ts'

/** One whose time was limited and is over reads as lifted, whether or not somebody has written so. */
const columns = sql<never>`
  s.id, s.project_id as "projectId", s.phone_hmac as "phoneHmac", s.masked, s.scope, s.program_id as "programId",
  s.origin, s.reason, s.note,
  case when s.expires_at <= clock_now() then 'lifted' else s.status end as status, s.created_at as "createdAt",
  coalesce(s.lifted_at, case when s.expires_at <= clock_now() then s.expires_at end) as "liftedAt",
  coalesce(s.lifted_by, case when s.expires_at <= clock_now() then 'time' end) as "liftedBy"`

export interface SuppressionFilter {
  phoneHmac: Buffer | undefined
  programId: SmsProgramId | undefined
  status: 'active' | 'lifted' | undefined
}

export const list = (
  db: Db,
  project: ProjectId,
  { phoneHmac, programId, status }: SuppressionFilter,
  { limit, after }: PageRequest,
) =>
  db.all(sql<Suppression>`
    select ${columns}
      from sms_suppressions s
     where s.project_id = ${project}
       and (${phoneHmac ?? null}::bytea is null or s.phone_hmac = ${phoneHmac ?? null}::bytea)
       and (${programId ?? null}::uuid is null or s.program_id = ${programId ?? null}::uuid)
       and (${status}::text is null
            or (case when s.expires_at <= clock_now() then 'lifted' else s.status end) = ${status}::text)
       and (${after}::uuid is null or s.id < ${after}::uuid)
     order by s.id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: SmsSuppressionId) =>
  db.maybeOne(sql<Suppression>`
    select ${columns} from sms_suppressions s where s.project_id = ${project} and s.id = ${id}`)

/** Those that keep this program from texting this number; the project's own first. */
export const active = (db: Db, project: ProjectId, phoneHmac: Buffer, program: SmsProgramId | null) =>
  db.all(sql<Suppression>`
    select ${columns}
      from sms_suppressions s
     where s.project_id = ${project}
       and s.phone_hmac = ${phoneHmac}
       and s.status = 'active'
       and (s.expires_at is null or s.expires_at > clock_now())
       and (s.scope = 'project' or s.program_id = ${program}::uuid)
     order by s.scope = 'program', s.id`)

export interface NewSuppression {
  id: SmsSuppressionId
  projectId: ProjectId
  phoneHmac: Buffer
  phone: Buffer
  masked: string
  scope: 'project' | 'program'
  programId: SmsProgramId | null
  origin: Origin
  reason: Suppression['reason']
  note: string | null
  /** For numbers that nobody can answer from; null for good. */
  expiresAfterMs: number | null
}

/** Undefined when there is one already. */
export const insert = (tx: Tx, s: NewSuppression) =>
  tx.maybeOne(sql<Suppression>`
    insert into sms_suppressions as s
      (id, project_id, phone_hmac, phone, masked, scope, program_id, origin, reason, note, expires_at)
    values (${s.id}, ${s.projectId}, ${s.phoneHmac}, ${s.phone}, ${s.masked}, ${s.scope}, ${s.programId}, ${s.origin},
            ${s.reason}, ${s.note}, clock_now() + ${s.expiresAfterMs}::float8 * interval '1 millisecond')
    on conflict (project_id, phone_hmac, scope, coalesce(program_id, project_id)) where status = 'active' do nothing
    returning ${columns}`)

/** A stronger reason than the one that is there: whoever said STOP is not brought back by a form. */
export const liftWeaker = (tx: Tx, project: ProjectId, phoneHmac: Buffer) =>
  tx.run(sql`
    update sms_suppressions
       set status = 'lifted', lifted_at = clock_now(), lifted_by = 'stop'
     where project_id = ${project}
       and phone_hmac = ${phoneHmac}
       and scope = 'project'
       and status = 'active'
       and origin in ('inferred', 'manual')`)

export const liftExpired = (tx: Tx, project: ProjectId, phoneHmac: Buffer) =>
  tx.run(sql`
    update sms_suppressions
       set status = 'lifted', lifted_at = expires_at, lifted_by = 'time'
     where project_id = ${project}
       and phone_hmac = ${phoneHmac}
       and status = 'active'
       and expires_at <= clock_now()`)

/** By the handset itself: everything. */
export const liftAll = (tx: Tx, project: ProjectId, phoneHmac: Buffer, by: string) =>
  tx.all(sql<Suppression>`
    update sms_suppressions s
       set status = 'lifted', lifted_at = clock_now(), lifted_by = ${by}
     where s.project_id = ${project}
       and s.phone_hmac = ${phoneHmac}
       and s.status = 'active'
    returning ${columns}`)

/** By a consent that came later: only what somebody else had put there, and what had only been inferred. */
export const liftByConsent = (tx: Tx, project: ProjectId, phoneHmac: Buffer, program: SmsProgramId, capturedAt: Date) =>
  tx.all(sql<Suppression>`
    update sms_suppressions s
       set status = 'lifted', lifted_at = clock_now(), lifted_by = 'consent'
     where s.project_id = ${project}
       and s.phone_hmac = ${phoneHmac}
       and s.status = 'active'
       and s.origin in ('inferred', 'manual')
       and (s.scope = 'project' or s.program_id = ${program})
       and s.created_at < ${capturedAt}
    returning ${columns}`)
