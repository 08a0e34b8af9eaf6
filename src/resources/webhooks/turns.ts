/** Who may talk to an endpoint: so many at a time, in the order in which they came. */
export class Turns {
  readonly #most: () => number
  readonly #endpoints = new Map<string, { busy: number; waiting: (() => void)[] }>()

  constructor(most: () => number) {
    this.#most = most
  }

  async take<T>(endpoint: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#endpoints.get(endpoint) ?? { busy: 0, waiting: [] }
    this.#endpoints.set(endpoint, queue)
    if (queue.busy >= this.#most()) await new Promise<void>((resolve) => queue.waiting.push(resolve))
    else queue.busy++
    try {
      return await work()
    } finally {
      const next = queue.waiting.shift()
      // Whoever is next takes the place over, so it is never free in between.
      if (next) next()
      else if (--queue.busy === 0) this.#endpoints.delete(endpoint)
    }
  }
}
