/** So many bytes may be in hand at a time; whoever wants more waits until others have let go. One always gets in. */
export class ByteBudget {
  readonly #most: number
  readonly #waiting: { size: number; enter: () => void }[] = []
  #taken = 0

  constructor(most: number) {
    this.#most = most
  }

  async with<T>(size: number, work: () => Promise<T>): Promise<T> {
    await this.#enter(size)
    try {
      return await work()
    } finally {
      this.#taken -= size
      this.#letIn()
    }
  }

  #enter(size: number): Promise<void> {
    return new Promise((enter) => {
      this.#waiting.push({ size, enter })
      this.#letIn()
    })
  }

  /** In the order in which they came: else many small ones would keep a large one waiting for ever. */
  #letIn(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (this.#taken > 0 && this.#taken + next.size > this.#most) return
      this.#taken += next.size
      this.#waiting.shift()
      next.enter()
    }
  }
}
