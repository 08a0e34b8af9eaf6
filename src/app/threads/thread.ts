import { Worker, type ResourceLimits } from 'node:worker_threads'

const LOOK_EVERY_MS = 100

export type Outcome<T> =
  | { kind: 'answered'; answer: T }
  /** It could not do it. */
  | { kind: 'failed'; reason: string }
  /** It has worked on it for as long as it may (`work`), or did not come to an end in time (`clock`). */
  | { kind: 'late'; by: 'work' | 'clock' }
  /** The thread is no more. */
  | { kind: 'ended' }

/**
 * One thread that works on what strangers wrote, from our side. `Answers` has, for each type of question, what is
 * answered to it.
 */
export class Thread<Question extends { type: keyof Answers }, Answers> {
  readonly #worker: Worker
  readonly #ready: Promise<void>
  readonly #asked = new Map<number, (outcome: Outcome<unknown>) => void>()
  #lastId = 0
  #isOver = false

  constructor(program: URL, workerData: unknown, resourceLimits: ResourceLimits) {
    this.#worker = new Worker(program, { workerData, resourceLimits })
    // Nobody stays up for it alone.
    this.#worker.unref()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ready = promise
    // A thread that ends before it is ready must not leave its callers waiting.
    for (const event of ['message', 'error', 'exit']) this.#worker.once(event, () => resolve())
    this.#worker.on('message', (message: 'ready' | Said) => {
      if (message !== 'ready') this.#settle(message)
    })
    this.#worker.on('error', () => this.#end())
    this.#worker.on('exit', () => this.#end())
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * The time counts from when the thread is there. With `workMs` only the time in which it works does, up to the whole:
   * on a busy machine a thread that steps back for others is not to blame for waiting.
   */
  async ask<Q extends Question>(
    question: Q,
    { withinMs, workMs = withinMs }: { withinMs: number; workMs?: number },
  ): Promise<Outcome<Answers[Q['type']]>> {
    await this.#ready
    if (this.#isOver) return { kind: 'ended' }
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>()
    const late = (by: 'work' | 'clock'): void => this.#asked.get(id)?.({ kind: 'late', by })
    const timer = setTimeout(() => late('clock'), withinMs)
    const watch = workMs < withinMs ? this.#watchWork(workMs, () => late('work')) : undefined
    this.#asked.set(id, resolve)
    this.#worker.postMessage({ id, question })
    const outcome = await promise
    clearTimeout(timer)
    clearInterval(watch)
    this.#asked.delete(id)
    // What was asked for is what the thread answers.
    return outcome as Outcome<Answers[Q['type']]>
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#worker.terminate()
  }

  /** Work counts from the first look: most answers are there before it, and cost no more than a timer. */
  #watchWork(mostMs: number, late: () => void): NodeJS.Timeout {
    const worked = (): Promise<number> => this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1_000)
    let before: number | undefined
    const look = async (): Promise<void> => {
      const now = await worked()
      before ??= now
      if (now - before >= mostMs) late()
    }
    // One that cannot be asked has ended, which is noticed elsewhere.
    return setInterval(() => void look().catch(() => {}), LOOK_EVERY_MS)
  }

  #settle({ id, answer, error }: Said): void {
    this.#asked.get(id)?.(error === undefined ? { kind: 'answered', answer } : { kind: 'failed', reason: error })
  }

  #end(): void {
    this.#isOver = true
    for (const settle of this.#asked.values()) settle({ kind: 'ended' })
  }
}

interface Said {
  id: number
  answer?: unknown
  error?: string
}
