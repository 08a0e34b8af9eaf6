/** Limits how many requests may be unanswered at a time (the SMPP window); the others wait in order. */
export class Window {
  readonly #most: number
  #used = 0
  readonly #waiting: Waiter[] = []

  constructor(most: number) {
    this.#most = most
  }

  get isIdle(): boolean {
    return this.#used === 0 && this.#waiting.length === 0
  }

  /** True for a place, which has to be given back; false when the signal or `shut` came first. */
  enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false)
    if (this.#used < this.#most) {
      this.#used++
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const leave = (): void => waiter.end(false)
      const waiter: Waiter = {
        end: (entered) => {
          signal.removeEventListener('abort', leave)
          const place = this.#waiting.indexOf(waiter)
          if (place >= 0) this.#waiting.splice(place, 1)
          resolve(entered)
        },
      }
      signal.addEventListener('abort', leave)
      this.#waiting.push(waiter)
    })
  }

  leave(): void {
    const next = this.#waiting[0]
    // The place is passed to the next waiter, so that no other takes it.
    if (next === undefined) this.#used--
    else next.end(true)
  }

  /** Ends all waits. */
  shut(): void {
    // Each takes itself off the list.
    while (this.#waiting.length > 0) this.#waiting[0]?.end(false)
  }
}

interface Waiter {
  end(entered: boolean): void
}
