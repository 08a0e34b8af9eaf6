/** Turns an answer, or the lack of one, into what it means for a delivery. */
import type { Posted } from '../../net/post.ts'

/** What the endpoint answered, or that it did not; or no request was made. */
export type Sent = Timed | { kind: 'returned' }

/** With the moment at which the request was made. */
export type Timed = Posted & { at: number }

export type Verdict =
  | { kind: 'delivered' }
  /** The delivery was not tried. */
  | { kind: 'returned' }
  /** The delivery is tried again after so long. */
  | { kind: 'again'; error: string; afterMs: number }
  | { kind: 'failed'; error: string }
  /** The endpoint says that it is gone for good. */
  | { kind: 'gone'; error: string }

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The pauses between attempts. With the first attempt, which waits for nothing, there are ten in about three days. */
const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]
const SPREAD = 0.2

export interface ClassifyOptions {
  /** How many attempts this was, since the delivery was asked for. */
  tries: number
  now: number
  random: () => number
}

export function classify(posted: Posted | { kind: 'returned' }, { tries, now, random }: ClassifyOptions): Verdict {
  if (posted.kind === 'returned') return posted
  if (isAcknowledged(posted)) return { kind: 'delivered' }
  const error = errorOf(posted)
  if (posted.kind === 'answered' && posted.status === 410) return { kind: 'gone', error }
  const pause = pauses[tries - 1]
  if (pause === undefined) return { kind: 'failed', error }
  const spread = pause * (1 + SPREAD * (2 * random() - 1))
  return { kind: 'again', error, afterMs: Math.max(spread, askedMs(posted, now) ?? 0) }
}

export const isAcknowledged = (posted: Posted): boolean =>
  posted.kind === 'answered' && posted.status >= 200 && posted.status < 300

function errorOf(posted: Posted): string {
  if (posted.kind === 'failed') return posted.reason
  if (posted.status >= 300 && posted.status < 400) return `answered ${posted.status}; redirects are not followed`
  return `answered ${posted.status}`
}

/** An endpoint that asks for more gets the longest of our own pauses. */
const MAX_ASKED_MS = 24 * HOUR

/** RFC 9110 §10.2.3: seconds, or a date. Undefined when the endpoint asks for nothing that makes sense. */
export function askedMs(posted: Posted, now: number): number | undefined {
  const asked = posted.kind === 'answered' ? posted.retryAfter?.trim() : undefined
  if (asked === undefined || asked === '') return undefined
  const ms = /^\d+$/.test(asked) ? Number(asked) * SECOND : Date.parse(asked) - now
  return ms > 0 ? Math.min(ms, MAX_ASKED_MS) : undefined
}
