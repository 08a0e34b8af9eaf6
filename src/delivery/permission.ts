import type { Clock } from '../core/clock.ts'
import type { Lease } from '../dispatch/queue.ts'

/** Whoever is suppressed, or whose project is paused, must not be mailed a second later. */
const GOOD_FOR_MS = 500

/**
 * Whether a message may leave. Asked for early, together with many others, which costs a fraction of asking one by one
 * before each dot; asked for again at the dot if the server has kept us waiting since.
 */
export class Permission {
  readonly #lease: Lease
  readonly #clock: Clock
  #askedAt = -Infinity

  constructor(lease: Lease, clock: Clock) {
    this.#lease = lease
    this.#clock = clock
  }

  async ask(): Promise<boolean> {
    const askedAt = this.#clock.now()
    const isGiven = (await this.#lease.begin()) === 'begun'
    this.#askedAt = isGiven ? askedAt : -Infinity
    return isGiven
  }

  /** To be called right before the point of no return. */
  async holds(): Promise<boolean> {
    if (this.#clock.now() - this.#askedAt < GOOD_FOR_MS) return this.#lease.holds()
    return this.ask()
  }
}
