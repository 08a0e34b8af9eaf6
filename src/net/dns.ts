/**
 * Asks the DNS. Every answer is a value, because "there is no such domain" ends a delivery and a time-out only
 * postpones it: confusing the two loses mail.
 */
import { Resolver } from 'node:dns/promises'
import type { Clock } from '../core/clock.ts'
import { AnswerCache, type Answer, type Reading } from './dns-cache.ts'
import { reverseName } from './networks.ts'
import { askLifetime, type Lifetime, type LifetimeType } from './dns-lifetime.ts'

export type { Answer }

export interface MxRecord {
  preference: number
  /** The name is in lower case, without the final dot; it is empty for a null MX (RFC 7505). */
  exchange: string
}

export interface QueryOptions {
  /** Asks the servers even if the answer is cached, e.g. for a customer who waits for a record to appear. */
  fresh?: boolean
}

export interface Dns {
  mx(name: string, options?: QueryOptions): Promise<Answer<MxRecord>>
  /** Each record has its strings joined. */
  txt(name: string, options?: QueryOptions): Promise<Answer<string>>
  a(name: string, options?: QueryOptions): Promise<Answer<string>>
  aaaa(name: string, options?: QueryOptions): Promise<Answer<string>>
  cname(name: string, options?: QueryOptions): Promise<Answer<string>>
  /** The names of an address, by its record below `in-addr.arpa` or `ip6.arpa`; the file of hosts is not asked. */
  ptr(address: string, options?: QueryOptions): Promise<Answer<string>>
}

/** What is asked besides about names whose records somebody is at work on. */
export interface ZoneDns extends Dns {
  /** The names of the servers of a zone. */
  ns(name: string, options?: QueryOptions): Promise<Answer<string>>
  /** Which server answers about a name, and how much longer it will answer the same; undefined when that cannot be learnt. */
  lifetime(name: string, type: LifetimeType): Promise<Lifetime | undefined>
}

export interface DnsOptions {
  /** A server is written as `address:port`; the system's servers are used when there are none. */
  servers: readonly string[]
  clock: Clock
  /**
   * The time-out is for one question. Finding the hosts of a domain takes two in a row, and those must fit into ten
   * seconds.
   */
  timeoutMs?: number
  /** Remembered answers of each type. */
  mostRemembered?: number
}

const TIMEOUT_MS = 4_500
const MAX_REMEMBERED = 10_000

export class DnsResolver implements ZoneDns {
  readonly #makeResolver: () => Resolver
  readonly #resolver: Resolver
  readonly #timeoutMs: number
  readonly #mx: AnswerCache<MxRecord>
  readonly #txt: AnswerCache<string>
  readonly #a: AnswerCache<string>
  readonly #aaaa: AnswerCache<string>
  readonly #cname: AnswerCache<string>
  readonly #ptr: AnswerCache<string>
  readonly #ns: AnswerCache<string>

