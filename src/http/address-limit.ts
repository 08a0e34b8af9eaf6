import type { FastifyRequest } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { Network } from '../net/networks.ts'
import { clientAddress, householdOf } from './client-address.ts'
import { promisedWait, refusalFor } from './rate-limit.ts'

export interface AddressLimits {
  /** 0 switches the limit off. */
  perSecond: number
  /** The proxies whose `X-Forwarded-For` is believed. */
  proxies: readonly Network[]
}

/** A client may send as much at once as it may send in this many seconds. */
const BURST_SECONDS = 4

/**
 * Links in mail and callbacks of carriers: a mail provider, a company's proxy or a carrier comes for a crowd, and from a
 * few addresses. Their limit is so many times that of the other pages.
 */
const FOR_CROWDS = /^\/(?:u|t|carrier)\//
const CROWD = 20

/** With more addresses than this, the one that was quiet for the longest time is forgotten. */
const MAX_ADDRESSES = 20_000

interface Bucket {
  tokens: number
  filledAt: number
  promisedUntil: number
}

/**
 * How often an address may ask for what needs no key. Counted by each process for itself and in memory: a stranger must
 * not be able to make us write.
 */
export class AddressLimiter {
  readonly #limits: AddressLimits
  readonly #clock: Clock
  readonly #buckets = new Map<string, Bucket>()

  constructor(limits: AddressLimits, clock: Clock) {
    this.#limits = limits
    this.#clock = clock
  }

  /** Throws `rate_limited` when the address has used its share up. */
  take({ raw, headers, routeOptions }: FastifyRequest): void {
    if (this.#limits.perSecond === 0) return
    const forwardedFor = headers['x-forwarded-for']
    const address = householdOf(
      clientAddress(raw.socket.remoteAddress ?? '', forwardedFor?.toString(), this.#limits.proxies),
    )
    const isForCrowds = FOR_CROWDS.test(routeOptions.url ?? '')
    const perSecond = this.#limits.perSecond * (isForCrowds ? CROWD : 1)
    const now = this.#clock.now()
    const bucket = this.#bucketOf(`${isForCrowds} ${address}`, perSecond, now)
    if (bucket.tokens < 1) {
      throw refusalFor(promisedWait(bucket, now + ((1 - bucket.tokens) / perSecond) * 1_000, now, perSecond))
    }
    bucket.tokens--
  }

  #bucketOf(name: string, perSecond: number, now: number): Bucket {
    const most = perSecond * BURST_SECONDS
    const { tokens, filledAt, promisedUntil } = this.#buckets.get(name) ?? {
      tokens: most,
      filledAt: now,
      promisedUntil: 0,
    }
    const refilled = Math.min(most, tokens + (Math.max(0, now - filledAt) / 1_000) * perSecond)
    const bucket = { tokens: refilled, filledAt: now, promisedUntil }
    // The bucket goes to the end of the map, whose order then is that of last use.
    this.#buckets.delete(name)
    this.#buckets.set(name, bucket)
    if (this.#buckets.size > MAX_ADDRESSES) this.#forgetOne()
    return bucket
  }

  #forgetOne(): void {
    const [name] = this.#buckets.keys()
    if (name !== undefined) this.#buckets.delete(name)
  }
}
