import type { Clock } from '../core/clock.ts'
import { DomainError } from '../core/errors.ts'
import type { KeyId, SessionId } from '../core/ids.ts'
import type { Db } from '../storage/postgres.ts'
import { takeTokens } from './store.ts'

export type CallerId = KeyId | SessionId

/**
 * One bucket of tokens per key for all processes and nodes together. It lives in the database, but a request does not
 * go there: each process buys some tokens at a time and spends them from memory. Bought tokens have left the
 * bucket, so the sum over all processes never exceeds the limit; what an idle process still holds is at most
 * `PURCHASE_SHARE` of the burst, and expires when the bucket would have been full again anyway.
 */
const PURCHASE_SHARE = 1 / 40

/** A client that goes on asking would push its own `Retry-After` ever further away; this is the longest wait. */
const MAX_WAIT_MS = 10_000

/** Times in `Retry-After` are given at half the rate: requests in between take tokens too. */
const SPACING = 2

/** Local tokens are forgotten when there are more than this many; most belong to keys that have gone quiet. */
const MAX_LOCAL_TOKENS = 10_000

export interface RateLimits {
  /** 0 switches the limit off. */
  perSecond: number
  burst: number
}

export interface Allowance {
  /** The requests that can be made at once. */
  limit: number
  /** The requests of those that are left. */
  remaining: number
  /** Seconds until all of them are there again; with a refusal, the value of `Retry-After`. */
  reset: number
}

export const rateLimitHeaders = ({ limit, remaining, reset }: Allowance) => ({
  'ratelimit-limit': String(limit),
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(reset),
})

interface LocalTokens {
  tokens: number
  expiresAt: number
  /** The tokens that the shared bucket held when we last looked. */
  shared: number
  /** There are no tokens before this moment; until then refusals do not touch the database. */
  emptyUntil: number
  /** The moment that was promised to the last client that was refused. */
  promisedUntil: number
  waiting: number
  purchase: Promise<void> | undefined
}

export class RateLimiter {
  readonly #db: Db
  readonly #limits: RateLimits
  readonly #clock: Clock
  readonly #localTokens = new Map<CallerId, LocalTokens>()

  constructor(db: Db, limits: RateLimits, clock: Clock) {
    this.#db = db
    this.#limits = limits
    this.#clock = clock
  }

  /** Undefined when no limit is set; throws `rate_limited` when the key has used its up. */
  async take(key: CallerId): Promise<Allowance | undefined> {
    if (this.#limits.perSecond === 0) return undefined
    const local = this.#localTokensOf(key)
    for (;;) {
      const now = this.#clock.now()
      if (local.tokens > 0 && now < local.expiresAt) {
        local.tokens--
        return this.#allowance(local)
      }
      if (now < local.emptyUntil) throw this.#refusal(local, now)
      local.waiting++
      local.purchase ??= this.#buy(key, local)
      await local.purchase
    }
  }

  async #buy(key: CallerId, local: LocalTokens): Promise<void> {
    // One turn of the event loop later everybody who arrived with this request is counted in.
    await new Promise(setImmediate)
    const { perSecond, burst } = this.#limits
    const wanted = Math.max(local.waiting, Math.ceil(burst * PURCHASE_SHARE))
    local.waiting = 0
    try {
      const { granted, tokens } = await takeTokens(this.#db, key, wanted, perSecond, burst)
      const now = this.#clock.now()
      local.tokens = granted
      local.shared = tokens
      local.expiresAt = now + (burst / perSecond) * 1_000
      local.emptyUntil = tokens < 1 && granted === 0 ? now + ((1 - tokens) / perSecond) * 1_000 : 0
    } finally {
      local.purchase = undefined
    }
  }

  #refusal(local: LocalTokens, now: number): DomainError {
    const seconds = promisedWait(local, local.emptyUntil, now, this.#limits.perSecond)
    return refusalFor(seconds, { limit: this.#limits.burst, remaining: 0, reset: seconds })
  }

  #allowance(local: LocalTokens): Allowance {
    const { perSecond, burst } = this.#limits
    const remaining = Math.max(0, Math.min(burst, Math.floor(local.shared + local.tokens)))
    return { limit: burst, remaining, reset: Math.ceil((burst - remaining) / perSecond) }
  }

  #localTokensOf(key: CallerId): LocalTokens {
    let local = this.#localTokens.get(key)
    if (local === undefined) {
      if (this.#localTokens.size >= MAX_LOCAL_TOKENS) this.#forgetIdle()
      local = {
        tokens: 0,
        expiresAt: 0,
        shared: this.#limits.burst,
        emptyUntil: 0,
        promisedUntil: 0,
        waiting: 0,
        purchase: undefined,
      }
      this.#localTokens.set(key, local)
    }
    return local
  }

  #forgetIdle(): void {
    const now = this.#clock.now()
    for (const [key, local] of this.#localTokens) {
      if (local.expiresAt < now && local.purchase === undefined) this.#localTokens.delete(key)
    }
  }
}

/**
 * Whole seconds until the moment that a refused client is promised. Each gets one of its own, so that all of them
 * succeed if all of them wait.
 */
export function promisedWait(
  local: { promisedUntil: number },
  emptyUntil: number,
  now: number,
  perSecond: number,
): number {
  const slot = Math.max(emptyUntil, local.promisedUntil + (SPACING * 1_000) / perSecond)
  local.promisedUntil = Math.min(slot, now + MAX_WAIT_MS)
  return Math.max(1, Math.ceil((local.promisedUntil - now) / 1_000))
}

export const refusalFor = (seconds: number, allowance?: Allowance): DomainError =>
  new DomainError('rate_limited', `Too many requests: wait ${seconds} s.`, {
    retryAfter: seconds,
    ...(allowance && { allowance }),
  })
