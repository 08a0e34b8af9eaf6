/**
 * A carrier that is not there: what happens to a message is decided by the last two digits of its number, so that
 * everything that can become of one can be tried. The decisions are pure; others play them.
 */
import type { PartSubmit, Receipt, SmsErrorCode, SubmitOutcome } from './carrier.ts'
import { simulatorNumber } from './phone.ts'

/** Refused before anything is sent, like real ones of their kind. */
export type SimulatedRefusal = 'suppressed' | 'consent_required' | 'insufficient_funds' | 'quiet_hours' | 'not_mobile'

/** `quiet_hours` is meant for marketing; the others for everything. Undefined for a number that can be sent to. */
export const simulatedRefusal = (to: string): SimulatedRefusal | undefined => refusals[simulatorNumber(to) ?? -1]

/** All of these numbers count as consented in writing but one. */
export const isSimulatedConsent = (to: string): boolean => {
  const number = simulatorNumber(to)
  return number !== undefined && number !== 5
}

/** The one number of the block whose velocity is limited as if it were real. */
export const isVelocityLimited = (to: string): boolean => simulatorNumber(to) === 20

const refusals: Readonly<Record<number, SimulatedRefusal>> = {
  4: 'suppressed',
  5: 'consent_required',
  15: 'insufficient_funds',
  16: 'quiet_hours',
  17: 'not_mobile',
}

/** These handsets cannot send START, so their suppressions end after a time. */
export const SIMULATED_SUPPRESSION_MS = 10 * 60_000

export interface Scene {
  /** The submit gets this answer. */
  answer: SubmitOutcome
  /** These events come before the answer. */
  before: readonly SimulatedEvent[]
  /** These events come after the answer, in order of time. */
  after: readonly (SimulatedEvent & { afterMs: number })[]
}

export type SimulatedEvent =
  | { kind: 'receipt'; receipt: Receipt }
  /** The handset sends this text to our number. */
  | { kind: 'inbound'; text: string }

export type SimulatedPart = Pick<PartSubmit, 'to' | 'partId' | 'attempt' | 'concat'>

const SOON_MS = 1_000
const REPLY_MS = 2_000
const BETWEEN_REPLIES_MS = 5_000
const LATE_MS = 60_000
const THROTTLED_TIMES = 3
const THROTTLED_MS = 1_000

/** Returns the script for a part. `scale` multiplies every delay: 0.01 is a hundred times faster. */
export function simulate(part: SimulatedPart, scale: number): Scene {
  const scene = play(part)
  const { answer } = scene
  return {
    ...scene,
    answer:
      !answer.ok && answer.kind === 'throttled'
        ? { ...answer, retryAfterMs: scaled(answer.retryAfterMs, scale) }
        : answer,
    after: scene.after.map((event) => ({ ...event, afterMs: scaled(event.afterMs, scale) })),
  }
}

export const scaled = (ms: number, scale: number): number => Math.round(ms * scale)

function play({ to, partId, attempt, concat }: SimulatedPart): Scene {
  const providerId = `sim-${partId}`
  const answer: SubmitOutcome = { ok: true, providerIds: [providerId] }
  const receipt = (state: Receipt['state'], errorCode?: SmsErrorCode, providerCode?: string): SimulatedEvent => ({
    kind: 'receipt',
    receipt: { providerId, state, errorCode, providerCode },
  })
  const delivered = { ...receipt('delivered'), afterMs: SOON_MS }
  const accepted = (...after: Scene['after']): Scene => ({ answer, before: [], after })
  const refused = (outcome: SubmitOutcome): Scene => ({ answer: outcome, before: [], after: [] })
  // A handset answers a message, not each of its parts.
  const isLast = concat === undefined || concat.seq === concat.total
  const replies = (...texts: readonly string[]): Scene['after'] =>
    texts.filter(() => isLast).map((text, i) => ({ kind: 'inbound', text, afterMs: REPLY_MS + i * BETWEEN_REPLIES_MS }))

  switch (simulatorNumber(to)) {
    case undefined:
    case 99:
      return refused({ ok: false, kind: 'permanent', errorCode: 'invalid_number' })
    case 1:
      return accepted({ ...receipt('undelivered', 'unknown_subscriber', '30005'), afterMs: SOON_MS })
    case 2:
      return accepted({ ...receipt('undelivered', 'carrier_filtered', '30007'), afterMs: SOON_MS })
    case 3:
      return refused({ ok: false, kind: 'permanent', errorCode: 'carrier_rejected' })
    case 6:
      return accepted()
    case 7:
      return attempt <= THROTTLED_TIMES
        ? refused({ ok: false, kind: 'throttled', retryAfterMs: THROTTLED_MS })
        : accepted(delivered)
    case 8:
      return accepted(delivered, ...replies('STOP'))
    case 9:
      return accepted(delivered, ...replies('HELP'))
    case 10:
      return accepted(delivered, ...replies('STOP', 'START'))
    case 11:
      return concat?.seq === 2
        ? refused({ ok: false, kind: 'permanent', errorCode: 'carrier_rejected' })
        : accepted(delivered)
    case 12:
      return { answer, before: [receipt('delivered')], after: [] }
    case 13:
      return accepted(
        delivered,
        delivered,
        { ...receipt('enroute'), afterMs: SOON_MS },
        { ...receipt('undelivered', 'unknown_subscriber'), afterMs: SOON_MS },
      )
    case 14:
      return refused({ ok: false, kind: 'ambiguous' })
    case 18:
      return accepted({ ...delivered, afterMs: LATE_MS })
    case 19:
      return accepted(delivered, ...replies('Stop. Thank you'))
    default:
      return accepted(delivered)
  }
}
