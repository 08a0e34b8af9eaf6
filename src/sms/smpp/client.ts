/**
 * A carrier that speaks SMPP 3.4.
 *
 * connecting → up → connecting …      the connection was lost: again after 1 s, 2 s … 60 s
 * connecting → misconfigured          the SMSC does not know us or our password: again every five minutes, no sooner
 *
 * A submit that went out and was not answered is ambiguous, whether time ran out or the connection did. It is never
 * sent again from here.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { backoffMs } from '../../core/backoff.ts'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { CarrierAdapter, CarrierCaps, CarrierHealth, CarrierSink, PartSubmit, SubmitOutcome } from '../carrier.ts'
import { bindTo, type Binding, type BindOptions, type Bound, type SmppTimeouts } from './bind.ts'
import { loadCodec, textField, type Codec, type Pdu } from './codec.ts'
import { readDelivered } from './deliver.ts'
import { KeyedQueue } from './keyed-queue.ts'
import { Status } from './protocol.ts'
import { providerIdOf, type IdForm } from './provider-id.ts'
import { submitFields, transient, usualForm, verdictOn, type SubmitForm, type Verdict } from './submit.ts'
import { Window } from './window.ts'

export interface SmppOptions extends Omit<BindOptions, 'timeouts'> {
  /** Log lines have this name. */
  name: string
  form?: Partial<SubmitForm> | undefined
  idForm?: IdForm | undefined
  window?: number | undefined
  maxPartsPerSecond: number
  repliesToStop?: boolean | undefined
  timeouts?: Partial<SmppTimeouts & ReconnectTimes> | undefined
  clock: Clock
  random: () => number
  log: Log
}

/** All times are in milliseconds. */
export interface ReconnectTimes {
  firstRetry: number
  lastRetry: number
  /** After the SMSC refused who we are, and after it said that we are there already. */
  refusedRetry: number
  occupiedRetry: number
  /** A connection that held for so long was a good one. */
  steady: number
}

export const usualTimes: SmppTimeouts & ReconnectTimes = {
  connect: 15_000,
  bind: 15_000,
  response: 30_000,
  enquireEvery: 30_000,
  firstRetry: 1_000,
  lastRetry: 60_000,
  refusedRetry: 300_000,
  occupiedRetry: 60_000,
  steady: 30_000,
}

const WINDOW = 10

export class SmppCarrier implements CarrierAdapter {
  readonly kind = 'smpp'
  readonly caps: CarrierCaps
  readonly #options: SmppOptions
  readonly #times: SmppTimeouts & ReconnectTimes
  readonly #form: SubmitForm
  readonly #window: Window
  readonly #perMessage = new KeyedQueue()
  readonly #ending = new AbortController()
  #health: CarrierHealth
  #sink: CarrierSink | undefined
  #binding: Binding | undefined
  #running: Promise<void> | undefined
  #asPair = false

  constructor(options: SmppOptions) {
    this.#options = options
    this.#times = { ...usualTimes, ...options.timeouts }
    this.#form = { ...usualForm, ...options.form }
    const window = options.window ?? WINDOW
    this.#window = new Window(window)
    this.#health = { state: 'down', since: new Date(options.clock.now()) }
    this.caps = {
      splitsItself: this.#form.concatenation === 'payload',
      repliesToStop: options.repliesToStop ?? false,
      concatRef: this.#form.concatRef,
      maxPartsPerSecond: options.maxPartsPerSecond,
      window,
    }
  }

  async start(sink: CarrierSink): Promise<void> {
    this.#sink = sink
    const codec = await loadCodec()
    this.#running ??= this.#keepBound(codec)
  }

