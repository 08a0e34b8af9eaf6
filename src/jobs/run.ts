/** Runs jobs until it is stopped: those that are due, by dispatch, and the periodic ones when their time comes. */
import type { Log } from '../core/log.ts'
import { Dispatcher } from '../dispatch/dispatcher.ts'
import type { Doorbell } from '../dispatch/doorbell.ts'
import type { LeaseTimes } from '../dispatch/workers.ts'
import type { Database } from '../storage/postgres.ts'
import { collect, type JobDefinition } from './define.ts'
import { jobQueue, type JobOutcome } from './queue.ts'
import { Schedule } from './schedule.ts'

export interface JobRunnerOptions {
  db: Database
  jobs: readonly JobDefinition[]
  /** How many jobs run at a time. The database pool should have a connection for each. */
  concurrency: number
  /** For people who look at the list of workers: host and process. */
  name: string
  log: Log
  random: () => number
  doorbell?: Doorbell
  times?: LeaseTimes
  /** How often to look for jobs whose time has come; new ones are announced. */
  pollMs?: number
  /** How long `stop()` waits for running jobs. What still runs then is given to others. */
  graceMs?: number
}

const POLL_MS = 1_000

export class JobRunner {
  readonly #options: JobRunnerOptions
  readonly #jobs: ReadonlyMap<string, JobDefinition>
  readonly #schedule: Schedule
  readonly #stopping = new AbortController()
  readonly #dispatcher: Dispatcher<JobOutcome>

  /** Throws when two jobs have the same name, or one an impossible time. */
  constructor(options: JobRunnerOptions) {
    this.#options = options
    this.#jobs = collect(options.jobs)
    this.#schedule = new Schedule({ ...options, jobs: this.#jobs.values() })
    this.#dispatcher = this.#newDispatcher()
  }

  start(): void {
    this.#dispatcher.start()
    this.#schedule.start()
  }

  /** Takes no more jobs and waits for those that run. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all([this.#schedule.stop(), this.#dispatcher.stop()])
  }

  /** Runs everything that is due now, and returns when it is done. */
  async runOnce(): Promise<void> {
    const dispatcher = this.#newDispatcher()
    while ((await dispatcher.runOnce()) > 0);
    await dispatcher.stop()
  }

  #newDispatcher(): Dispatcher<JobOutcome> {
    const { concurrency, pollMs = POLL_MS, log, jobs: _, ...options } = this.#options
    return new Dispatcher({
      ...options,
      log,
      queue: jobQueue({ ...this.#options, jobs: this.#jobs, stopping: this.#stopping.signal }),
      slots: concurrency,
      idleMs: pollMs,
      observe: (event) => {
        if (event.kind === 'lost') log.warn({ ids: event.ids }, 'job result discarded: lease lost')
      },
    })
  }
}
