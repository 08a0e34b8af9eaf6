/** The length of one period. */
const PERIOD_MS = 250

/** How many rows a destination took within this period or the last one, whichever are more. */
export class Flow {
  #since = 0
  #before = 0
  #count = 0

  add(now: number): void {
    this.recent(now)
    if (this.#count === 0 && this.#before === 0) this.#since = now
    this.#count++
  }

  recent(now: number): number {
    const age = now - this.#since
    if (age >= PERIOD_MS) {
      this.#before = age < 2 * PERIOD_MS ? this.#count : 0
      this.#count = 0
      this.#since = age < 2 * PERIOD_MS ? this.#since + PERIOD_MS : now
    }
    return Math.max(this.#before, this.#count)
  }
}
