/**
 * Requests that are done once for each idempotency key. All of it happens in the transaction of what the request does:
 * the first request claims its key and keeps the value that it came to, a later one gets that value, and a refusal
 * gives the key back.
 */
import { DomainError } from '../core/errors.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Db, Tx } from './postgres.ts'
import { sql } from './sql.ts'

const KEPT_HOURS = 72

/** A client repeats these unchanged: its key, the path, and the payload. */
export interface IdempotencyKey {
  key: string
  endpoint: string
  fingerprint: Buffer
}

/** A request that must be done once, with its project: the same key in another project is another key. */
export interface Claim extends IdempotencyKey {
  project: ProjectId
}

/** The result of a request; `isReplay` says that an earlier request with the same key made it. */
export interface Replayable<T> {
  value: T
  isReplay: boolean
}

/** Tells whether a request is the first with its key; if not, what it gets instead. */
export type KeyState = { isFirst: true } | { isFirst: false; earlier: Replayable<unknown> | DomainError }

/** Finds a claim again among others. */
export const claimKeyOf = ({ project, key }: { project: ProjectId; key: string }): string => `${project} ${key}`

/** Claims keys, no two of them the same, and tells the state of each. */
export async function claimKeys(tx: Tx, claims: readonly Claim[]): Promise<Map<string, KeyState>> {
  if (claims.length === 0) return new Map()
  const won = new Set((await insertClaims(tx, claims)).map(claimKeyOf))
  const late = claims.filter((claim) => !won.has(claimKeyOf(claim)))
  const rows = late.length === 0 ? [] : await storedClaims(tx, late)
  const stored = new Map(rows.map((row) => [claimKeyOf(row), row]))
  return new Map(
    claims.map((claim) => {
      const key = claimKeyOf(claim)
      return [key, won.has(key) ? { isFirst: true } : { isFirst: false, earlier: replayOf(claim, stored.get(key)) }]
    }),
  )
}

/** Returns what a request gets that repeats the key of another one, after that one has a result. */
export const replay = (claim: Claim, first: IdempotencyKey, value: unknown): Replayable<unknown> | DomainError =>
  first.endpoint === claim.endpoint && first.fingerprint.equals(claim.fingerprint)
    ? { value, isReplay: true }
    : new DomainError(
        'idempotency_mismatch',
        'This Idempotency-Key was used before, for another request: take a new one for each new request.',
      )

function replayOf(claim: Claim, stored: StoredClaim | undefined): Replayable<unknown> | DomainError {
  if (!stored || stored.body === null) throw new Error('a committed idempotency key has no value')
  return replay(claim, stored, JSON.parse(stored.body))
}

interface StoredClaim extends Claim {
  body: string | null
}

/**
 * Those that are ours now. A request with the same key that has inserted but not committed makes this wait for its end,
 * so no client is answered from a transaction that may still fail. A key past its time is taken over like a new one. The
 * keys are inserted in one order, so that two transactions cannot wait for each other.
 */
const insertClaims = (tx: Tx, claims: readonly Claim[]) =>
  tx.all(sql<{ project: ProjectId; key: string }>`
    insert into idempotency_keys as claim (project_id, key, endpoint, fingerprint)
    select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[],
                         ${claims.map(({ endpoint }) => endpoint)}::text[],
                         ${claims.map(({ fingerprint }) => fingerprint)}::bytea[]) as new (project_id, key)
     order by project_id, key
    on conflict (project_id, key) do update
      set endpoint = excluded.endpoint,
          fingerprint = excluded.fingerprint,
          status = null,
          body = null,
          created_at = clock_now()
      where claim.created_at < clock_now() - make_interval(hours => ${KEPT_HOURS})
    returning project_id as project, key`)

const storedClaims = (tx: Tx, claims: readonly Claim[]) =>
  tx.all(sql<StoredClaim>`
    select project_id as project, key, endpoint, fingerprint, body
      from idempotency_keys
     where (project_id, key) in (
             select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[]))`)

/** Keeps what the first request came to. Nodes of an earlier version also read the status, which always was 202. */
export async function keepValues(tx: Tx, values: readonly { claim: Claim; value: unknown }[]): Promise<void> {
  if (values.length === 0) return
  await tx.run(sql`
    update idempotency_keys claim
       set status = 202, body = kept.body
      from unnest(${values.map(({ claim }) => claim.project)}::uuid[], ${values.map(({ claim }) => claim.key)}::text[],
                  ${values.map(({ value }) => JSON.stringify(value))}::text[]) as kept (project_id, key, body)
     where claim.project_id = kept.project_id and claim.key = kept.key`)
}

/** Gives keys back: a refusal does not use a key up. */
export async function releaseKeys(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length === 0) return
  await tx.run(sql`
    delete from idempotency_keys
     where (project_id, key) in (
             select * from unnest(${claims.map(({ project }) => project)}::uuid[], ${claims.map(({ key }) => key)}::text[]))`)
}

export const forgetOldIdempotencyKeys = (db: Db): Promise<number> =>
  db.run(sql`delete from idempotency_keys where created_at < clock_now() - make_interval(hours => ${KEPT_HOURS})`)
