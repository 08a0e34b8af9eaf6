/**
 * Writes what this worker knows of its destinations to where people look at it. Every five seconds, and only while there is
 * something to tell: a worker that has had nothing to do since it last wrote asks the database for nothing.
 */
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { DestinationReport } from '../../dispatch/queue.ts'
import type { QueueReports, StateReport } from '../../resources/queue/index.ts'
import type { ReplyTally } from './reply-tally.ts'
import { siteLimits } from './sites.ts'

export interface QueueReporterOptions {
  reports: Pick<QueueReports, 'write'>
  /** The id of the worker, and what it knows of at most so many destinations. */
  dispatcher: { readonly workerId: string; reports(most: number): DestinationReport[] }
  tally: ReplyTally
  connectionsAt(site: string): number
  /** Never set back. */
  clock: Clock
  log: Log
}

const EVERY_MS = 5_000
const MAX_DESTINATIONS = 5_000

export class QueueReporter {
  readonly #options: QueueReporterOptions
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #lastAt: number
  #hasWritten = false

  constructor(options: QueueReporterOptions) {
    this.#options = options
    this.#lastAt = options.clock.now()
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#running = this.#running.then(() => this.#attempt())
    }, EVERY_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  /** Writes what there is to tell. */
  async runOnce(): Promise<void> {
    const { reports, dispatcher, tally, clock } = this.#options
    const states = dispatcher.reports(MAX_DESTINATIONS).map((report) => this.#stateOf(report))
    const { replies, left } = tally.take()
    const seconds = Math.max(1, (clock.now() - this.#lastAt) / 1_000)
    this.#lastAt = clock.now()
    const isNews = states.length + replies.length + left.size > 0
    if (!isNews && !this.#hasWritten) return
    const flows = [...left].map(([projectId, count]) => ({ projectId, perSecond: count / seconds }))
    await reports.write({ workerId: dispatcher.workerId, states, replies, flows })
    this.#hasWritten = isNews
  }

  /** What could not be written is out of date by the time that it could. */
  async #attempt(): Promise<void> {
    try {
      await this.runOnce()
    } catch (error) {
      this.#options.log.debug({ err: error }, 'states of destinations not written')
    }
  }

  #stateOf({ destination, concurrency, perSecond, ...report }: DestinationReport): StateReport {
    const usual = siteLimits(destination).connections
    return {
      ...report,
      destination,
      connections: this.#options.connectionsAt(destination),
      connectionLimit: concurrency === undefined ? null : Math.min(usual, Math.max(1, Math.floor(concurrency))),
      perMinute: perSecond === undefined || perSecond === Infinity ? null : perSecond * 60,
    }
  }
}
