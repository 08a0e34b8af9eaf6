import { Semaphore } from '../../core/semaphore.ts'
import type { AnswerTo, Question } from './parser-messages.ts'
import type { ParserThread } from './parser.ts'
import type { Outcome } from './thread.ts'

/** Threads that work on one message at a time, each. A message that finds all of them at work waits. */
export class ExclusiveThreads {
  readonly #places: Semaphore
  readonly #newThread: () => ParserThread
  readonly #all = new Set<ParserThread>()
  readonly #idle: ParserThread[] = []

  constructor(most: number, newThread: () => ParserThread) {
    this.#places = new Semaphore(most)
    this.#newThread = newThread
  }

  /** A thread that does not answer is ended with its question. */
  ask<Q extends Question>(
    question: Q,
    limits: { withinMs: number; workMs: number },
  ): Promise<Outcome<AnswerTo[Q['type']]>> {
    return this.#places.with(1, async () => {
      const thread = this.#idle.pop() ?? this.#begin()
      const outcome = await thread.ask(question, limits)
      if (outcome.kind === 'answered') this.#idle.push(thread)
      else await this.#end(thread)
      return outcome
    })
  }

  async stop(): Promise<void> {
    const all = [...this.#all]
    this.#idle.length = 0
    this.#all.clear()
    await Promise.all(all.map((thread) => thread.stop()))
  }

  #begin(): ParserThread {
    const thread = this.#newThread()
    this.#all.add(thread)
    return thread
  }

  async #end(thread: ParserThread): Promise<void> {
    this.#all.delete(thread)
    await thread.stop()
  }
}
