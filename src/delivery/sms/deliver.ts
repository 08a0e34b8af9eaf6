/** Takes a due part to an outcome: hands it to the carrier of its connection, once. */
import type { Clock } from '../../core/clock.ts'
import { failpoint } from '../../core/failpoint.ts'
import type { Log } from '../../core/log.ts'
import { Batch } from '../../dispatch/batch.ts'
import type { Item, Lease, Queue } from '../../dispatch/queue.ts'
import type { CarrierAdapter, PartSubmit, SubmitOutcome } from '../../sms/carrier.ts'
import { quietHours } from '../../sms/quiet-hours.ts'
import { segment } from '../../sms/segments.ts'
import { simulate } from '../../sms/simulator.ts'
import {
  addressOf,
  SIMULATOR,
  type DuePart,
  type PhoneBook,
  type SmsOutcomes,
  type SmsReports,
  type Submitted,
} from '../../resources/sms/index.ts'
import { Rates } from './pace.ts'

export interface SubmitterOptions {
  outcomes: SmsOutcomes
  reports: SmsReports
  phones: PhoneBook
  /** By the names of their connections; the simulator needs none. */
  carriers: ReadonlyMap<string, CarrierAdapter>
  timeScale: number
  clock: Clock
  /** For pauses; never set back. */
  steady: Clock
  random: () => number
  log: Log
}

/** Codes and answers to STOP; what somebody waits for; marketing. */
const lanes = [
  { lane: 0, share: 0.4, kept: 0.2 },
  { lane: 1, share: 0.4, kept: 0.1 },
  { lane: 2, share: 0.2, kept: 0.1 },
]

/** Between attempts that the carrier could not take; the last one goes on. */
const RETRIES_MS = [1_000, 5_000, 30_000, 120_000]
const SPREAD = 0.2
/** While a connection is not configured, or its part cannot be read. */
const ABSENT_MS = 30_000
const SIMULATED_AT_ONCE = 200
const MIN_PER_SECOND = 0.1

export class SmsSubmitter {
  readonly #options: SubmitterOptions
  readonly #due: Batch<string, DuePart | undefined>
  readonly #rates: Rates
  readonly #slowed = new Map<string, { factor: number; since: number }>()
  /** That share what carriers and senders may do. */
  #processes = 1

  constructor(options: SubmitterOptions) {
    this.#options = options
    this.#due = new Batch((ids) => options.outcomes.load(ids), { most: 100, gatherMs: 1 })
    this.#rates = new Rates(options.steady)
  }

  /** The queue as dispatch works it off. */
  queue(): Queue<Submitted> {
    const { outcomes, log } = this.#options
    return {
      table: outcomes.table,
      lanes,
      limits: (connection, processes) => this.#limits(connection, processes),
      mayBegin: outcomes.mayBegin,
      handle: (item, lease) => this.#submit(item, lease),
      failed: ({ id }, error) => {
        log.error({ err: error, part: id }, 'SMS part failed unexpectedly')
        return { kind: 'again', afterMs: ABSENT_MS, isAttempt: false }
      },
      record: (tx, settled) =>
        outcomes.record(
          tx,
          settled.map(({ item: { id, destination }, outcome }) => ({ id, connection: destination, outcome })),
        ),
    }
  }

