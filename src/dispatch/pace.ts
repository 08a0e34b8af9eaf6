import type { Clock } from '../core/clock.ts'

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

  /** Does the work and keeps at least four times its duration clear of the next. */
  async keep<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.now()
    try {
      return await work()
    } finally {
      const endedAt = this.#clock.now()
      this.#nextAt = endedAt + Math.max(this.#gapMs, 4 * (endedAt - startedAt))
    }
  }
}
