import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../core/log.ts'
import type { Dns } from '../../net/dns.ts'
import type { Egress } from '../../net/egress.ts'
import type { Database } from '../../storage/postgres.ts'
import { lookAtNames, probeOutgoing } from './host-look.ts'
import type { Outgoing } from './schema.ts'
import * as store from './store/looks.ts'

export interface HostLookOptions {
  db: Database
  dns: Dns
  egress: Egress
  /** The row of this node. */
  nodeId: string
  hostname: string
  ownAddresses: readonly string[]
  /** All mail goes through a smarthost, which has its own name and its own way out. */
  isRelayed: boolean
  /** Where mail hosts listen. */
  port: number
  /** The domain whose mail hosts are tried. */
  probed: string
  random: () => number
  log: Log
  timeoutMs?: number
  firstAfterMs?: number
  everyMs?: number
}

/** The first moments belong to those who wait for the start. */
const FIRST_AFTER_MS = 20_000
const EVERY_MS = 5 * 60_000
const TIMEOUT_MS = 10_000

/**
 * Looks every few minutes at the database and at how this node appears to others, and stores what it saw. An idle node
 * asks the database three small questions for it. Whether mail gets out is tried once a day while it does, and more often
 * while it does not; not before there is a domain that mail can be sent for, and not while sending is held.
 */
export class HostLooks {
  readonly #options: HostLookOptions
  readonly #stopping = new AbortController()
  /** Whoever stops does not wait for the servers of others. */
  readonly #stopped = new Promise<never>((_, reject) => {
    this.#stopping.signal.addEventListener('abort', () => reject(new Error('stopped')))
  })
  #loop: Promise<void> = Promise.resolve()

  constructor(options: HostLookOptions) {
    this.#options = options
    this.#stopped.catch(() => {})
  }

  start(): void {
    this.#loop = this.#lookUntilStopped()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  async runOnce(): Promise<void> {
    const { db, nodeId, hostname } = this.#options
    await store.lookAtDatabase(db)
    const due = await store.hostDue(db, nodeId)
    const looks = Promise.all([lookAtNames(this.#options), this.#outgoing(due.mayProbe)])
    const [addresses, outgoing] = await Promise.race([looks, this.#stopped])
    await store.storeHost(db, nodeId, { hostname, addresses, outgoing })
  }

  /** Undefined where it was not looked at: then what was known before still stands. */
  #outgoing(mayProbe: boolean): Promise<Outgoing | undefined> {
    const { isRelayed, probed: domain, timeoutMs = TIMEOUT_MS } = this.#options
    if (isRelayed) return Promise.resolve('relay')
    return mayProbe ? probeOutgoing({ ...this.#options, domain, timeoutMs }) : Promise.resolve(undefined)
  }

  async #lookUntilStopped(): Promise<void> {
    const { log, firstAfterMs = FIRST_AFTER_MS, everyMs = EVERY_MS } = this.#options
    const { signal } = this.#stopping
    await sleep(firstAfterMs, undefined, { signal }).catch(() => {})
    while (!signal.aborted) {
      await this.runOnce().catch((error: unknown) => log.debug({ err: error }, 'host not looked at'))
      await sleep(everyMs, undefined, { signal }).catch(() => {})
    }
  }
}
