/**
 * What one destination can take right now: how many rows at a time, at what rate, and whether any at all.
 *
 *   open → suspended      a handler said so, or several rows in a row failed
 *   suspended → on trial  the time is over: one row goes ahead
 *   on trial → open       a row ended without another suspension
 */
import type { Clock } from '../core/clock.ts'
import { Semaphore } from '../core/semaphore.ts'
import { Flow } from './flow.ts'
import type { Destination, DestinationReport, Limits } from './queue.ts'
import { Rate } from './rate.ts'

/** Fewer failures in a row may be chance. */
const FAILURES_TO_SUSPEND = 5
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/** A destination that wants less gets half, again and again down to this part, and a tenth of all back every minute. */
const MIN_FACTOR = 1 / 64
const REGAINED_PER_MINUTE = 0.1
const MIN_PER_SECOND = 0.1

/** How long a trial, or failures in a row, are remembered when nothing comes for the destination. */
const MEMORY_MS = 600_000

export class DestinationState implements Destination {
  readonly #limits: () => Limits
  readonly #clock: Clock
  readonly #rate = new Rate()
  readonly #flow = new Flow()
  #turns: Semaphore | undefined
  #busy = 0
  #suspendedUntil = 0
  #onTrial = false
  #restriction: { limits: Partial<Limits>; until: number } | undefined
  #slowed: { factor: number; since: number } | undefined
  #failures = 0
  #rememberUntil = 0
  #troubledSince = 0
  #note: DestinationReport['note']

  constructor(limits: () => Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** How many rows may start now. */
  get room(): number {
    const now = this.#clock.now()
    if (this.#suspendedUntil > now) return 0
    const limits = this.#limitsAt(now)
    return Math.max(0, Math.min(Math.floor(limits.concurrency) - this.#busy, this.#rate.allowance(now, limits)))
  }

  /** When there may be room again, by the clock; infinity while only the end of a row can make any. */
  get opensAt(): number {
    const now = this.#clock.now()
    const limits = this.#limitsAt(now)
    if (this.#busy >= Math.floor(limits.concurrency)) return Infinity
    return Math.max(this.#suspendedUntil, this.#rate.opensAt(now, limits))
  }

  started(): void {
    this.#busy++
    this.charge(1)
  }

  ended(): void {
    this.#busy--
    if (this.#suspendedUntil <= this.#clock.now()) this.#onTrial = false
  }

  /** Nothing is under way, owed or remembered: a new state would be the same. */
  get isIdle(): boolean {
    const now = this.#clock.now()
    const isRemembered = this.#onTrial || this.#failures > 0
    const until = Math.max(this.#restriction?.until ?? 0, isRemembered ? this.#rememberUntil : this.#suspendedUntil)
    return (
      this.#busy === 0 &&
      until <= now &&
      this.#rate.isIdle(now) &&
      this.#flow.recent(now) === 0 &&
      this.#factor(now) === 1
    )
  }

  /** What there is to tell of it. */
  report(destination: string): DestinationReport {
    const now = this.#clock.now()
    const restriction = this.#restrictionAt(now)
    const isSlowed = this.#factor(now) < 1
    const { perSecond } = this.#limitsAt(now)
    const isTroubled = this.#isTroubled(now)
    return {
      destination,
      suspendedForMs: Math.max(0, this.#suspendedUntil - now),
      onTrial: this.#onTrial,
      concurrency: this.#onTrial ? 1 : restriction.concurrency,
      perSecond: isSlowed || restriction.perSecond !== undefined ? perSecond : undefined,
      troubledForMs: isTroubled ? now - this.#troubledSince : undefined,
      note: isTroubled ? this.#note : undefined,
    }
  }

  note(answer: Readonly<Record<string, unknown>>): void {
    this.#note = answer
  }

  suspend(ms: number): void {
    const now = this.#clock.now()
    this.#markTroubled(now)
    this.#suspendedUntil = Math.max(this.#suspendedUntil, now + ms)
    this.#onTrial = true
    this.#remember(this.#suspendedUntil)
  }

  restrict(limits: Partial<Limits>, ms: number): void {
    const now = this.#clock.now()
    this.#markTroubled(now)
    this.#restriction = { limits, until: now + ms }
  }

  slowDown(): void {
    const now = this.#clock.now()
    this.#markTroubled(now)
    this.#slowed = { factor: Math.max(MIN_FACTOR, this.#factor(now) / 2), since: now }
  }

  succeeded(): void {
    this.#failures = 0
    this.#flow.add(this.#clock.now())
  }

  failed(askedMs = 0): void {
    this.#failures++
    const beyond = this.#failures - FAILURES_TO_SUSPEND
    const pauseMs = Math.max(askedMs, beyond < 0 ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** beyond, MAX_PAUSE_MS))
    if (pauseMs > 0) this.suspend(pauseMs)
    else this.#remember(this.#clock.now())
  }

  charge(rows: number): void {
    const now = this.#clock.now()
    this.#rate.take(now, rows, this.#limitsAt(now))
  }

  inTurn<T>(work: () => Promise<T>): Promise<T | undefined> {
    this.#turns ??= new Semaphore(() => this.#limits().atOnce ?? Infinity)
    return this.#turns.with<T | undefined>(1, async () =>
      this.#suspendedUntil > this.#clock.now() ? undefined : work(),
    )
  }

  #isTroubled(now: number): boolean {
    return this.#onTrial || (this.#restriction?.until ?? 0) > now || this.#factor(now) < 1
  }

  /** Called before a change for the worse: trouble upon trouble is one. */
  #markTroubled(now: number): void {
    if (!this.#isTroubled(now)) this.#troubledSince = now
  }

  #restrictionAt(now: number): Partial<Limits> {
    return this.#restriction !== undefined && this.#restriction.until > now ? this.#restriction.limits : {}
  }

  #remember(from: number): void {
    this.#rememberUntil = Math.max(this.#rememberUntil, from + MEMORY_MS)
  }

  #limitsAt(now: number): Limits {
    const limits = this.#limits()
    const { maxConcurrency = limits.concurrency, perSecond } = limits
    const factor = this.#factor(now)
    const restriction = this.#restrictionAt(now)
    return {
      concurrency: Math.min(
        maxConcurrency,
        limits.concurrency + this.#flow.recent(now),
        restriction.concurrency ?? Infinity,
        this.#onTrial ? 1 : Infinity,
      ),
      perSecond: Math.min(
        perSecond === undefined || factor === 1
          ? (perSecond ?? Infinity)
          : Math.max(MIN_PER_SECOND, perSecond * factor),
        restriction.perSecond ?? Infinity,
      ),
      burst: Math.min(limits.burst ?? 1, restriction.burst ?? Infinity),
    }
  }

  /** The part of its rate that a destination gets which was slowed down. */
  #factor(now: number): number {
    if (this.#slowed === undefined) return 1
    const minutes = (now - this.#slowed.since) / 60_000
    const factor = this.#slowed.factor + minutes * REGAINED_PER_MINUTE
    if (factor >= 1) this.#slowed = undefined
    return Math.min(1, factor)
  }
}
