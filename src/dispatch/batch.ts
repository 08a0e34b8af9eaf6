/** How entries are gathered into batches. */
export interface Gathering {
  /** A batch has at most so many entries. */
  most: number
  gatherMs: number
  /**
   * When much comes in, it pays to wait for more: a batch of a hundred costs hardly more than one of ten. From so many
   * entries on in a batch, the next one is gathered for longer, or until it has `enough`.
   */
  whenBusy?: { from: number; gatherMs: number; enough?: number }
}

/** Collects what many callers ask for at about the same time, and does it together, one batch after the other. */
export class Batch<In, Out> {
  readonly #run: (entries: In[]) => Promise<Out[]>
  readonly #gathering: Gathering
  #gathered: { entry: In; settle: Settle<Out> }[] = []
  #timer: NodeJS.Timeout | undefined
  #running = false
  #lastSize = 0

  /** `run` answers in the order of the entries. */
  constructor(run: (entries: In[]) => Promise<Out[]>, gathering: Gathering) {
    this.#run = run
    this.#gathering = gathering
  }

  add(entry: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#gathered.push({ entry, settle: { resolve, reject } })
      if (!this.#running) this.#soon()
    })
  }

  #soon(): void {
    const { most, gatherMs, whenBusy } = this.#gathering
    const isBusy = whenBusy !== undefined && this.#lastSize >= whenBusy.from
    const enough = isBusy ? (whenBusy.enough ?? most) : most
    if (this.#gathered.length >= enough) return this.#next()
    this.#timer ??= setTimeout(() => this.#next(), isBusy ? whenBusy.gatherMs : gatherMs)
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#running || this.#gathered.length === 0) return
    this.#running = true
    const batch = this.#gathered.splice(0, this.#gathering.most)
    this.#lastSize = batch.length
    void this.#flush(batch).then(() => {
      this.#running = false
      // Whatever came in meanwhile has waited long enough, unless it pays to wait for more.
      if (this.#gathering.whenBusy && this.#gathered.length > 0) this.#soon()
      else this.#next()
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
