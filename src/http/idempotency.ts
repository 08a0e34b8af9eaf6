import { createHash } from 'node:crypto'
import { DomainError, type Problem } from '../core/errors.ts'
import type { ProjectId } from '../core/ids.ts'
import type { Db, Tx } from '../storage/postgres.ts'
import { Answer, type IdempotencyKey } from './route.ts'
import { claimIdempotencyKey, purgeIdempotencyKeys, storeAnswer, storedAnswer } from './store.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'
const KEPT_HOURS = 72

/** The shell reads the header; the claim happens in the service's transaction, by `once`. */
export const readIdempotencyKey = (header: string, endpoint: string, body: unknown): IdempotencyKey => ({
  key: header,
  endpoint,
  fingerprint: createHash('sha256').update(canonicalJson(body)).digest(),
})

export const idempotencyKeyProblems = (header: string): Problem[] =>
  /^[\x20-\x7e]{1,256}$/.test(header)
    ? []
    : [{ path: `/headers/${IDEMPOTENCY_HEADER}`, message: 'must be 1 to 256 printable ASCII characters' }]

/**
 * Does `work` once per key: the claim, the work and the answer to repeat commit together or not at all. A refusal
 * rolls the claim back with everything else, so it does not use the key up. Twins wait for the first and get its
 * answer.
 */
export async function once<Body>(
  tx: Tx,
  project: ProjectId,
  claim: IdempotencyKey | undefined,
  work: () => Promise<Answer<Body>>,
): Promise<Answer<Body>> {
  if (claim === undefined) return work()
  if (!(await claimIdempotencyKey(tx, project, claim.key, claim.endpoint, claim.fingerprint, KEPT_HOURS))) {
    return replay(tx, project, claim)
  }
  const answer = await work()
  await storeAnswer(tx, project, claim.key, answer.status, JSON.stringify(answer.body))
  return answer
}

export const forgetOldIdempotencyKeys = (db: Db): Promise<number> => purgeIdempotencyKeys(db, KEPT_HOURS)

async function replay<Body>(tx: Tx, project: ProjectId, claim: IdempotencyKey): Promise<Answer<Body>> {
  const stored = await storedAnswer(tx, project, claim.key)
  if (stored.endpoint !== claim.endpoint || !stored.fingerprint.equals(claim.fingerprint)) {
    throw new DomainError('idempotency_mismatch', 'This Idempotency-Key was used before, for another request.')
  }
  if (stored.status === null || stored.body === null) throw new Error('a committed idempotency key has no answer')
  return new Answer(stored.status, JSON.parse(stored.body) as Body, { 'idempotency-replayed': 'true' })
}

/** The same text for the same value: the order of keys and white space do not make another request. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
