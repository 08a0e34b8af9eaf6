/**
 * One graphile-worker pool and the worker that answers for it. The pool's name is what stands in `locked_by` of its
 * jobs; the worker carries it, so that when the heartbeats cease the others know whose jobs to give back.
 *
 * Before a pool takes a job it must be certain to be alive. That is asked in `forbiddenFlags`, the one place where
 * graphile-worker waits for us ahead of every job.
 */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  parseCronItems,
  run,
  runOnce,
  type ParsedCronItem,
  type RunnerOptions,
  type WorkerEvents,
} from 'graphile-worker'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import { Worker, type LeaseTimes } from '../dispatch/workers.ts'
import type { JobDefinition } from './define.ts'
import { graphileLogger, SCHEMA } from './graphile.ts'
import { releaseJobs } from './holding.ts'
import { taskOf } from './task.ts'

export interface JobPoolOptions {
  db: Database
  jobs: ReadonlyMap<string, JobDefinition>
  concurrency: number
  log: Log
  random: () => number
  times?: LeaseTimes
  pollMs?: number
  graceMs?: number
}

const ROLE = 'jobs'
const POLL_MS = 2_000
const GRACE_MS = 20_000
const CATCH_UP_MS = 3_600_000

export class JobPool {
  readonly #options: JobPoolOptions
  readonly #stopping = new AbortController()
  readonly #over = Promise.withResolvers<void>()
  #worker: Worker | undefined
  #stopRunner: () => Promise<void> = async () => {}

  constructor(options: JobPoolOptions) {
    this.#options = options
  }

  /** Settles when the pool takes no more jobs, though nobody has stopped it. */
  get over(): Promise<void> {
    return this.#over.promise
  }

  async start(): Promise<void> {
    const runner = await run(this.#runnerOptions(cronItems(this.#options.jobs)))
    runner.promise.catch(() => {}).finally(() => this.#over.resolve())
    this.#stopRunner = () =>
      runner
        .stop()
        .catch(() => runner.promise)
        .catch(() => {})
    await this.#worker?.untilHolds()
  }

  async runOnce(): Promise<void> {
    try {
      await runOnce(this.#runnerOptions([]))
    } finally {
      await this.#worker?.stop()
    }
  }

  async stop(): Promise<void> {
    const stopped = this.#stopRunner()
    this.#stopping.abort()
    await Promise.race([stopped, sleep(this.#options.graceMs ?? GRACE_MS, undefined, { ref: false })])
    await this.#worker?.stop()
  }

  #runnerOptions(parsedCronItems: ParsedCronItem[]): RunnerOptions {
    const { db, concurrency, pollMs = POLL_MS, log } = this.#options
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => this.#register(workerPool.id))
    return {
      pgPool: db.pool,
      schema: SCHEMA,
      concurrency,
      pollInterval: pollMs,
      noHandleSignals: true,
      logger: graphileLogger(log),
      events,
      parsedCronItems,
      taskList: Object.fromEntries([...this.#options.jobs].map(([name, job]) => [name, this.#task(job)])),
      forbiddenFlags: () => this.#untilAlive(),
      // Without a delay graphile-worker does not look after these statements at all, and when one fails the process
      // dies of an unhandled rejection; with it the pool ends, and we open another.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    }
  }

  #task(job: JobDefinition) {
    const { db, log, random } = this.#options
    return taskOf(job, { db, log, random, signal: this.#stopping.signal })
  }

  #register(pool: string): void {
    const { db, log, times } = this.#options
    const worker = new Worker({
      db,
      role: ROLE,
      name: pool,
      log,
      ...(times ? { times } : {}),
      release: (tx, departed) =>
        releaseJobs(
          tx,
          departed.map(({ name }) => name),
        ),
    })
    worker.lost.addEventListener('abort', () => this.#over.resolve(), { once: true })
    worker.start()
    this.#worker = worker
  }

  async #untilAlive(): Promise<null> {
    await this.#worker?.untilHolds()
    return null
  }
}

const cronItems = (jobs: ReadonlyMap<string, JobDefinition>): ParsedCronItem[] =>
  parseCronItems(
    [...jobs.values()].flatMap(({ kind: { name, attempts }, periodic }) =>
      periodic === undefined
        ? []
        : [
            {
              task: name,
              identifier: name,
              match: periodic.cron,
              options: {
                backfillPeriod: periodic.catchUpMs ?? CATCH_UP_MS,
                maxAttempts: attempts,
                // Several missed runs are made up for by one.
                jobKey: `${name}:periodic`,
              },
            },
          ],
    ),
  )
