import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { isUnavailable } from './outage.ts'

const defaultBackoff: Backoff = { first: 100, most: 5_000, spread: 0.2 }

export interface RetryOptions {
  random: () => number
  /** Told at each failed attempt. */
  onOutage?: (error: unknown) => void
  /** Asked before each further attempt; the outage is thrown when it says no. */
  mayRetry?: () => boolean
  backoff?: Backoff
}

/** Does the work again and again while the database is away. What the database refuses is thrown at once. */
export async function whenAvailable<T>(work: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      options.onOutage?.(error)
      if (options.mayRetry?.() === false) throw error
    }
    await sleep(backoffMs(attempt, options.backoff ?? defaultBackoff, options.random))
  }
}
