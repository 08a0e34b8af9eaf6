import type { ProjectId, SmsProfileId, SmsProgramId, SmsSenderId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { identifier, sql, type Query } from '../../../storage/sql.ts'
import type { Profile, Program, RecordStatus, Rejection, Sender } from './schema.ts'

const shared = sql<never>`
  r.project_id as "projectId", (select workspace_id from projects where id = r.project_id) as "workspaceId", r.status,
  r.rejection_reasons as "rejectionReasons", r.created_at as "createdAt", r.updated_at as "updatedAt"`

const profileColumns = sql<never>`r.id, r.fields, r.registration_last2 as "registrationLast2", ${shared}`
const programColumns = sql<never>`
  r.id, r.fields, r.business_profile_id as "businessProfileId", r.is_built_in as "isBuiltIn", ${shared}`
const senderColumns = sql<never>`
  r.id, r.program_id as "programId", r.is_built_in as "isBuiltIn", r.type, r.address, r.country, r.two_way as "twoWay",
  r.connection, r.throughput_per_second as "throughputPerSecond", r.daily_cap as "dailyCap", ${shared}`

const listed = <Row>(
  db: Db,
  columns: Query<never>,
  table: string,
  project: ProjectId,
  status: RecordStatus | undefined,
  { limit, after }: PageRequest,
): Promise<Row[]> =>
  db.all(sql<Row>`
    select ${columns}
      from ${identifier(table)} r
     where r.project_id = ${project}
       and r.status = coalesce(${status}, r.status)
       and (${after}::uuid is null or r.id < ${after}::uuid)
     order by r.id desc
     limit ${limit + 1}`)

type Of = [db: Db, project: ProjectId, status: RecordStatus | undefined, request: PageRequest]
export const profiles = (...[db, ...rest]: Of) => listed<Profile>(db, profileColumns, 'sms_business_profiles', ...rest)
export const programs = (...[db, ...rest]: Of) => listed<Program>(db, programColumns, 'sms_programs', ...rest)
export const senders = (...[db, ...rest]: Of) => listed<Sender>(db, senderColumns, 'sms_senders', ...rest)

export const profile = (db: Db, project: ProjectId, id: SmsProfileId) =>
  db.maybeOne(sql<Profile>`
    select ${profileColumns} from sms_business_profiles r where r.project_id = ${project} and r.id = ${id}`)
export const program = (db: Db, project: ProjectId, id: SmsProgramId) =>
  db.maybeOne(sql<Program>`
    select ${programColumns} from sms_programs r where r.project_id = ${project} and r.id = ${id}`)
export const sender = (db: Db, project: ProjectId, id: SmsSenderId) =>
  db.maybeOne(sql<Sender>`select ${senderColumns} from sms_senders r where r.project_id = ${project} and r.id = ${id}`)

export const builtInProgram = (db: Db, project: ProjectId) =>
  db.maybeOne(
    sql<Program>`select ${programColumns} from sms_programs r where r.project_id = ${project} and r.is_built_in`,
  )
export const builtInSender = (db: Db, project: ProjectId) =>
  db.maybeOne(sql<Sender>`select ${senderColumns} from sms_senders r where r.project_id = ${project} and r.is_built_in`)
export const sendersOfProgram = (db: Db, project: ProjectId, programId: SmsProgramId) =>
  db.all(sql<Sender>`
    select ${senderColumns} from sms_senders r where r.project_id = ${project} and r.program_id = ${programId} limit 2`)

/** Of all projects: the one that can send with an address through this connection. */
export const activeSender = (db: Db, connection: string, address: string) =>
  db.maybeOne(sql<Sender>`
    select ${senderColumns}
      from sms_senders r
     where r.address = ${address}
       and r.connection = ${connection}
       and r.status = 'active'
       and r.type <> 'simulator'`)

/** Held until the transaction ends. */
const locked = <Row>(tx: Tx, columns: Query<never>, table: string, project: ProjectId, id: string) =>
  tx.maybeOne(sql<Row>`
    select ${columns} from ${identifier(table)} r where r.project_id = ${project} and r.id = ${id} for update`)
export const lockProfile = (tx: Tx, project: ProjectId, id: SmsProfileId) =>
  locked<Profile>(tx, profileColumns, 'sms_business_profiles', project, id)
export const lockProgram = (tx: Tx, project: ProjectId, id: SmsProgramId) =>
  locked<Program>(tx, programColumns, 'sms_programs', project, id)
export const lockSender = (tx: Tx, project: ProjectId, id: SmsSenderId) =>
  locked<Sender>(tx, senderColumns, 'sms_senders', project, id)

export interface SealedNumber {
  registrationNumber: Buffer | null
  registrationLast2: string | null
}

export const insertProfile = (tx: Tx, project: ProjectId, id: SmsProfileId, fields: object, number: SealedNumber) =>
  tx.one(sql<Profile>`
    insert into sms_business_profiles as r (id, project_id, fields, registration_number, registration_last2)
    values (${id}, ${project}, ${JSON.stringify(fields)}, ${number.registrationNumber}, ${number.registrationLast2})
    returning ${profileColumns}`)

export const updateProfile = (
  tx: Tx,
  project: ProjectId,
  id: SmsProfileId,
  { fields, status, number }: { fields: object; status: RecordStatus; number: SealedNumber | undefined },
) =>
  tx.one(sql<Profile>`
    update sms_business_profiles r
       set fields = ${JSON.stringify(fields)},
           status = ${status},
           registration_number = case when ${number !== undefined} then ${number?.registrationNumber ?? null}::bytea
                                      else r.registration_number end,
           registration_last2 = case when ${number !== undefined} then ${number?.registrationLast2 ?? null}::text
                                     else r.registration_last2 end,
           updated_at = clock_now()
     where r.project_id = ${project}
       and r.id = ${id}
    returning ${profileColumns}`)

export interface NewProgram {
  id: SmsProgramId
  businessProfileId: SmsProfileId | null
  fields: object
  isBuiltIn?: boolean
}

export const insertProgram = (tx: Tx, project: ProjectId, p: NewProgram) =>
  tx.one(sql<Program>`
    insert into sms_programs as r (id, project_id, business_profile_id, fields, is_built_in, status)
    values (${p.id}, ${project}, ${p.businessProfileId}, ${JSON.stringify(p.fields)}, ${p.isBuiltIn ?? false},
            ${p.isBuiltIn ? 'approved' : 'draft'})
    returning ${programColumns}`)

export const updateProgram = (
  tx: Tx,
  project: ProjectId,
  id: SmsProgramId,
  change: { fields: object; status: RecordStatus; businessProfileId: SmsProfileId | null },
) =>
  tx.one(sql<Program>`
    update sms_programs r
       set fields = ${JSON.stringify(change.fields)}, status = ${change.status},
           business_profile_id = ${change.businessProfileId}, updated_at = clock_now()
     where r.project_id = ${project}
       and r.id = ${id}
    returning ${programColumns}`)

export interface NewSender {
  id: SmsSenderId
  programId: SmsProgramId | null
  type: Sender['type']
  address: string
  country: string
  twoWay: boolean
  /** Made with the project, and active from the start. */
  builtInConnection?: string
}

export const insertSender = (tx: Tx, project: ProjectId, s: NewSender) =>
  tx.one(sql<Sender>`
    insert into sms_senders as r
      (id, project_id, program_id, is_built_in, type, address, country, two_way, status, connection)
    values (${s.id}, ${project}, ${s.programId}, ${s.builtInConnection !== undefined}, ${s.type}, ${s.address},
            ${s.country}, ${s.twoWay}, ${s.builtInConnection === undefined ? 'draft' : 'active'},
            ${s.builtInConnection ?? null})
    returning ${senderColumns}`)

export const updateSender = (
  tx: Tx,
  project: ProjectId,
  id: SmsSenderId,
  change: Pick<Sender, 'status' | 'programId' | 'address' | 'country' | 'twoWay'>,
) =>
  tx.one(sql<Sender>`
    update sms_senders r
       set status = ${change.status}, program_id = ${change.programId}, address = ${change.address},
           country = ${change.country}, two_way = ${change.twoWay}, updated_at = clock_now()
     where r.project_id = ${project}
       and r.id = ${id}
    returning ${senderColumns}`)

export const setSenderLimits = (
  tx: Tx,
  project: ProjectId,
  id: SmsSenderId,
  {
    status,
    connection,
    perSecond,
    dailyCap,
  }: {
    status: RecordStatus
    connection: string | null
    perSecond: number | null
    dailyCap: number | null
  },
) =>
  tx.run(sql`
    update sms_senders
       set status = ${status}, connection = ${connection}, throughput_per_second = ${perSecond},
           daily_cap = ${dailyCap}, updated_at = clock_now()
     where project_id = ${project}
       and id = ${id}`)

export type RecordTable = 'sms_business_profiles' | 'sms_programs' | 'sms_senders'

/** The operator finds a record by its id alone, and decides. Undefined when it is not in one of these statuses. */
export const decide = (
  tx: Tx,
  table: RecordTable,
  id: string,
  { from, to, reasons }: { from: readonly RecordStatus[]; to: RecordStatus; reasons: readonly Rejection[] },
) =>
  tx.maybeOne(sql<{ projectId: ProjectId }>`
    update ${identifier(table)}
       set status = ${to}, rejection_reasons = ${JSON.stringify(reasons)}, updated_at = clock_now()
     where id = ${id}
       and status = any(${from}::text[])
    returning project_id as "projectId"`)

export const ownerOf = (tx: Tx, table: RecordTable, id: string) =>
  tx.maybeOne(sql<{ projectId: ProjectId; status: RecordStatus }>`
    select project_id as "projectId", status from ${identifier(table)} where id = ${id}`)
