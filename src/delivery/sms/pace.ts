import type { Clock } from '../../core/clock.ts'

/** How often each of many may do something, evenly. */
export class Rates {
  readonly #clock: Clock
  readonly #next = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** 0 when it is the turn of all of them; otherwise how long to wait, in milliseconds, and nothing is taken. */
  take(turns: readonly Turn[]): number {
    const now = this.#clock.now()
    const next = Math.max(now, ...turns.map(({ name }) => this.#next.get(name) ?? now))
    if (next > now) return Math.ceil(next - now)
    for (const { name, perSecond } of turns) this.#next.set(name, now + 1_000 / perSecond)
    return 0
  }
}

interface Turn {
  name: string
  perSecond: number
}
