/** Takes a due part to an outcome: hands it to the carrier of its connection, once. */
import type { Clock } from '../../core/clock.ts'
import { failpoint } from '../../core/failpoint.ts'
import type { Log } from '../../core/log.ts'
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
import { inSteps, type Delivery, type Steps } from '../steps.ts'
import { classify, type Sent } from './classify.ts'
import { SenderRates } from './sender-rates.ts'

export interface SmsDelivererOptions {
  outcomes: SmsOutcomes
  reports: SmsReports
  phones: PhoneBook
  /** The keys are the names of connections; the simulator needs none. */
  carriers: ReadonlyMap<string, CarrierAdapter>
  timeScale: number
  clock: Clock
  /** The pace is measured by this clock, which is never set back. */
  steady: Clock
  random: () => number
  /** How many processes share the senders. */
  processes: () => number
  log: Log
}

/** The first is for codes and answers to STOP, the second for transactional messages, the third for marketing. */
const lanes = [
  { lane: 0, share: 0.4, kept: 0.2 },
  { lane: 1, share: 0.4, kept: 0.1 },
  { lane: 2, share: 0.2, kept: 0.1 },
]

/** A part waits so long while its connection is not configured, or when it could not be processed. */
const ABSENT_MS = 30_000
const SIMULATED_AT_ONCE = 200

export class SmsDeliverer implements Steps<DuePart, Sent, Submitted, Submitted> {
  readonly #options: SmsDelivererOptions
  readonly #senders: SenderRates

  constructor(options: SmsDelivererOptions) {
    this.#options = options
    this.#senders = new SenderRates(options.steady)
  }

  /** The queue for dispatch. */
  queue(): Queue<Submitted> {
    const { outcomes } = this.#options
    return {
      table: outcomes.table,
      lanes,
      limits: (connection, processes) => this.#limits(connection, processes),
      mayBegin: outcomes.mayBegin,
      ...inSteps(this),
      record: (tx, settled) =>
        outcomes.record(
          tx,
          settled.map(({ item: { id, destination }, outcome }) => ({ id, connection: destination, outcome })),
        ),
    }
  }

  load(ids: readonly string[]): Promise<(DuePart | undefined)[]> {
    return this.#options.outcomes.load(ids)
  }

  async permit({ item: { destination }, due, lease }: Delivery<DuePart>): Promise<Submitted | undefined> {
    // A second submit might deliver and bill it twice.
    if (due.isInDoubt) return { kind: 'unknown' }
    const night = this.#nightOf(due)
    if (night !== undefined) return { kind: 'deferred', afterMs: night, reason: 'quiet_hours' }
    const { carriers, processes } = this.#options
    const carrier = carriers.get(destination)
    if (carrier === undefined && destination !== SIMULATOR)
      return { kind: 'again', afterMs: ABSENT_MS, isAttempt: false }
    // Carriers and senders are paced by segments, also where all those of a message leave at once.
    const segments = carrier?.caps.splitsItself ? due.segments : 1
    const wait = due.perSecond === null ? 0 : this.#senders.take(due.senderId, due.perSecond / processes(), segments)
    if (wait > 0) return { kind: 'again', afterMs: wait, isAttempt: false }
    if (segments > 1) lease.destination.charge(segments - 1)
    return (await lease.confirm()) === 'allowed' ? undefined : { kind: 'withheld' }
  }

  async send({ item: { id, destination }, due, lease }: Delivery<DuePart>): Promise<Sent> {
    const carrier = this.#options.carriers.get(destination)
    await lease.recordMayLeave()
    await failpoint('sms.before-submit', id)
    if (!lease.holds()) return { kind: 'returned' }
    const sent =
      carrier === undefined ? await this.#simulated(due) : await this.#offered(due, carrier, destination, lease)
    await failpoint('sms.after-submit', sent.kind === 'answered' && sent.answer.ok ? 'accepted' : sent.kind)
    return sent
  }

  classify(sent: Sent, due: DuePart): Submitted {
    return classify(sent, { attempts: due.attempts, random: this.#options.random })
  }

  /** The meaning of an answer is recorded as it is. */
  settle(_delivery: Delivery<DuePart>, _sent: Sent, submitted: Submitted): Submitted {
    return submitted
  }

  failed({ id }: Pick<Item, 'id'>, error: unknown): Submitted {
    this.#options.log.error({ err: error, part: id }, 'SMS part failed unexpectedly')
    return { kind: 'again', afterMs: ABSENT_MS, isAttempt: false }
  }

  #limits(connection: string, processes: number) {
    if (connection === SIMULATOR) return { concurrency: SIMULATED_AT_ONCE }
    const carrier = this.#options.carriers.get(connection)
    if (carrier === undefined) return { concurrency: 1 }
    return {
      concurrency: Math.max(1, Math.floor(carrier.caps.window / processes)),
      perSecond: carrier.caps.maxPartsPerSecond / processes,
    }
  }

  /** How long the quiet hours of the recipient go on; undefined outside of them. */
  #nightOf({ quiet, now }: DuePart): number | undefined {
    if (quiet === null) return undefined
    const verdict = quietHours(now, { ...quiet, random: this.#options.random })
    if (verdict.kind === 'allowed') return undefined
    return verdict.kind === 'never' ? ABSENT_MS : verdict.until.getTime() - now.getTime()
  }

  async #offered(due: DuePart, carrier: CarrierAdapter, connection: string, lease: Lease): Promise<Sent> {
    const { splitsItself, concatRef } = carrier.caps
    const part = this.#part(due, splitsItself, concatRef)
    if (part === undefined) return unreadable
    let answer: SubmitOutcome
    try {
      answer = await carrier.submit(part, lease.signal)
    } catch (error) {
      this.#options.log.error({ err: error, part: due.id, connection }, 'carrier connection failed unexpectedly')
      return { kind: 'answered', answer: { ok: false, kind: 'ambiguous' }, isWhole: splitsItself, later: [] }
    }
    // The carrier wants less from the connection; the message is not meant.
    if (!answer.ok && answer.kind === 'throttled') {
      lease.destination.suspend(answer.retryAfterMs)
      lease.destination.slowDown()
    }
    this.#compare(due, answer, connection)
    return { kind: 'answered', answer, isWhole: splitsItself, later: [] }
  }

  /** A carrier that counts otherwise bills otherwise: the operator pays another price than the message was sold for. */
  #compare({ id: part, segments }: DuePart, answer: SubmitOutcome, connection: string): void {
    const counted = answer.ok ? answer.providerSegments : undefined
    if (counted === undefined || counted === 0 || counted === segments) return
    this.#options.log.warn({ connection, part, segments, counted }, 'carrier segment count differs')
  }

  /** The simulator answers within this process. What its handsets do later is written with the outcome. */
  async #simulated(due: DuePart): Promise<Sent> {
    const part = this.#part(due, false, 8)
    if (part === undefined) return unreadable
    const { answer, before, after } = simulate(part, this.#options.timeScale)
    for (const event of before) {
      if (event.kind === 'receipt') await this.#options.reports.receipt(SIMULATOR, event.receipt)
    }
    // A simulated handset does not answer an automatic reply: the two would go on for ever.
    const isReply = due.category === 'keyword_reply'
    return {
      kind: 'answered',
      answer,
      isWhole: false,
      later: after.filter(({ kind }) => !isReply || kind === 'receipt'),
    }
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
}

/** The text of a part is gone, or does not have as many parts as it was sold with. */
const unreadable: Sent = {
  kind: 'answered',
  answer: { ok: false, kind: 'permanent', errorCode: 'internal' },
  isWhole: false,
  later: [],
}
