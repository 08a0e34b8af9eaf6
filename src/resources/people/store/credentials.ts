import type { PersonId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

/** What proves that it is this person. */
export interface Credentials {
  id: PersonId
  workspaceId: WorkspaceId
  name: string
  email: string
  password: string | null
  /** Sealed. */
  totpSecret: Buffer | null
  hasTotp: boolean
  isDisabled: boolean
}

const columns = sql`
  id, workspace_id as "workspaceId", name, email, password, totp_secret as "totpSecret",
  totp_since is not null as "hasTotp", disabled_at is not null as "isDisabled"`

export const ofEmail = (db: Db, workspace: WorkspaceId, email: string) =>
  db.maybeOne(sql<Credentials>`
    select ${columns} from people
     where workspace_id = ${workspace} and lower(email) = lower(${email}) and removed_at is null`)

export const ofPerson = (db: Db, workspace: WorkspaceId, id: PersonId) =>
  db.maybeOne(sql<Credentials>`
    select ${columns} from people where workspace_id = ${workspace} and id = ${id} and removed_at is null`)

/** Locked until the transaction ends: what was proven stays true while it counts. */
export const locked = (tx: Tx, workspace: WorkspaceId, id: PersonId) =>
  tx.maybeOne(sql<Credentials>`
    select ${columns} from people where workspace_id = ${workspace} and id = ${id} and removed_at is null for update`)

export const setPassword = (tx: Tx, workspace: WorkspaceId, id: PersonId, password: string) =>
  tx.run(sql`update people set password = ${password} where workspace_id = ${workspace} and id = ${id}`)

export const now = (db: Db) => db.one(sql<{ now: Date }>`select clock_now() as now`)

/** A secret that counts only after its first code was seen. False when there is one that counts. */
export const proposeTotp = async (tx: Tx, workspace: WorkspaceId, id: PersonId, secret: Buffer): Promise<boolean> =>
  (await tx.run(sql`
    update people set totp_secret = ${secret}, totp_step = null
     where workspace_id = ${workspace} and id = ${id} and totp_since is null`)) === 1

/** Each step counts once. */
export const useStep = async (tx: Tx, workspace: WorkspaceId, id: PersonId, step: number): Promise<boolean> =>
  (await tx.run(sql`
    update people set totp_step = ${step}
     where workspace_id = ${workspace} and id = ${id} and (totp_step is null or totp_step < ${step})`)) === 1

export const enableTotp = async (tx: Tx, workspace: WorkspaceId, id: PersonId): Promise<boolean> =>
  (await tx.run(sql`
    update people set totp_since = clock_now()
     where workspace_id = ${workspace} and id = ${id} and totp_secret is not null and totp_since is null`)) === 1

/** False when there was none. */
export const disableTotp = async (tx: Tx, workspace: WorkspaceId, id: PersonId): Promise<boolean> => {
  const isGone = await tx.run(sql`
    update people set totp_secret = null, totp_since = null, totp_step = null
     where workspace_id = ${workspace} and id = ${id} and totp_secret is not null`)
  await tx.run(sql`delete from recovery_codes where person_id = ${id}`)
  return isGone === 1
}

export async function setRecoveryCodes(tx: Tx, id: PersonId, hashes: readonly Buffer[]): Promise<void> {
  await tx.run(sql`delete from recovery_codes where person_id = ${id}`)
  await tx.run(sql`
    insert into recovery_codes (person_id, code_hash) select ${id}::uuid, hash from unnest(${hashes}::bytea[]) as hash`)
}

export const useRecoveryCode = async (tx: Tx, id: PersonId, hash: Buffer): Promise<boolean> =>
  (await tx.run(sql`
    update recovery_codes set used_at = clock_now()
     where person_id = ${id} and code_hash = ${hash} and used_at is null`)) === 1

/** A person who followed a mailed link has the address. */
export const markVerified = (tx: Tx, workspace: WorkspaceId, id: PersonId) =>
  tx.run(sql`update people set email_verified = true where workspace_id = ${workspace} and id = ${id}`)
