import type { Problem } from '../core/errors.ts'
import { fingerprintOf } from '../core/fingerprint.ts'
import type { IdempotencyKey, Replayable } from '../storage/idempotency.ts'
import { Answer } from './route.ts'

export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** Tells the client that this is the answer to an earlier request. */
const REPLAYED = 'idempotency-replayed'

/** The shell reads the header; the key is claimed in the service's transaction, by `claimKeys`. */
export const readIdempotencyKey = (header: string, endpoint: string, body: unknown): IdempotencyKey => ({
  key: header,
  endpoint,
  fingerprint: fingerprintOf(body),
})

export const idempotencyKeyProblems = (header: string): Problem[] =>
  /^[\x20-\x7e]{1,256}$/.test(header)
    ? []
    : [{ path: `/headers/${IDEMPOTENCY_HEADER}`, message: 'must be 1 to 256 printable ASCII characters' }]

/** The answer of a call that takes an idempotency key. */
export const accepted = <T>({ value, isReplay }: Replayable<T>): Answer<T> =>
  new Answer(202, value, isReplay ? { [REPLAYED]: 'true' } : {})
