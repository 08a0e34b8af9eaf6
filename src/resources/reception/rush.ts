import type { Clock } from '../../core/clock.ts'

/** So many messages within a moment, which is a hundred in a second. */
const [MANY, MOMENT_MS] = [25, 250]
/** In a rush somebody is sent so often, for all that comes until the next one is. */
export const SENT_FOR_MS = 1_000

/**
 * Whether mail pours in. The servers that bring it are waiting on the line, its readers are not: in a rush it is taken
 * first and looked into a little later, or the second would cost the first half of its speed on a small machine.
 * When the rush goes on, both happen side by side.
 */
export class Rush {
  readonly #clock: Clock
  #since = 0
  #count = 0
  #isOn = false
  #sentForAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Told what has just come: whether it waits, and whether somebody has to be sent for it. */
  comes(messages: number): { waits: boolean; isSentFor: boolean } {
    const now = this.#clock.now()
    this.#count = this.#isMoment(now) ? this.#count + messages : messages
    if (this.#count >= MANY) this.#isOn = true
    if (!this.#isOn) return { waits: false, isSentFor: false }
    const isSentFor = Math.abs(now - this.#sentForAt) >= SENT_FOR_MS
    if (isSentFor) this.#sentForAt = now
    return { waits: true, isSentFor }
  }

  /** False when another one has begun; the rush is over when the last one was quiet. */
  #isMoment(now: number): boolean {
    const moments = Math.floor((now - this.#since) / MOMENT_MS)
    if (moments === 0) return true
    // The clock may be set back.
    this.#isOn = moments === 1 && this.#count >= MANY
    this.#since = now
    return false
  }
}
