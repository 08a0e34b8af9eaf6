/**
 * Runs jobs until it is stopped. The work is done by a graphile-worker pool, which gives up for good when it cannot
 * write that a job failed; whenever a pool ends, or is declared dead by the other processes, another one takes over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import type { LeaseTimes } from '../dispatch/workers.ts'
import { collect, type JobDefinition } from './define.ts'
import { JobPool } from './pool.ts'

export interface JobRunnerOptions {
  db: Database
  jobs: readonly JobDefinition[]
  /** How many jobs run at a time. The database pool should have two connections more. */
  concurrency: number
  log: Log
  random: () => number
  times?: LeaseTimes
  /** How often to look for jobs whose time has come; new ones are announced. */
  pollMs?: number
  /** How long `stop()` waits for running jobs. What still runs then is given to others. */
  graceMs?: number
}

const retry: Backoff = { first: 200, most: 5_000, spread: 0.2 }

export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #jobs: ReadonlyMap<string, JobDefinition>
  readonly #pools = new Set<JobPool>()
  readonly #stopping = new AbortController()
  #loop: Promise<void> = Promise.resolve()

  /** Throws when two jobs have the same name. */
  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#jobs = collect(options.jobs)
  }

  /** Returns when jobs can run. */
  async start(): Promise<void> {
    const first = await this.#open()
    this.#loop = this.#keepOneOpen(first)
  }

  /** Takes no more jobs and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#loop
    await Promise.all([...this.#pools].map((pool) => this.#close(pool)))
  }

  /** Runs everything that is due now, and returns when it is done. */
  async runOnce(): Promise<void> {
    const pool = new JobPool({ ...this.#options, jobs: this.#jobs })
    await pool.runOnce()
  }

  async #keepOneOpen(first: JobPool): Promise<void> {
    const { signal } = this.#stopping
    let current: JobPool | undefined = first
    for (let failures = 0; !signal.aborted;) {
      if (current) {
        await Promise.race([current.over, aborted(signal)])
        if (signal.aborted) return
        // Not waited for: a handler that was frozen may take its time to notice.
        void this.#close(current)
        // Whatever ended this pool may end the next one at once.
        await this.#pause(0)
      }
      try {
        current = await this.#open()
        failures = 0
      } catch (error) {
        current = undefined
        this.#options.log.warn({ err: error }, 'job runner failed')
        await this.#pause(failures++)
      }
    }
  }

  async #pause(failures: number): Promise<void> {
    const { signal } = this.#stopping
    await sleep(backoffMs(failures, retry, this.#options.random), undefined, { signal }).catch(() => {})
  }

  async #open(): Promise<JobPool> {
    const pool = new JobPool({ ...this.#options, jobs: this.#jobs })
    await pool.start()
    this.#pools.add(pool)
    return pool
  }

  async #close(pool: JobPool): Promise<void> {
    await pool.stop()
    this.#pools.delete(pool)
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
