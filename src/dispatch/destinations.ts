/**
 * What each destination can take right now. Nothing of this is stored: after a restart everybody starts afresh, and a
 * destination of which nothing is under way, owed or forbidden is forgotten.
 *
 *   open → suspended      a handler said so
 *   suspended → on trial  the time is over: one row goes ahead
 *   on trial → open       a row ended without another suspension
 */
import type { Clock } from '../core/clock.ts'
import type { Limits } from './queue.ts'

interface State {
  busy: number
  /** When the next row would start if all rows came evenly at the allowed rate (GCRA). */
  evenlyAt: number
  suspendedUntil: number
  onTrial: boolean
  restriction: { limits: Partial<Limits>; until: number } | undefined
}

export class Destinations {
  readonly #limits: (destination: string) => Limits
  readonly #clock: Clock
  readonly #states = new Map<string, State>()

  constructor(limits: (destination: string) => Limits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** How many rows may start now. */
  room(destination: string): number {
    const now = this.#clock.now()
    const state = this.#states.get(destination) ?? fresh()
    if (state.suspendedUntil > now) return 0
    const limits = this.#limitsNow(destination, state, now)
    return Math.max(0, Math.min(Math.floor(limits.concurrency) - state.busy, allowance(state, limits, now)))
  }

  /** When there may be room again, by the clock; infinity while only the end of a row can make any. */
  opensAt(destination: string): number {
    const now = this.#clock.now()
    const state = this.#states.get(destination) ?? fresh()
    const limits = this.#limitsNow(destination, state, now)
    if (state.busy >= Math.floor(limits.concurrency)) return Infinity
    const { interval, tolerance } = pace(limits)
    return Math.max(now, state.suspendedUntil, interval === 0 ? now : state.evenlyAt - tolerance)
  }

  started(destination: string): void {
    const now = this.#clock.now()
    const state = this.#state(destination)
    state.busy++
    state.evenlyAt = Math.max(state.evenlyAt, now) + pace(this.#limitsNow(destination, state, now)).interval
  }

  ended(destination: string): void {
    const state = this.#state(destination)
    state.busy--
    if (state.suspendedUntil <= this.#clock.now()) state.onTrial = false
  }

  suspend(destination: string, ms: number): void {
    const state = this.#state(destination)
    state.suspendedUntil = Math.max(state.suspendedUntil, this.#clock.now() + ms)
    state.onTrial = true
  }

  restrict(destination: string, limits: Partial<Limits>, ms: number): void {
    this.#state(destination).restriction = { limits, until: this.#clock.now() + ms }
  }

  /** Those that are full or suspended. */
  blocked(): string[] {
    return [...this.#states.keys()].filter((destination) => this.room(destination) === 0)
  }

  /** Keeps memory bounded by what is going on, however many destinations there were. */
  forgetIdle(): void {
    const now = this.#clock.now()
    for (const [destination, state] of this.#states) if (isIdle(state, now)) this.#states.delete(destination)
  }

  get size(): number {
    return this.#states.size
  }

  #state(destination: string): State {
    let state = this.#states.get(destination)
    if (state === undefined) {
      state = fresh()
      this.#states.set(destination, state)
    }
    return state
  }

  #limitsNow(destination: string, { restriction, onTrial }: State, now: number): Limits {
    const limits = this.#limits(destination)
    const restricted = restriction && restriction.until > now ? lower(limits, restriction.limits) : limits
    return onTrial ? lower(restricted, { concurrency: 1 }) : restricted
  }
}

const fresh = (): State => ({
  busy: 0,
  evenlyAt: 0,
  suspendedUntil: 0,
  onTrial: false,
  restriction: undefined,
})

/** How long we remember that a destination is on trial when nothing comes for it. */
const TRIAL_MEMORY_MS = 600_000

const isIdle = ({ busy, evenlyAt, suspendedUntil, onTrial, restriction }: State, now: number): boolean =>
  busy === 0 &&
  Math.max(evenlyAt, suspendedUntil, restriction?.until ?? 0) <= now &&
  (!onTrial || suspendedUntil + TRIAL_MEMORY_MS <= now)

const lower = (limits: Limits, by: Partial<Limits>): Limits => ({
  concurrency: Math.min(limits.concurrency, by.concurrency ?? Infinity),
  perSecond: Math.min(limits.perSecond ?? Infinity, by.perSecond ?? Infinity),
  burst: Math.min(limits.burst ?? 1, by.burst ?? Infinity),
})

function allowance(state: State, limits: Limits, now: number): number {
  const { interval, tolerance } = pace(limits)
  if (interval === 0) return Infinity
  return Math.floor((now + tolerance - Math.max(state.evenlyAt, now)) / interval) + 1
}

function pace({ perSecond = Infinity, burst = 1 }: Limits): { interval: number; tolerance: number } {
  const interval = 1000 / perSecond
  return { interval, tolerance: interval * (burst - 1) }
}
