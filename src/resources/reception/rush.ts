import type { Clock } from '../../core/clock.ts'

/** So many messages within a moment, which is a hundred in a second. */
const [MANY, MOMENT_MS] = [25, 250]
const LATER_MS = 10_000

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

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Told what has just come; how long whoever looks into it should wait. */
  delayMs(messages: number): number {
    const now = this.#clock.now()
    const moments = Math.floor((now - this.#since) / MOMENT_MS)
    // The clock may be set back.
    if (moments !== 0) {
      this.#isOn = moments === 1 && this.#count >= MANY
      this.#since = now
      this.#count = 0
    }
    this.#count += messages
    if (this.#count >= MANY) this.#isOn = true
    return this.#isOn ? LATER_MS : 0
  }
}
