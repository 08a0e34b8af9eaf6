import type { Clock } from '../../core/clock.ts'
import { Rate } from '../../dispatch/rate.ts'

const MAX_REMEMBERED = 10_000

/**
 * How many segments each sender may hand over, evenly. Dispatch cannot say that: the destination of a part is its
 * connection, which serves many senders.
 */
export class SenderRates {
  readonly #clock: Clock
  readonly #rates = new Map<string, Rate>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** 0 when it is the sender's turn; otherwise how long it has to wait, in milliseconds, and nothing is taken. */
  take(sender: string, perSecond: number, segments: number): number {
    const now = this.#clock.now()
    const rate = this.#rates.get(sender) ?? new Rate()
    const opensAt = rate.opensAt(now, { perSecond })
    if (opensAt > now) return Math.ceil(opensAt - now)
    if (this.#rates.size >= MAX_REMEMBERED) this.#forgetIdle(now)
    rate.take(now, segments, { perSecond })
    this.#rates.set(sender, rate)
    return 0
  }

  #forgetIdle(now: number): void {
    for (const [sender, rate] of this.#rates) if (rate.isIdle(now)) this.#rates.delete(sender)
  }
}
