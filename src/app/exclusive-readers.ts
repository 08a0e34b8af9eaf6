import type { AnswerTo, Question } from './reader-messages.ts'
import type { Reader } from './reader.ts'
import type { Outcome } from './thread.ts'

/** Threads that work on one message at a time, each. Whoever finds all of them at work waits. */
export class ExclusiveReaders {
  readonly #most: number
  readonly #newReader: () => Reader
  readonly #all = new Set<Reader>()
  readonly #idle: Reader[] = []
  readonly #waiting: (() => void)[] = []
  #working = 0

  constructor(most: number, newReader: () => Reader) {
    this.#most = most
    this.#newReader = newReader
  }

  /** A thread that does not answer is ended with its question. */
  async ask<Q extends Question>(
    question: Q,
    limits: { withinMs: number; workMs: number },
  ): Promise<Outcome<AnswerTo[Q['type']]>> {
    if (this.#working >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#working++
    try {
      const reader = this.#idle.pop() ?? this.#begin()
      const outcome = await reader.ask(question, limits)
      if (outcome.kind === 'answered') this.#idle.push(reader)
      else await this.#end(reader)
      return outcome
    } finally {
      this.#working--
      this.#waiting.shift()?.()
    }
  }

  async stop(): Promise<void> {
    const all = [...this.#all]
    this.#idle.length = 0
    this.#all.clear()
    await Promise.all(all.map((reader) => reader.stop()))
  }

  #begin(): Reader {
    const reader = this.#newReader()
    this.#all.add(reader)
    return reader
  }

  async #end(reader: Reader): Promise<void> {
    this.#all.delete(reader)
    await reader.stop()
  }
}
