import type { Clock } from '../core/clock.ts'

export type Answer<T> =
  | { kind: 'found'; records: readonly T[] }
  /** The name exists, but has nothing of this type. */
  | { kind: 'empty' }
  /** There is no such name. */
  | { kind: 'absent' }
  /** The answer is not known right now: SERVFAIL, REFUSED, a time-out, or a malformed answer. */
  | { kind: 'temporary'; reason: string }

/** An answer and for how long its owner says that it holds; Node tells that for addresses only. */
export interface Reading<T> {
  answer: Answer<T>
  ttlSeconds?: number
}

const MIN_MS = 30_000
const MAX_MS = 600_000
/** An answer with an unknown lifetime is kept for half of the longest. */
const UNKNOWN_LIFETIME_MS = 300_000
const NEGATIVE_MS = 60_000

/**
 * Remembers answers of one record type. Questions about the same name that come while one is under way wait for its
 * answer; a temporary failure is shared by those, and then forgotten.
 */
export class AnswerCache<T> {
  readonly #clock: Clock
  readonly #most: number
  readonly #known = new Map<string, { answer: Answer<T>; until: number }>()
  readonly #asked = new Map<string, Promise<Answer<T>>>()

  constructor(clock: Clock, most: number) {
    this.#clock = clock
    this.#most = most
  }

  async answer(name: string, fresh: boolean, ask: () => Promise<Reading<T>>): Promise<Answer<T>> {
    const known = this.#known.get(name)
    if (!fresh && known && known.until > this.#clock.now()) return known.answer
    const pending = this.#asked.get(name)
    if (pending) return pending
    const asked = this.#learn(name, ask).finally(() => this.#asked.delete(name))
    this.#asked.set(name, asked)
    return asked
  }

  async #learn(name: string, ask: () => Promise<Reading<T>>): Promise<Answer<T>> {
    const { answer, ttlSeconds } = await ask()
    const lifetime = lifetimeMs(answer, ttlSeconds)
    if (lifetime === 0) return answer
    // Deleted first, so that it moves to the end of the queue for eviction.
    this.#known.delete(name)
    this.#known.set(name, { answer, until: this.#clock.now() + lifetime })
    this.#makeRoom()
    return answer
  }

  /** The oldest answers go first. */
  #makeRoom(): void {
    for (const name of this.#known.keys()) {
      if (this.#known.size <= this.#most) return
      this.#known.delete(name)
    }
  }
}

function lifetimeMs(answer: Answer<unknown>, ttlSeconds: number | undefined): number {
  if (answer.kind === 'temporary') return 0
  if (answer.kind !== 'found') return NEGATIVE_MS
  if (ttlSeconds === undefined) return UNKNOWN_LIFETIME_MS
  return Math.min(MAX_MS, Math.max(MIN_MS, ttlSeconds * 1_000))
}
