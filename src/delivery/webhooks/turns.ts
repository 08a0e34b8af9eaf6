import { Semaphore } from '../../core/semaphore.ts'

/** Who may talk to an endpoint: so many at a time, in the order in which they came. */
export class Turns {
  readonly #most: () => number
  readonly #endpoints = new Map<string, Semaphore>()

  constructor(most: () => number) {
    this.#most = most
  }

  async take<T>(endpoint: string, work: () => Promise<T>): Promise<T> {
    const requests = this.#endpoints.get(endpoint) ?? new Semaphore(this.#most)
    this.#endpoints.set(endpoint, requests)
    try {
      return await requests.with(1, work)
    } finally {
      // Another one may have taken its place in the map since it became idle.
      if (requests.isIdle && this.#endpoints.get(endpoint) === requests) this.#endpoints.delete(endpoint)
    }
  }
}