  async submit(part: PartSubmit, signal: AbortSignal): Promise<SubmitOutcome> {
    if (this.#binding === undefined || this.#ending.signal.aborted) return transient()
    if (!(await this.#window.enter(signal))) return transient()
    try {
      return await this.#submitNow(part)
    } finally {
      this.#window.leave()
    }
  }

  health(): CarrierHealth {
    return this.#health
  }

  async stop(drainMs: number): Promise<void> {
    const deadline = performance.now() + drainMs
    const left = (): number => Math.max(1, deadline - performance.now())
    this.#ending.abort()
    this.#window.shut()
    const binding = this.#binding
    while (binding?.links.some((link) => link.isBusy) && performance.now() < deadline) await wait(Math.min(20, left()))
    await Promise.all((binding?.links ?? []).map((link) => link.ask('unbind', {}, { timeoutMs: left() })))
    binding?.links.forEach((link) => link.close('we said goodbye'))
    await this.#running
    this.#become('down')
  }

  async #submitNow(part: PartSubmit): Promise<SubmitOutcome> {
    const binding = this.#binding
    const now = this.#options.clock.now()
    if (binding === undefined) return transient()
    if (part.validUntil.getTime() <= now) return { ok: false, kind: 'permanent', errorCode: 'expired' }
    const fields = submitFields(part, this.#form, new Date(now))
    if (fields === undefined) return { ok: false, kind: 'permanent', errorCode: 'carrier_rejected' }
    const late = (pdu: Pdu): void => void this.#answeredLate(part, this.#verdict(pdu))
    const answer = await binding.transmitter.ask('submit_sm', fields, { timeoutMs: this.#times.response, late })
    if (answer.kind === 'unsent') return transient()
    if (answer.kind === 'unanswered') return { ok: false, kind: 'ambiguous' }
    const { outcome, rebind } = this.#verdict(answer.pdu)
    if (rebind) binding.transmitter.close('the SMSC has forgotten that we are bound')
    return outcome
  }

  #verdict(pdu: Pdu): Verdict {
    // An answer to something else than we asked settles nothing, nor does a no that says that all is well.
    const isNo = pdu.command === 'generic_nack' && pdu.status !== Status.ok
    if (pdu.command !== 'submit_sm_resp' && !isNo) {
      return { outcome: { ok: false, kind: 'ambiguous' } }
    }
    const { idForm = 'same' } = this.#options
    return verdictOn(pdu.status, providerIdOf(textField(pdu, 'message_id'), 'answer', idForm))
  }

  async #answeredLate(part: PartSubmit, { outcome }: Verdict): Promise<void> {
    try {
      await this.#sink?.answeredLate?.(part, outcome)
    } catch (error) {
      this.#logError(error, 'a late answer of an SMSC could not be kept')
    }
  }

  async #keepBound(codec: Codec): Promise<void> {
    const { signal } = this.#ending
    for (let attempt = 0; !signal.aborted;) {
      this.#become(this.#health.state === 'misconfigured' ? 'misconfigured' : 'connecting')
      const bound = await bindTo({ ...this.#options, timeouts: this.#times }, codec, {
        asPair: this.#asPair,
        signal,
        onDelivered: (pdu) => this.#delivered(pdu),
      })
      if (bound.kind === 'bound') {
        const heldMs = await this.#hold(bound.binding)
        attempt = heldMs >= this.#times.steady ? 0 : attempt + 1
        await this.#rest(this.#backoff(attempt))
        continue
      }
      if (bound.why === 'no_transceiver' && !this.#asPair) {
        this.#asPair = true
        continue
      }
      // Where a pair is not let in either, the first no may have meant something else.
      this.#asPair = false
      this.#become(bound.why === 'refused' ? 'misconfigured' : 'connecting', bound.reason)
      await this.#rest(this.#waitAfter(bound, attempt++))
    }
  }

  /** Uses the binding until it is closed, and returns how long that was. */
  async #hold(binding: Binding): Promise<number> {
    const since = performance.now()
    this.#binding = binding
    this.#become('up')
    const { signal } = this.#ending
    // The carrier was stopped during the bind, so `stop` has not closed this binding.
    if (signal.aborted) binding.transmitter.close('we are stopping')
    const reason = await binding.closed
    this.#binding = undefined
    this.#window.shut()
    this.#become('connecting', reason)
    return performance.now() - since
  }

  #waitAfter({ why }: Extract<Bound, { kind: 'failed' }>, attempt: number): number {
    if (why === 'refused') return this.#times.refusedRetry
    return why === 'occupied' ? this.#times.occupiedRetry : this.#backoff(attempt)
  }

  #backoff(attempt: number): number {
    const { firstRetry: first, lastRetry: most } = this.#times
    return backoffMs(attempt, { first, most, spread: 0.2 }, this.#options.random)
  }

  async #rest(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#ending.signal }).catch(() => {})
  }

  /** The status that the SMSC gets: only what is committed is acknowledged, anything else comes again. */
  async #delivered(pdu: Pdu): Promise<number> {
    const sink = this.#sink
    const { idForm = 'same' } = this.#options
    const delivered = readDelivered(pdu, { idForm, defaultAlphabet: this.#form.defaultAlphabet })
    if (sink === undefined) return Status.temporaryAppError
    try {
      if (delivered.kind === 'inbound') await sink.inbound(delivered.part)
      if (delivered.kind === 'receipt') {
        // The first final receipt wins, so they must not overtake each other.
        await this.#perMessage.run(delivered.receipt.providerId, () => sink.receipt(delivered.receipt))
      }
      return Status.ok
    } catch (error) {
      this.#logError(error, 'what an SMSC delivered could not be kept; it will come again')
      return Status.temporaryAppError
    }
  }

  #become(state: CarrierHealth['state'], lastError = state === 'up' ? undefined : this.#health.lastError): void {
    const { clock, log, name } = this.#options
    const isNew = state !== this.#health.state
    this.#health = { state, since: isNew ? new Date(clock.now()) : this.#health.since, lastError }
    if (!isNew) return
    if (state === 'misconfigured') log.error({ connection: name, reason: lastError }, 'carrier authentication failed')
    else log.info({ connection: name, state, reason: lastError }, 'carrier connection changed')
  }

  /** The log has only the kind of error: its message may quote a number. */
  #logError(error: unknown, message: string): void {
    const kind = error instanceof Error ? error.name : typeof error
    this.#options.log.error({ connection: this.#options.name, kind }, message)
  }
}
