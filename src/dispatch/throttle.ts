import type { Clock } from '../core/clock.ts'

/**
 * Work that took longer was held up, by a lock or by a process that stood still, which says nothing about the next
 * time.
 */
const MAX_REST_MS = 1_000

/**
 * Spaces out a statement that is cheap on most days. While another transaction keeps dead rows alive, walking an index
 * costs as much as there are dead entries; then the statement must become rarer, not eat the database.
 */
export class Throttle {
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

  /** The next run may come at once: there is more to do than one could. */
  skipGap(): void {
    this.#nextAt = this.#clock.now()
  }

  /**
   * Does the work, and asks for a gap of four times its duration before the next, up to a limit: mail must not wait.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const startedAt = this.#clock.now()
    try {
      return await work()
    } finally {
      const endedAt = this.#clock.now()
      this.#nextAt = endedAt + Math.max(this.#gapMs, Math.min(MAX_REST_MS, 4 * (endedAt - startedAt)))
    }
  }
}
