import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import type { Worker } from './workers.ts'
import { Permissions } from './permissions.ts'
import type { Claimed } from './claim.ts'
import type { Destinations } from './destinations.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { lockLease, type LeaseKey } from './leases.ts'
import { Outcomes } from './outcomes.ts'
import type { DispatchEvent, Item, Lease, Queue } from './queue.ts'

interface ActiveRowsOptions<Outcome> {
  db: Database
  queue: Queue<Outcome>
  destinations: Destinations
  log: Log
  random: () => number
  observe: (event: DispatchEvent) => void
  clock: Clock
  journal: Journal | undefined
  /** Whether sending is held, as far as is known here. */
  isHeld: () => boolean
  /** Called whenever a slot has become free. */
  onEnded: () => void
}

/** How far a row has come. */
interface RowProgress {
  /** When the row was last allowed to leave, by the database. */
  allowedAt: number
  journalEntry: JournalEntry | undefined
}

/** The rows that are claimed and not yet settled. Each takes a slot from its claim until its outcome is committed. */
export class ActiveRows<Outcome> {
  readonly #options: ActiveRowsOptions<Outcome>
  readonly #permissions: Permissions
  readonly #outcomes: Outcomes<Outcome>
  readonly #aborting = new AbortController()
  /** All rows of a worker share one: a signal that follows others is looked at by every garbage collection. */
  readonly #signals = new WeakMap<Worker, AbortSignal>()
  readonly #running = new Set<Promise<void>>()
  /** Leases of rows that ended while that could not be recorded are among them. */
  readonly #leases = new Set<LeaseKey>()
  readonly #perLane = new Map<number, number>()
  #suspects = 0

  constructor(options: ActiveRowsOptions<Outcome>) {
    this.#options = options
    this.#permissions = new Permissions(options)
    this.#outcomes = new Outcomes(options)
  }

  get size(): number {
    return this.#running.size
  }

  get hasSuspect(): boolean {
    return this.#suspects > 0
  }

  /** Whether outcomes are waiting for the database to come back. */
  get isRecordingHeldUp(): boolean {
    return this.#outcomes.away
  }

  /** The ids of the rows that this process knows to be its own, and may have sent. */
  get inHand(): string[] {
    return [...this.#leases].map(({ id }) => id)
  }

  inLane(lane: number): number {
    return this.#perLane.get(lane) ?? 0
  }

  start(claimed: Claimed, claimedAt: number, worker: Worker): Promise<void> {
    this.#count(claimed, 1)
    const destination = this.#options.destinations.named(claimed.destination)
    destination.started()
    const ended = this.#handle(claimed, claimedAt, worker).finally(() => {
      this.#count(claimed, -1)
      destination.ended()
      this.#running.delete(ended)
      this.#options.onEnded()
    })
    this.#running.add(ended)
    return ended
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#running)
  }

  /** Asks the handlers to come to an end. */
  abortHandlers(): void {
    this.#aborting.abort()
  }

  abandonOutcomes(): void {
    this.#outcomes.abandon()
  }

  #count({ lane, crashes }: Claimed, by: 1 | -1): void {
    this.#perLane.set(lane, this.inLane(lane) + by)
    if (crashes >= 2) this.#suspects += by
  }

  async #handle({ leaseNo, hasBegun, ...item }: Claimed, claimedAt: number, worker: Worker): Promise<void> {
    const { queue, log } = this.#options
    const key = { id: item.id, worker: worker.id, leaseNo }
    this.#leases.add(key)
    // The claim's answer may have lain in a buffer while this process was frozen.
    if (!(await worker.untilHolds())) return void this.#leases.delete(key)
    const progress: RowProgress = { allowedAt: hasBegun ? claimedAt : -Infinity, journalEntry: undefined }
    try {
      const outcome = await this.#outcomeOf(item, this.#lease(key, item.destination, worker, progress))
      progress.journalEntry?.settled({ key, item, outcome })
      if (!queue.isSettled?.(outcome)) await this.#outcomes.settle({ key, item, outcome })
    } catch (error) {
      log.error({ err: error, queue: queue.table, id: item.id }, 'row ended without outcome')
      if (!(await this.#outcomes.giveUp(key))) return
    }
    this.#leases.delete(key)
    progress.journalEntry?.forget()
  }

  async #outcomeOf(item: Item, lease: Lease): Promise<Outcome> {
    const { queue } = this.#options
    try {
      return await queue.handle(item, lease)
    } catch (error) {
      return queue.failed(item, error)
    }
  }

  #signalFor(worker: Worker): AbortSignal {
    const signal = this.#signals.get(worker) ?? AbortSignal.any([worker.lost, this.#aborting.signal])
    this.#signals.set(worker, signal)
    return signal
  }

  #lease(key: LeaseKey, destination: string, worker: Worker, progress: RowProgress): Lease {
    const { queue, destinations, journal, isHeld, clock } = this.#options
    const signal = this.#signalFor(worker)
    return {
      holds: () => worker.holds() && !isHeld(),
      confirm: async (goodForMs = 0) => {
        if (isHeld()) return 'refused'
        const now = clock.now()
        if (now - progress.allowedAt < goodForMs) return worker.holds() ? 'allowed' : 'lost'
        const permission = await this.#permissions.confirm({ key, worker })
        progress.allowedAt = permission === 'allowed' ? now : -Infinity
        return permission
      },
      lock: (tx) => lockLease(tx, queue.table, key),
      recordMayLeave: async () => {
        progress.journalEntry ??= journal?.enter(key)
        await progress.journalEntry?.written
      },
      destination: destinations.named(destination),
      destinationNamed: (name) => destinations.named(name),
      signal,
    }
  }
}
