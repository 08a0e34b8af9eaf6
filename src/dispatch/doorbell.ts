/**
 * Tells dispatchers in other processes that there is something ready. It is rung after the commit and never inside of
 * it: NOTIFY takes a lock on the whole server at commit, which would make all senders queue up. A ring that gets lost
 * costs no more than the time until the dispatcher looks by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

interface DoorbellOptions {
  db: Database
  log: Log
  random: () => number
}

/** A queue that few rows come into may announce them with the commit. */
export const CHANNEL = 'dispatch'
/** All rings within this time are sent together. */
const GATHER_MS = 2
const reconnect: Backoff = { first: 100, most: 5_000, spread: 0.2 }

export class Doorbell {
  readonly #options: DoorbellOptions
  readonly #listeners = new Map<string, Set<() => void>>()
  readonly #rung = new Set<string>()
  readonly #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  constructor(options: DoorbellOptions) {
    this.#options = options
  }

  /** A process may ring without `start()`, which is for listening. */
  ring(queue: string): void {
    if (this.#rung.size === 0) setTimeout(() => void this.#send(), GATHER_MS)
    this.#rung.add(queue)
  }

  /** Calls back whenever a process rings, or a ring may have been lost. Returns a function that ends this. */
  listen(queue: string, onRing: () => void): () => void {
    const listeners = this.#listeners.get(queue) ?? new Set()
    this.#listeners.set(queue, listeners.add(onRing))
    return () => listeners.delete(onRing)
  }

  /** Holds one connection from now on. */
  start(): void {
    this.#loop = this.#listenUntilStopped()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  async #send(): Promise<void> {
    const queues = [...this.#rung]
    this.#rung.clear()
    try {
      await this.#options.db.run(sql`select pg_notify(${CHANNEL}, queue) from unnest(${queues}::text[]) as queue`)
    } catch (error) {
      this.#options.log.debug({ err: error, queues }, 'NOTIFY failed')
    }
  }

  async #listenUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    for (let attempt = 0; !signal.aborted; attempt++) {
      try {
        await this.#listenOnOneConnection(() => (attempt = 0))
      } catch (error) {
        this.#options.log.debug({ err: error }, 'LISTEN connection lost')
        await sleep(backoffMs(attempt, reconnect, this.#options.random), undefined, { signal }).catch(() => {})
      }
    }
  }

  #listenOnOneConnection(onConnected: () => void): Promise<void> {
    const { signal } = this.#stopping
    return this.#options.db.withClient(async (client) => {
      const hear = ({ payload }: { payload?: string | undefined }): void => this.#call(payload ?? '')
      client.on('notification', hear)
      await client.query(`listen ${CHANNEL}`)
      onConnected()
      for (const queue of this.#listeners.keys()) this.#call(queue)
      await new Promise<void>((resolve, reject) => {
        client.once('error', reject)
        client.once('end', () => reject(new Error('Connection terminated')))
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
      client.off('notification', hear)
      await client.query(`unlisten ${CHANNEL}`)
    })
  }

  #call(queue: string): void {
    for (const onRing of this.#listeners.get(queue) ?? []) onRing()
  }
}
