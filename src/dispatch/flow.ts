import type { Clock } from '../core/clock.ts'

/** How far back one looks. */
const MOMENT_MS = 250

/**
 * How much each destination took within the last moment. As much again may be in hand: work that is shared by many is
 * cheaper, and a destination that takes things quickly holds nobody up. One that stops taking falls back by itself.
 */
export class Flow {
  readonly #clock: Clock
  readonly #seen = new Map<string, { since: number; before: number; count: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  taken(destination: string): void {
    this.recent(destination)
    const seen = this.#seen.get(destination) ?? { since: this.#clock.now(), before: 0, count: 0 }
    seen.count++
    this.#seen.set(destination, seen)
  }

  /** Within the last moment or two. */
  recent(destination: string): number {
    const seen = this.#seen.get(destination)
    if (seen === undefined) return 0
    const age = this.#clock.now() - seen.since
    if (age < MOMENT_MS) return Math.max(seen.before, seen.count)
    if (age >= 2 * MOMENT_MS) this.#seen.delete(destination)
    else this.#seen.set(destination, { since: seen.since + MOMENT_MS, before: seen.count, count: 0 })
    return this.recent(destination)
  }
}
