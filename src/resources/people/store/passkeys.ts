import type { PasskeyId, PersonId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  counter: number
  transports: readonly string[]
}

export interface Passkey extends NewPasskey {
  id: PasskeyId
  personId: PersonId
  workspaceId: WorkspaceId
  isDisabled: boolean
}

export interface PasskeyRow {
  id: PasskeyId
  name: string
  createdAt: Date
  lastUsedAt: Date | null
}

const rowColumns = sql`id, name, created_at as "createdAt", last_used_at as "lastUsedAt"`

export const findByCredential = (db: Db, credentialId: Buffer) =>
  db.maybeOne(sql<Passkey>`
    select passkey.id, passkey.person_id as "personId", person.workspace_id as "workspaceId",
           passkey.credential_id as "credentialId", passkey.public_key as "publicKey", passkey.counter, passkey.transports,
           person.disabled_at is not null as "isDisabled"
      from passkeys passkey
      join people person on person.id = passkey.person_id and person.removed_at is null
     where passkey.credential_id = ${credentialId}`)

export const list = (db: Db, person: PersonId) =>
  db.all(sql<PasskeyRow & { credentialId: Buffer }>`
    select ${rowColumns}, credential_id as "credentialId" from passkeys where person_id = ${person} order by id`)

/** Undefined when the passkey was registered before. */
export const insert = (tx: Tx, id: PasskeyId, person: PersonId, name: string, passkey: NewPasskey) =>
  tx.maybeOne(sql<PasskeyRow>`
    insert into passkeys (id, person_id, credential_id, public_key, counter, transports, name)
    values (${id}, ${person}, ${passkey.credentialId}, ${passkey.publicKey}, ${passkey.counter},
            ${passkey.transports}, ${name})
    on conflict (credential_id) do nothing
    returning ${rowColumns}`)

/** An authenticator that counts its uses never counts backwards: a copy of it would. Many do not count, and stay at 0. */
export const use = async (tx: Tx, id: PasskeyId, counter: number): Promise<boolean> =>
  (await tx.run(sql`
    update passkeys set counter = ${counter}, last_used_at = clock_now()
     where id = ${id} and (counter < ${counter} or (counter = 0 and ${counter} = 0))`)) === 1

export const rename = (tx: Tx, person: PersonId, id: PasskeyId, name: string) =>
  tx.maybeOne(sql<PasskeyRow>`
    update passkeys set name = ${name} where person_id = ${person} and id = ${id} returning ${rowColumns}`)

export const remove = async (tx: Tx, person: PersonId, id: PasskeyId): Promise<boolean> =>
  (await tx.run(sql`delete from passkeys where person_id = ${person} and id = ${id}`)) === 1

/** Only the hash is stored, as of every secret that a browser sends back. */
export const insertChallenge = (db: Db, challengeHash: Buffer, person: PersonId | null, seconds: number) =>
  db.run(sql`
    insert into passkey_challenges (challenge, person_id, expires_at)
    values (${challengeHash}, ${person}, clock_now() + ${seconds} * interval '1 second')`)

/** Good once, for whom it was made: for this person, or for anybody. */
export const takeChallenge = async (db: Db, challengeHash: Buffer, person: PersonId | null): Promise<boolean> =>
  (
    await db.all(sql<{ isGood: boolean }>`
      delete from passkey_challenges where challenge = ${challengeHash}
      returning expires_at > clock_now() and person_id is not distinct from ${person}::uuid as "isGood"`)
  ).some(({ isGood }) => isGood)

export const forgetChallenges = (db: Db) => db.run(sql`delete from passkey_challenges where expires_at < clock_now()`)
