import type { Clock } from '../../../core/clock.ts'

/** A burst is 25 messages within 250 ms, which is a hundred in a second. */
const [MIN_MESSAGES, WINDOW_MS] = [25, 250]
/** During a burst one job is made in this time, for all messages that come until the next one is made. */
export const JOB_EVERY_MS = 1_000

/**
 * Tells whether mail comes in a burst. The servers that bring it wait for our answer, those who will read it do not: in a
 * burst messages are taken first and processed some seconds later, many with one job. docs/decisions/0013 has the
 * measurements. When the burst goes on for longer than that, both happen at the same time.
 */
export class BurstDetector {
  readonly #clock: Clock
  #windowStart = 0
  #count = 0
  #isBurst = false
  #lastJobAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts messages that have just come: whether they are deferred, and whether a job has to be made for them. */
  count(messages: number): { isDeferred: boolean; needsJob: boolean } {
    const now = this.#clock.now()
    this.#count = this.#isSameWindow(now) ? this.#count + messages : messages
    if (this.#count >= MIN_MESSAGES) this.#isBurst = true
    if (!this.#isBurst) return { isDeferred: false, needsJob: false }
    const needsJob = Math.abs(now - this.#lastJobAt) >= JOB_EVERY_MS
    if (needsJob) this.#lastJobAt = now
    return { isDeferred: true, needsJob }
  }

  /** False when another window has begun; the burst is over when the last one had few messages. */
  #isSameWindow(now: number): boolean {
    const windows = Math.floor((now - this.#windowStart) / WINDOW_MS)
    if (windows === 0) return true
    // The clock may be set back.
    this.#isBurst = windows === 1 && this.#count >= MIN_MESSAGES
    this.#windowStart = now
    return false
  }
}
