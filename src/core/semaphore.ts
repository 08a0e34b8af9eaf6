/**
 * At most `capacity` units are held at a time: bytes, requests, threads. Others wait and enter in the order in which
 * they came; otherwise many small ones could keep a large one waiting for ever. A request for more than the capacity
 * enters alone.
 */
export class Semaphore {
  readonly #capacity: () => number
  readonly #waiting: { units: number; enter: () => void }[] = []
  #held = 0

  /** A capacity that is a function is called whenever a holder enters or leaves. */
  constructor(capacity: number | (() => number)) {
    this.#capacity = typeof capacity === 'number' ? () => capacity : capacity
  }

  get isIdle(): boolean {
    return this.#held === 0
  }

  async with<T>(units: number, work: () => Promise<T>): Promise<T> {
    await this.#acquire(units)
    try {
      return await work()
    } finally {
      this.#held -= units
      this.#admit()
    }
  }

  #acquire(units: number): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ units, enter })
      this.#admit()
    })
  }

  /** The units are counted here and not by the one who enters, so that no other takes them in between. */
  #admit(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#held > 0 && this.#held + next.units > this.#capacity()) return
      this.#held += next.units
      this.#waiting.shift()
      next.enter()
    }
  }
}
