/** Turns a carrier's answer into what it means for a part. */
import type { Submitted } from '../../resources/sms/index.ts'
import type { SubmitOutcome } from '../../sms/carrier.ts'

export type Sent =
  /** `later` is what the simulator is going to do. */
  | ({ kind: 'answered'; answer: SubmitOutcome } & Pick<Submitted & { kind: 'accepted' }, 'isWhole' | 'later'>)
  /** The part was not handed over. */
  | { kind: 'returned' }

/** The pauses after attempts that the carrier could not take; the last one goes on. */
const RETRIES_MS = [1_000, 5_000, 30_000]
const MAX_RETRY_MS = 120_000
const SPREAD = 0.2

export function classify(sent: Sent, { attempts, random }: { attempts: number; random: () => number }): Submitted {
  if (sent.kind === 'returned') return { kind: 'again', afterMs: 0, isAttempt: false }
  const { answer, isWhole, later } = sent
  if (answer.ok) return { kind: 'accepted', providerIds: [...answer.providerIds], isWhole, later }
  switch (answer.kind) {
    case 'throttled':
      return { kind: 'again', afterMs: answer.retryAfterMs, isAttempt: true }
    case 'transient':
      return { kind: 'again', afterMs: retryMs(attempts, random), isAttempt: true }
    case 'ambiguous':
      return { kind: 'unknown' }
    default: {
      const { kind, errorCode, providerCode } = answer
      return { kind: 'refused', errorCode, providerCode, optedOut: kind === 'opted_out' }
    }
  }
}

const retryMs = (attempts: number, random: () => number): number =>
  Math.round((RETRIES_MS[attempts] ?? MAX_RETRY_MS) * (1 + SPREAD * (2 * random() - 1)))
