import type { Clock } from '../../core/clock.ts'

/** So many failures in a row may be chance. */
const PATIENCE = 5
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

/** Beyond this many endpoints that fail, those that failed first are given another chance. */
const MAX_REMEMBERED = 10_000

/**
 * Which endpoints are not worth asking right now. One that fails again and again is left alone for a while, each time
 * twice as long up to a minute; what it should be told stays in the queue meanwhile, untried, and nobody waits for it.
 */
export class Breaker {
  readonly #clock: Clock
  readonly #endpoints = new Map<string, { failures: number; openUntil: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  isOpen(endpoint: string): boolean {
    return (this.#endpoints.get(endpoint)?.openUntil ?? 0) > this.#clock.now()
  }

  succeeded(endpoint: string): void {
    this.#endpoints.delete(endpoint)
  }

  /** For how long to leave it alone: what it asks for itself, or what its failures suggest. */
  failed(endpoint: string, askedMs = 0): number {
    const failures = (this.#endpoints.get(endpoint)?.failures ?? 0) + 1
    const suggested = failures < PATIENCE ? 0 : FIRST_PAUSE_MS * 2 ** (failures - PATIENCE)
    const pauseMs = Math.max(askedMs, Math.min(suggested, MAX_PAUSE_MS))
    this.#endpoints.delete(endpoint)
    this.#endpoints.set(endpoint, { failures, openUntil: this.#clock.now() + pauseMs })
    const [first] = this.#endpoints.keys()
    if (this.#endpoints.size > MAX_REMEMBERED && first !== undefined) this.#endpoints.delete(first)
    return pauseMs
  }
}
