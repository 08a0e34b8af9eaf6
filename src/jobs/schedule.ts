/**
 * Enqueues periodic jobs when their time comes, by the database's clock. When each was last due is in the database, so
 * that of all processes one enqueues it, and runs that were missed while no worker ran are made up for: several by one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import { lastMatch, parseCron, type Matches } from './cron.ts'
import type { JobDefinition, JobKind } from './define.ts'
import { enqueue } from './enqueue.ts'
import * as store from './store.ts'

interface ScheduleOptions {
  db: Database
  jobs: Iterable<JobDefinition>
  log: Log
  /** How often to look at the clock, beside the beginning of each minute. */
  pollMs?: number
}

interface Entry {
  kind: JobKind<unknown>
  matches: Matches
  catchUpMs: number
}

const POLL_MS = 5_000
const MINUTE_MS = 60_000
const CATCH_UP_MS = 3_600_000
/** Further ahead no run was made in earnest: the clock has been set back. */
const MAX_AHEAD_MS = 86_400_000

export class Schedule {
  readonly #options: ScheduleOptions
  readonly #entries: ReadonlyMap<string, Entry>
  readonly #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  /** Throws when a time is impossible. */
  constructor(options: ScheduleOptions) {
    this.#options = options
    this.#entries = entriesOf(options.jobs)
  }

  start(): void {
    if (this.#entries.size > 0) this.#loop = this.#lookUntilStopped()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
  }

  /** Enqueues what is due. How long it is until the next minute begins. */
  async runOnce(): Promise<number> {
    const { db } = this.#options
    const { now, known } = await store.schedules(db, [...this.#entries.keys()])
    const due = [...this.#entries].flatMap(([name, { matches, catchUpMs }]) => {
      const last = known[name]
      // A job that is new in this version is due from now on.
      if (last === undefined || last > now + MAX_AHEAD_MS) return [{ name, at: new Date(now), isFirst: true }]
      // The present minute is never too late.
      const since = Math.max(last, now - Math.max(catchUpMs, MINUTE_MS))
      const at = lastMatch(matches, { since, now })
      return at === undefined ? [] : [{ name, at, isFirst: false }]
    })
    if (due.length > 0) await this.#enqueue(due)
    return MINUTE_MS - (now % MINUTE_MS)
  }

  /** Of several who come at once, one finds that it has moved the time. */
  async #enqueue(due: readonly { name: string; at: Date; isFirst: boolean }[]): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      const moved = new Set((await store.moveSchedules(tx, due)).map(({ kind }) => kind))
      for (const { name, isFirst } of due) {
        const entry = this.#entries.get(name)
        if (entry && !isFirst && moved.has(name)) await enqueue(tx, entry.kind, {}, { key: 'periodic' })
      }
    })
  }

  async #lookUntilStopped(): Promise<void> {
    const { log, pollMs = POLL_MS } = this.#options
    const { signal } = this.#stopping
    let hasFailed = false
    while (!signal.aborted) {
      let pause = pollMs
      try {
        pause = Math.min(pollMs, await this.runOnce())
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.warn({ err: error }, 'periodic jobs not enqueued, retrying')
        hasFailed = true
      }
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }
}

const entriesOf = (jobs: Iterable<JobDefinition>): Map<string, Entry> =>
  new Map(
    [...jobs].flatMap(({ kind, periodic }) =>
      periodic === undefined
        ? []
        : [[kind.name, { kind, matches: parseCron(periodic.cron), catchUpMs: periodic.catchUpMs ?? CATCH_UP_MS }]],
    ),
  )