  constructor({ servers, clock, timeoutMs = TIMEOUT_MS, mostRemembered = MAX_REMEMBERED }: DnsOptions) {
    // The library's own time-out is stretched by its retries and by what it has learnt about a server. It only decides
    // when a packet is repeated; the end of our patience is a timer of our own.
    this.#makeResolver = () => {
      const resolver = new Resolver({ timeout: Math.max(1, Math.floor(timeoutMs / 3)), tries: 3 })
      if (servers.length > 0) resolver.setServers(servers)
      return resolver
    }
    this.#resolver = this.#makeResolver()
    this.#timeoutMs = timeoutMs
    const cache = <T>(): AnswerCache<T> => new AnswerCache<T>(clock, mostRemembered)
    this.#mx = cache()
    this.#txt = cache()
    this.#a = cache()
    this.#aaaa = cache()
    this.#cname = cache()
    this.#ptr = cache()
    this.#ns = cache()
  }

  mx(name: string, options?: QueryOptions): Promise<Answer<MxRecord>> {
    return this.#ask(this.#mx, name, options, async (resolver, asked) => {
      const records = await resolver.resolveMx(asked)
      return {
        records: records.map(({ priority, exchange }) => ({ preference: priority, exchange: normalName(exchange) })),
      }
    })
  }

  txt(name: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#txt, name, options, async (resolver, asked) => {
      const records = await resolver.resolveTxt(asked)
      return { records: records.map((strings) => strings.join('')) }
    })
  }

  a(name: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#a, name, options, async (resolver, asked) =>
      addresses(await resolver.resolve4(asked, { ttl: true })),
    )
  }

  aaaa(name: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#aaaa, name, options, async (resolver, asked) =>
      addresses(await resolver.resolve6(asked, { ttl: true })),
    )
  }

  cname(name: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#cname, name, options, async (resolver, asked) => {
      const records = await resolver.resolveCname(asked)
      return { records: records.map(normalName) }
    })
  }

  ptr(address: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#ptr, reverseName(address), options, async (resolver, asked) => {
      const records = await resolver.resolvePtr(asked)
      return { records: records.map(normalName) }
    })
  }

  ns(name: string, options?: QueryOptions): Promise<Answer<string>> {
    return this.#ask(this.#ns, name, options, async (resolver, asked) => {
      const records = await resolver.resolveNs(asked)
      return { records: records.map(normalName) }
    })
  }

  lifetime(name: string, type: LifetimeType): Promise<Lifetime | undefined> {
    return askLifetime(this.#resolver.getServers(), normalName(name), type)
  }

  #ask<T>(
    cache: AnswerCache<T>,
    name: string,
    { fresh = false }: QueryOptions = {},
    question: (resolver: Resolver, name: string) => Promise<Found<T>>,
  ): Promise<Answer<T>> {
    const asked = normalName(name)
    return cache.answer(asked, fresh, () => within(this.#timeoutMs, this.#undisturbed(asked, question)))
  }

  /**
   * A malformed answer ends every pending query on the same socket. The others are asked again on sockets of their own,
   * so that only the name with the malformed answer fails.
   */
  async #undisturbed<T>(
    name: string,
    question: (resolver: Resolver, name: string) => Promise<Found<T>>,
  ): Promise<Found<T>> {
    try {
      return await question(this.#resolver, name)
    } catch (error) {
      if (codeOf(error) !== 'EBADRESP') throw error
      return question(this.#makeResolver(), name)
    }
  }
}

/** Names are compared and remembered in this form. */
export const normalName = (name: string): string => name.toLowerCase().replace(/\.$/, '')

interface Found<T> {
  records: readonly T[]
  ttlSeconds?: number
}

const addresses = (records: readonly { address: string; ttl: number }[]): Found<string> => ({
  records: records.map(({ address }) => address),
  ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
})

/** An unanswered query is left alone: cancelling it would cancel all others of the same resolver. */
async function within<T>(ms: number, question: Promise<Found<T>>): Promise<Reading<T>> {
  const { promise: late, resolve } = Promise.withResolvers<Reading<T>>()
  const timer = setTimeout(() => resolve({ answer: { kind: 'temporary', reason: 'no answer in time' } }), ms)
  try {
    return await Promise.race([question.then(found, failed), late])
  } finally {
    clearTimeout(timer)
  }
}

const found = <T>({ records, ttlSeconds }: Found<T>): Reading<T> => ({
  answer: records.length === 0 ? { kind: 'empty' } : { kind: 'found', records },
  ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
})

function failed(error: unknown): Reading<never> {
  const code = codeOf(error)
  if (code === 'ENODATA') return { answer: { kind: 'empty' } }
  // A name that no packet can carry cannot exist either.
  if (code === 'ENOTFOUND' || code === 'EBADNAME') return { answer: { kind: 'absent' } }
  return { answer: { kind: 'temporary', reason: reasons[code] ?? code } }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)

const reasons: Readonly<Record<string, string>> = {
  ESERVFAIL: 'the DNS server failed',
  EREFUSED: 'the DNS server refused',
  ETIMEOUT: 'no answer in time',
  ECONNREFUSED: 'no DNS server can be reached',
  EBADRESP: 'the answer makes no sense',
  EFORMERR: 'the DNS server did not understand',
  ENOTIMP: 'the DNS server cannot do that',
}
