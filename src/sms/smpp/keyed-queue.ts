/** Work with the same key happens in order, everything else side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<void>>()

  async run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(key) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#last.set(key, mine)
    try {
      await mine
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key)
    }
  }
}
