/** Collects what many callers ask for at about the same time, and does it together, one batch after the other. */
export class Batch<In, Out> {
  readonly #run: (entries: In[]) => Promise<Out[]>
  readonly #most: number
  readonly #gatherMs: number
  #gathered: { entry: In; settle: Settle<Out> }[] = []
  #timer: NodeJS.Timeout | undefined
  #running = false

  /** `run` answers in the order of the entries. */
  constructor(run: (entries: In[]) => Promise<Out[]>, { most, gatherMs }: { most: number; gatherMs: number }) {
    this.#run = run
    this.#most = most
    this.#gatherMs = gatherMs
  }

  add(entry: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#gathered.push({ entry, settle: { resolve, reject } })
      if (this.#running) return
      if (this.#gathered.length >= this.#most) this.#next()
      else this.#timer ??= setTimeout(() => this.#next(), this.#gatherMs)
    })
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#running || this.#gathered.length === 0) return
    this.#running = true
    void this.#flush(this.#gathered.splice(0, this.#most)).then(() => {
      this.#running = false
      // Whatever came in meanwhile has waited long enough.
      this.#next()
    })
  }

  async #flush(batch: { entry: In; settle: Settle<Out> }[]): Promise<void> {
    try {
      const answers = await this.#run(batch.map(({ entry }) => entry))
      if (answers.length !== batch.length) throw new Error('a batch must answer every entry')
      answers.forEach((answer, i) => batch[i]?.settle.resolve(answer))
    } catch (error) {
      for (const { settle } of batch) settle.reject(error)
    }
  }
}

interface Settle<Out> {
  resolve: (answer: Out) => void
  reject: (error: unknown) => void
}
