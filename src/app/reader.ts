import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { AnswerTo, Question, ReaderData } from './reader-messages.ts'

/** Enough for the largest message that is taken; a thread that wants more ends. */
const LIMITS = { maxOldGenerationSizeMb: 160, maxYoungGenerationSizeMb: 32 }

const LOOK_EVERY_MS = 100

export type Outcome<T> =
  | { kind: 'answered'; answer: T }
  /** It could not do it. */
  | { kind: 'failed'; reason: string }
  | { kind: 'late' }
  /** The thread is no more. */
  | { kind: 'ended' }

/** One thread that reads mail, from our side. */
export class Reader {
  readonly #worker: Worker
  readonly #ready: Promise<unknown>
  readonly #asked = new Map<number, (outcome: Outcome<unknown>) => void>()
  #lastId = 0
  #isOver = false

  constructor(data: ReaderData) {
    this.#worker = new Worker(new URL('reader-thread.ts', import.meta.url), {
      workerData: data,
      resourceLimits: LIMITS,
    })
    // Nobody stays up for it alone.
    this.#worker.unref()
    this.#ready = once(this.#worker, 'message').catch(() => {})
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
  ): Promise<Outcome<AnswerTo[Q['type']]>> {
    await this.#ready
    if (this.#isOver) return { kind: 'ended' }
    const id = ++this.#lastId
    const { promise, resolve } = Promise.withResolvers<Outcome<unknown>>()
    const late = (): void => this.#asked.get(id)?.({ kind: 'late' })
    const timer = setTimeout(late, withinMs)
    const watch = workMs < withinMs ? this.#watchWork(workMs, late) : undefined
    this.#asked.set(id, resolve)
    this.#worker.postMessage({ id, question })
    const outcome = await promise
    clearTimeout(timer)
    clearInterval(watch)
    this.#asked.delete(id)
    // What was asked for is what the thread answers.
    return outcome as Outcome<AnswerTo[Q['type']]>
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#worker.terminate()
  }

  #watchWork(mostMs: number, late: () => void): NodeJS.Timeout {
    const worked = (): Promise<number> => this.#worker.cpuUsage().then(({ user, system }) => (user + system) / 1_000)
    const before = worked()
    const look = async (): Promise<void> => {
      if ((await worked()) - (await before) >= mostMs) late()
    }
    // One that cannot be asked has ended, which is noticed elsewhere.
    before.catch(() => {})
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