  #limits(connection: string, processes: number) {
    this.#processes = Math.max(1, processes)
    if (connection === SIMULATOR) return { concurrency: SIMULATED_AT_ONCE }
    const carrier = this.#options.carriers.get(connection)
    if (carrier === undefined) return { concurrency: 1 }
    return {
      concurrency: Math.max(1, Math.floor(carrier.caps.window / processes)),
      perSecond: this.#perSecond(connection, carrier),
    }
  }

  #perSecond(connection: string, { caps }: CarrierAdapter): number {
    return Math.max(MIN_PER_SECOND, (caps.maxPartsPerSecond * this.#factor(connection)) / this.#processes)
  }

  async #submit({ id, destination }: Item, lease: Lease): Promise<Submitted> {
    const due = await this.#due.add(id)
    if (due === undefined) throw new Error('a leased part of an SMS is gone')
    // Whoever submits it again may deliver and bill it twice.
    if (due.isInDoubt) return { kind: 'unknown' }
    const night = this.#nightOf(due)
    if (night !== undefined) return { kind: 'deferred', afterMs: night, reason: 'quiet_hours' }
    const carrier = this.#options.carriers.get(destination)
    if (carrier === undefined && destination !== SIMULATOR)
      return { kind: 'again', afterMs: ABSENT_MS, isAttempt: false }
    const wait = this.#waitOf(due, destination, carrier)
    if (wait > 0) return { kind: 'again', afterMs: wait, isAttempt: false }
    if ((await lease.begin()) !== 'begun') return { kind: 'withheld' }
    await lease.passing()
    await failpoint('sms.before-submit', id)
    if (!lease.holds()) return { kind: 'again', afterMs: 0, isAttempt: false }
    const submitted =
      carrier === undefined ? await this.#simulated(due) : await this.#offered(due, carrier, destination, lease)
    await failpoint('sms.after-submit', submitted.kind)
    return submitted
  }

  /**
   * Until it is the sender's turn, and the connection's: both are paced by segments, also where all those of a message
   * leave at once. Where each leaves by itself, dispatch paces the connection.
   */
  #waitOf({ senderId, perSecond, segments }: DuePart, connection: string, carrier: CarrierAdapter | undefined): number {
    const isWhole = carrier?.caps.splitsItself ?? false
    const weight = isWhole ? segments : 1
    return this.#rates.take([
      ...(carrier && isWhole ? [{ name: connection, perSecond: this.#perSecond(connection, carrier) / weight }] : []),
      ...(perSecond === null ? [] : [{ name: senderId, perSecond: perSecond / this.#processes / weight }]),
    ])
  }

  /** For how long it is night there, should it be; a deferred message may have waited for another reason. */
  #nightOf({ quiet, now }: DuePart): number | undefined {
    if (quiet === null) return undefined
    const verdict = quietHours(now, { ...quiet, random: this.#options.random })
    if (verdict.kind === 'allowed') return undefined
    return verdict.kind === 'never' ? ABSENT_MS : verdict.until.getTime() - now.getTime()
  }

  async #offered(due: DuePart, carrier: CarrierAdapter, connection: string, lease: Lease): Promise<Submitted> {
    const part = this.#part(due, carrier.caps.splitsItself, carrier.caps.concatRef)
    if (part === undefined) return { kind: 'refused', errorCode: 'internal', optedOut: false }
    let answer: SubmitOutcome
    try {
      answer = await carrier.submit(part, lease.signal)
    } catch (error) {
      this.#options.log.error({ err: error, part: due.id, connection }, 'carrier connection failed unexpectedly')
      return { kind: 'unknown' }
    }
    if (!answer.ok && answer.kind === 'throttled') this.#slowDown(connection, answer.retryAfterMs, lease)
    this.#compare(due, answer, connection)
    return this.#read(due, answer, carrier.caps.splitsItself)
  }

  /** Whoever counts otherwise bills otherwise: the operator pays more for the message than it was sold for, or less. */
  #compare({ id: part, segments }: DuePart, answer: SubmitOutcome, connection: string): void {
    const counted = answer.ok ? answer.providerSegments : undefined
    if (counted === undefined || counted === 0 || counted === segments) return
    this.#options.log.warn({ connection, part, segments, counted }, 'carrier segment count differs')
  }

  /** As a carrier would, and without leaving this process. What its handsets do later is written with the outcome. */
  async #simulated(due: DuePart): Promise<Submitted> {
    const part = this.#part(due, false, 8)
    if (part === undefined) return { kind: 'refused', errorCode: 'internal', optedOut: false }
    const { answer, before, after } = simulate(part, this.#options.timeScale)
    for (const event of before) {
      if (event.kind === 'receipt') await this.#options.reports.receipt(SIMULATOR, event.receipt)
    }
    const read = this.#read(due, answer, false)
    if (read.kind !== 'accepted') return read
    // Who is answered does not answer that: two automata would go on for ever.
    const isReply = due.category === 'keyword_reply'
    return { ...read, later: after.filter(({ kind }) => !isReply || kind === 'receipt') }
  }

  #part(due: DuePart, isWhole: boolean, reference: 8 | 16): PartSubmit | undefined {
    const sealed = due.bodySent ?? due.body
    if (sealed === null) return undefined
    const { phones } = this.#options
    const text = phones.open('sms text', due.messageId, sealed)
    const split = segment(text, { encoding: due.encoding, transliterate: false, reference })
    if (!split.ok || split.parts.length !== due.segments) return undefined
    const partText = isWhole ? split.text : split.parts[due.seq - 1]
    if (partText === undefined) return undefined
    return {
      messageId: due.messageId,
      partId: due.id,
      attempt: due.attempts + 1,
      from: addressOf(due.senderType, due.ourAddress),
      to: phones.open('sms number', due.messageId, due.phone),
      encoding: due.encoding,
      text: partText,
      concat:
        isWhole || due.segments === 1 ? undefined : { ref: due.concatRef ?? 0, total: due.segments, seq: due.seq },
      validUntil: due.validUntil,
    }
  }

  #read(due: DuePart, answer: SubmitOutcome, isWhole: boolean): Submitted {
    if (answer.ok) return { kind: 'accepted', providerIds: [...answer.providerIds], isWhole, later: [] }
    switch (answer.kind) {
      case 'throttled':
        return { kind: 'again', afterMs: answer.retryAfterMs, isAttempt: true }
      case 'transient':
        return { kind: 'again', afterMs: this.#retryMs(due.attempts), isAttempt: true }
      case 'ambiguous':
        return { kind: 'unknown' }
      default: {
        const { kind, errorCode, providerCode } = answer
        return { kind: 'refused', errorCode, providerCode, optedOut: kind === 'opted_out' }
      }
    }
  }

  #retryMs(attempts: number): number {
    const delay = RETRIES_MS[Math.min(attempts, RETRIES_MS.length - 1)] ?? ABSENT_MS
    return Math.round(delay * (1 + SPREAD * (2 * this.#options.random() - 1)))
  }

  /** It is the connection that is asked too much of, not the message: half as fast from now on, then slowly faster. */
  #slowDown(connection: string, ms: number, lease: Lease): void {
    lease.suspend(ms)
    const factor = Math.max(MAX_SLOWED, this.#factor(connection) / 2)
    this.#slowed.set(connection, { factor, since: this.#options.steady.now() })
  }

  #factor(connection: string): number {
    const slowed = this.#slowed.get(connection)
    if (slowed === undefined) return 1
    const minutes = (this.#options.steady.now() - slowed.since) / 60_000
    const factor = slowed.factor + minutes * RECOVERED_PER_MINUTE
    if (factor >= 1) this.#slowed.delete(connection)
    return Math.min(1, factor)
  }
}

const MAX_SLOWED = 1 / 64
const RECOVERED_PER_MINUTE = 0.1
