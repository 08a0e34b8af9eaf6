import type { Clock } from '../../core/clock.ts'

/** How often each of many may do something, evenly. */
export class Rates {
  readonly #clock: Clock
  readonly #next = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** 0 when it is his turn; otherwise how long he has to wait, in milliseconds, and nothing is taken. */
  take(name: string, perSecond: number): number {
    const now = this.#clock.now()
    const next = this.#next.get(name) ?? now
    if (next > now) return Math.ceil(next - now)
    this.#next.set(name, now + 1_000 / perSecond)
    return 0
  }
}
