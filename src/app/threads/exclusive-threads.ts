import { Semaphore } from '../../core/semaphore.ts'
import type { AnswerTo, Question } from './parser-messages.ts'
import type { Reader } from './parser.ts'
import type { Outcome } from './thread.ts'

/** Threads that work on one message at a time, each. Whoever finds all of them at work waits. */
export class ExclusiveReaders {
  readonly #places: Semaphore
  readonly #newReader: () => Reader
  readonly #all = new Set<Reader>()
  readonly #idle: Reader[] = []

  constructor(most: number, newReader: () => Reader) {
    this.#places = new Semaphore(most)
    this.#newReader = newReader
  }

  /** A thread that does not answer is ended with its question. */
  ask<Q extends Question>(
    question: Q,
    limits: { withinMs: number; workMs: number },
  ): Promise<Outcome<AnswerTo[Q['type']]>> {
    return this.#places.with(1, async () => {
      const reader = this.#idle.pop() ?? this.#begin()
      const outcome = await reader.ask(question, limits)
      if (outcome.kind === 'answered') this.#idle.push(reader)
      else await this.#end(reader)
      return outcome
    })
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
