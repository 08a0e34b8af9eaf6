import { createHash } from 'node:crypto'
import { DomainError, type Problem } from '../core/errors.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { Answer, type IdempotencyKey } from './route.ts'
import {
  claimIdempotencyKeys,
  purgeIdempotencyKeys,
  releaseIdempotencyKeys,
  storeAnswers,
  storedAnswers,
  type Claim,
  type StoredAnswer,
} from './store.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** Tells the client that this is the answer to an earlier request. */
export const REPLAYED = 'idempotency-replayed'
const KEPT_HOURS = 72

/** The shell reads the header; the claim happens in the service's transaction, by `claimKeys`. */
export const readIdempotencyKey = (header: string, endpoint: string, body: unknown): IdempotencyKey => ({
  key: header,
  endpoint,
  fingerprint: fingerprintOf(body),
})

/** The same for two payloads that say the same. */
export const fingerprintOf = (body: unknown): Buffer => createHash('sha256').update(canonicalJson(body)).digest()

export const idempotencyKeyProblems = (header: string): Problem[] =>
  /^[\x20-\x7e]{1,256}$/.test(header)
    ? []
    : [{ path: `/headers/${IDEMPOTENCY_HEADER}`, message: 'must be 1 to 256 printable ASCII characters' }]

export type { Claim }

/** Whether a request is the first with its key; if not, what it gets instead of being done. */
export type KeyState = { isFirst: true } | { isFirst: false; answer: Answer<unknown> | DomainError }

/** One text per key, to find it again among others. */
export const nameOfKey = ({ project, key }: { project: ProjectId; key: string }): string => `${project} ${key}`

/** Claims keys, no two of them the same, and tells for each how it stands. */
export async function claimKeys(tx: Tx, claims: readonly Claim[]): Promise<Map<string, KeyState>> {
  if (claims.length === 0) return new Map()
  const won = new Set((await claimIdempotencyKeys(tx, claims, KEPT_HOURS)).map(nameOfKey))
  const late = claims.filter((claim) => !won.has(nameOfKey(claim)))
  const stored = late.length === 0 ? [] : await storedAnswers(tx, late)
  const answers = new Map(stored.map((answer) => [nameOfKey(answer), answer]))
  return new Map(
    claims.map((claim) => {
      const name = nameOfKey(claim)
      return [name, won.has(name) ? { isFirst: true } : { isFirst: false, answer: replay(claim, answers.get(name)) }]
    }),
  )
}

/** What the first request answered, to be repeated; in the transaction of what it did. */
export async function keepAnswers(
  tx: Tx,
  answers: readonly { claim: Claim; answer: Answer<unknown> }[],
): Promise<void> {
  if (answers.length === 0) return
  const rows = answers.map(({ claim, answer: { status, body } }) => ({ claim, status, body: JSON.stringify(body) }))
  await storeAnswers(tx, rows)
}

/** A refusal does not use a key up. */
export async function releaseKeys(tx: Tx, claims: readonly Claim[]): Promise<void> {
  if (claims.length > 0) await releaseIdempotencyKeys(tx, claims)
}

export const forgetOldIdempotencyKeys = (db: Db): Promise<number> => purgeIdempotencyKeys(db, KEPT_HOURS)

/** What a request gets that came with the key of another one, after that one was answered. */
export const answerAgain = (
  claim: Claim,
  first: Omit<IdempotencyKey, 'key'>,
  { status, body }: Pick<Answer<unknown>, 'status' | 'body'>,
): Answer<unknown> | DomainError =>
  first.endpoint === claim.endpoint && first.fingerprint.equals(claim.fingerprint)
    ? new Answer(status, body, { [REPLAYED]: 'true' })
    : new DomainError(
        'idempotency_mismatch',
        'This Idempotency-Key was used before, for another request: take a new one for each new request.',
      )

function replay(claim: Claim, stored: StoredAnswer | undefined): Answer<unknown> | DomainError {
  if (!stored || stored.status === null || stored.body === null) {
    throw new Error('a committed idempotency key has no answer')
  }
  return answerAgain(claim, stored, { status: stored.status, body: JSON.parse(stored.body) })
}

/** The same text for the same value: the order of keys and white space do not make another request. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
