import type { Clock } from '../core/clock.ts'

/** What took longer was held up, by a lock or by a process that stood still, and says nothing about the next time. */
const MAX_REST_MS = 1_000

/**
 * Spaces out a statement that is cheap on most days. While another transaction keeps dead rows alive, walking an index
 * costs as much as there are dead entries; then the statement must become rarer, not eat the database.
 */
export class Pace {
  readonly #clock: Clock
  readonly #gapMs: number
  #nextAt = 0

  constructor(clock: Clock, gapMs: number) {
    this.#clock = clock
    this.#gapMs = gapMs
  }

  get waitMs(): number {
    return Math.max(0, this.#nextAt - this.#clock.now())
  }

  /** There is more to do than one go could: no gap this time. */
  hasten(): void {
    this.#nextAt = this.#clock.now()
  }

  /** Does the work and keeps four times its duration clear of the next, up to a point: mail must not wait for it. */
  async keep<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.now()
    try {
      return await work()
    } finally {
      const endedAt = this.#clock.now()
      this.#nextAt = endedAt + Math.max(this.#gapMs, Math.min(MAX_REST_MS, 4 * (endedAt - startedAt)))
    }
  }
}
