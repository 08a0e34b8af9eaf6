import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import type { Worker } from '../storage/workers.ts'
import { Permissions } from './permissions.ts'
import type { Claimed } from './claim.ts'
import type { Destinations } from './destinations.ts'
import type { Journal, Passage } from './journal.ts'
import type { LeaseKey } from './leases.ts'
import { Outcomes } from './outcomes.ts'
import type { DispatchEvent, Item, Lease, Queue } from './queue.ts'

interface UnderWayOptions<Outcome> {
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
  /** Told whenever a slot has become free. */
  onEnded: () => void
}

/** How far a row has come. */
interface Way {
  /** When it was last asked for and allowed to leave. */
  begunAt: number
  passage: Passage | undefined
}

/** The rows that are claimed and not yet settled. Each takes a slot from its claim until its outcome is committed. */
export class ActiveRows<Outcome> {
  readonly #options: UnderWayOptions<Outcome>
  readonly #permissions: Permissions
  readonly #outcomes: Outcomes<Outcome>
  readonly #impatient = new AbortController()
  /** One for all rows of a worker: a signal that follows others is weighed at every collection of garbage. */
  readonly #signals = new WeakMap<Worker, AbortSignal>()
  readonly #running = new Set<Promise<void>>()
  /** Also of rows that ended without anybody being able to write it down. */
  readonly #leases = new Set<LeaseKey>()
  readonly #perLane = new Map<number, number>()
  #suspects = 0

  constructor(options: UnderWayOptions<Outcome>) {
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
  get heldUp(): boolean {
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
    const ended = this.#carry(claimed, claimedAt, worker).finally(() => {
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
  hurry(): void {
    this.#impatient.abort()
  }

  abandonOutcomes(): void {
    this.#outcomes.abandon()
  }

  #count({ lane, crashes }: Claimed, by: 1 | -1): void {
    this.#perLane.set(lane, this.inLane(lane) + by)
    if (crashes >= 2) this.#suspects += by
  }

  async #carry({ leaseNo, hasBegun, ...item }: Claimed, claimedAt: number, worker: Worker): Promise<void> {
    const { queue, log } = this.#options
    const key = { id: item.id, worker: worker.id, leaseNo }
    this.#leases.add(key)
    // The claim's answer may have lain in a buffer while this process was frozen.
    if (!(await worker.untilHolds())) return void this.#leases.delete(key)
    const way: Way = { begunAt: hasBegun ? claimedAt : -Infinity, passage: undefined }
    try {
      const outcome = await this.#outcomeOf(item, this.#lease(key, item.destination, worker, way))
      way.passage?.settled({ key, item, outcome })
      await this.#outcomes.settle({ key, item, outcome })
    } catch (error) {
      log.error({ err: error, queue: queue.table, id: item.id }, 'row ended without outcome')
      if (!(await this.#outcomes.giveUp(key))) return
    }
    this.#leases.delete(key)
    way.passage?.forget()
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
    const signal = this.#signals.get(worker) ?? AbortSignal.any([worker.lost, this.#impatient.signal])
    this.#signals.set(worker, signal)
    return signal
  }

  #lease(key: LeaseKey, destination: string, worker: Worker, way: Way): Lease {
    const { destinations, journal, isHeld, clock } = this.#options
    const signal = this.#signalFor(worker)
    return {
      holds: () => worker.holds() && !isHeld(),
      begin: async (goodForMs = 0) => {
        if (isHeld()) return 'refused'
        const now = clock.now()
        if (now - way.begunAt < goodForMs) return worker.holds() ? 'begun' : 'lost'
        const permission = await this.#permissions.begin({ key, worker })
        way.begunAt = permission === 'begun' ? now : -Infinity
        return permission
      },
      passing: async () => {
        way.passage ??= journal?.pass(key)
        await way.passage?.noted
      },
      destination: destinations.named(destination),
      destinationNamed: (name) => destinations.named(name),
      signal,
    }
  }
}
