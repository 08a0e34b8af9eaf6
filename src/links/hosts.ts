import { isIP } from 'node:net'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'

export interface LinkHostsOptions {
  /** The name in PUBLIC_URL: under it everything is served. */
  own: string
  /** The names that customers have given to their links. */
  load(): Promise<readonly string[]>
  clock: Clock
  log: Log
}

const FRESH_MS = 30_000

/**
 * Names of customers' domains that lead to us. Under them there is nothing but links: a page about our API under their
 * name would be ours in their clothes. Remembered, and looked up again behind the back of the request that finds the
 * memory old: no request waits for it.
 */
export class LinkHosts {
  readonly #options: LinkHostsOptions
  #names: ReadonlySet<string> = new Set()
  #loadedAt = Number.NEGATIVE_INFINITY
  #loading: Promise<void> | undefined

  constructor(options: LinkHostsOptions) {
    this.#options = options
  }

  isLinksOnly(host: string): boolean {
    const name = host.toLowerCase().replace(/\.$/, '')
    if (name === this.#options.own || !name.includes('.') || isIP(name) !== 0) return false
    if (this.#options.clock.now() - this.#loadedAt > FRESH_MS) void this.refresh()
    return this.#names.has(name)
  }

  refresh(): Promise<void> {
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #load(): Promise<void> {
    const { load, clock, log } = this.#options
    this.#loadedAt = clock.now()
    try {
      this.#names = new Set(await load())
    } catch (error) {
      log.warn({ err: error }, 'tracking hosts not refreshed')
    }
  }
}
