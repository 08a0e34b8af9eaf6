/**
 * Takes what is ready in a queue to its destinations: `slots` rows at a time, as many for each destination as it may
 * get, every lane according to its share.
 *
 * One pass: move what has become due to `ready`, look for destinations that have something, claim as much as there are
 * free slots, start the handlers. The next pass comes at once while there is more, otherwise when a slot gets free, the
 * doorbell rings, a destination opens again, or `idleMs` are over. Passes rest while this worker is not certain to be
 * alive, and while outcomes cannot be written. While sending is held claims get nothing, and what is under way learns
 * with the next move of due rows that it must not leave.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMs, type Backoff } from '../core/backoff.ts'
import { steadyClock, type Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import { Worker, type LeaseTimes } from './workers.ts'
import { Wakeup } from './wakeup.ts'
import { claim, claimSuspect, promote, scanReady, type Promoted } from './claim.ts'
import { Destinations } from './destinations.ts'
import type { Doorbell } from './doorbell.ts'
import type { Journal } from './journal.ts'
import { settleLeftovers } from './leftovers.ts'
import { releaseAll, releaseUnheard } from './leases.ts'
import { Throttle } from './throttle.ts'
import { plan } from './plan.ts'
import type { DestinationReport, DispatchEvent, Queue } from './queue.ts'
import { ReadyDestinations } from './ready.ts'
import { ActiveRows } from './active-rows.ts'

export interface DispatcherOptions<Outcome> {
  db: Database
  queue: Queue<Outcome>
  /** How many rows may be under way in this process. */
  slots: number
  /** Host and process, for people who look at the list of workers. */
  name: string
  log: Log
  random: () => number
  doorbell?: Doorbell
  observe?: (event: DispatchEvent) => void
  /** Keeps what handlers with a point of no return found out from being lost in a crash. */
  journal?: Journal
  times?: LeaseTimes
  /** Everything is measured and waited for by this clock, which must never be set back. */
  clock?: Clock
  /** How long a pass waits for something to happen before it looks by itself. */
  idleMs?: number
  /** How long `stop()` waits for handlers before it asks them to give up. */
  graceMs?: number
}

const MAX_PROMOTED = 1_000
/** How many destinations of each lane one scan finds. */
const MAX_SCANNED = 200
const IDLE_MS = 500
const GRACE_MS = 20_000
/** How long handlers that obey their signal have when the grace time is over. */
const LAST_MOMENT_MS = 1_000
const PAUSE_WHILE_UNCERTAIN_MS = 100
const retry: Backoff = { first: 100, most: 2_000, spread: 0.2 }

export class Dispatcher<Outcome> {
  readonly #options: DispatcherOptions<Outcome>
  readonly #destinations: Destinations
  readonly #ready: ReadyDestinations
  readonly #active: ActiveRows<Outcome>
  readonly #clock: Clock
  readonly #scanning: Throttle
  readonly #housekeeping: Throttle
  readonly #reviewing: Throttle
  readonly #wakeup = new Wakeup()
  #worker: Worker
  #mustScan = true
  #isHeld = false
  #hasSuspects = false
  #started = false
  #stopping = false
  #loop: Promise<void> = Promise.resolve()
  #stopListening = (): void => {}

  constructor(options: DispatcherOptions<Outcome>) {
    const { db, queue, log, random, journal, observe = () => {}, clock = steadyClock } = options
    this.#options = options
    this.#clock = clock
    this.#scanning = new Throttle(clock, 10)
    this.#housekeeping = new Throttle(clock, 200)
    this.#reviewing = new Throttle(clock, 5_000)
    this.#worker = this.#register()
    const destinations = new Destinations((name) => queue.limits(name, this.#worker.peers), clock)
    this.#destinations = destinations
    this.#ready = new ReadyDestinations(queue.lanes.map(({ lane }) => lane))
    const onEnded = (): void => this.lookSoon()
    const isHeld = (): boolean => this.#isHeld
    this.#active = new ActiveRows({ db, queue, destinations, log, random, observe, clock, journal, isHeld, onEnded })
  }

  start(): void {
    const { doorbell, queue } = this.#options
    this.#started = true
    this.#stopListening = doorbell?.listen(queue.table, () => this.lookSoon()) ?? (() => {})
    this.#worker.start()
    this.#loop = this.#passUntilStopped()
  }

  /** There may be something new. */
  lookSoon(): void {
    this.#mustScan = true
    this.#wakeup.ring()
  }

  /** How many processes work on this queue, this one included. */
  get peers(): number {
    return this.#worker.peers
  }

  /** The id under which rows are leased to this process. */
  get workerId(): string {
    return this.#worker.id
  }

  /** What this process knows of its destinations, at most so many of them. */
  reports(most: number): DestinationReport[] {
    return this.#destinations.reports(most)
  }

  /** Claims nothing more, lets what is under way come to its end, gives back what does not, and signs off. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#stopListening()
    this.#wakeup.ring()
    const ended = this.#loop.then(() => this.#active.allEnded())
    await Promise.race([ended, sleep(this.#options.graceMs ?? GRACE_MS, undefined, { ref: false })])
    this.#active.abortHandlers()
    await Promise.race([ended, sleep(LAST_MOMENT_MS, undefined, { ref: false })])
    this.#active.abandonOutcomes()
    await this.#worker.stop()
    this.#options.journal?.close()
  }

  /**
   * Makes one pass over the whole queue, and waits for the end of everything that it started. How many rows that were.
   */
  async runOnce(): Promise<number> {
    await this.#worker.runOnce()
    while ((await this.#promote()).rows === MAX_PROMOTED);
    while (!(await this.#scan()));
    const started = [...(await this.#claimSuspect()), ...(await this.#claimReady()).started]
    await Promise.all(started)
    return started.length
  }

  #register(): Worker {
    const { db, queue, name, log, times } = this.#options
    const worker = new Worker({
      db,
      role: queue.table,
      name,
      log,
      ...(times ? { times } : {}),
      release: async (tx, departed, crashed) => {
        await releaseAll(tx, queue.table, { workers: departed.map(({ id }) => id), crashed })
      },
    })
    this.#options.journal?.register(worker.id)
    worker.lost.addEventListener('abort', () => this.#registerAgain(), { once: true })
    return worker
  }

  /** What is active goes on under the old name, and learns there that its leases are lost. */
  #registerAgain(): void {
    this.#worker = this.#register()
    if (this.#started && !this.#stopping) this.#worker.start()
  }

  async #passUntilStopped(): Promise<void> {
    const { log, queue, random } = this.#options
    let failures = 0
    let isCaughtUp = false
    while (!this.#stopping) {
      let pause: number
      try {
        if (!isCaughtUp) await settleLeftovers(this.#options)
        isCaughtUp = true
        pause = await this.#pass()
        failures = 0
      } catch (error) {
        if (failures === 0) log.warn({ err: error, queue: queue.table }, 'dispatch pass failed, retrying')
        pause = backoffMs(failures++, retry, random)
      }
      await this.#wakeup.wait(pause)
    }
  }

  /** How long the next pass can wait. */
  async #pass(): Promise<number> {
    const { idleMs = IDLE_MS } = this.#options
    if (!this.#worker.holds() || this.#active.isRecordingHeldUp) return PAUSE_WHILE_UNCERTAIN_MS
    if (this.#housekeeping.waitMs === 0) await this.#maintain()
    if (this.#hasSuspects) await this.#claimSuspect()
    if (this.#free > 0 && this.#scanning.waitMs === 0) await this.#scanning.run(() => this.#scanOnce())
    const { started, opensAt } = await this.#claimReady()
    if (this.#free === 0) return idleMs
    if (started.length > 0) return 0
    const opensIn = Math.max(1, opensAt - this.#clock.now())
    return Math.min(idleMs, opensIn, this.#mustScan ? Math.max(1, this.#scanning.waitMs) : Infinity)
  }

  async #maintain(): Promise<void> {
    this.#destinations.forgetIdle()
    const { rows } = await this.#housekeeping.run(() => this.#promote())
    if (rows > 0) this.#mustScan = true
    if (rows === MAX_PROMOTED) this.#housekeeping.skipGap()
    if (this.#reviewing.waitMs === 0) await this.#reviewing.run(() => this.#review())
  }

  /** A claim may be committed although its answer was lost; its rows would wait for as long as this worker lives. */
  async #review(): Promise<void> {
    const { db, queue, log } = this.#options
    const unheard = await releaseUnheard(db, queue.table, this.#worker.id, this.#active.inHand)
    if (unheard.length === 0) return
    log.warn({ queue: queue.table, rows: unheard.length }, 'claim answer lost, rows returned to queue')
    this.#mustScan = true
  }

  async #promote(): Promise<Promoted> {
    const { db, queue } = this.#options
    const promoted = await promote(db, queue, MAX_PROMOTED)
    this.#isHeld = promoted.isHeld
    this.#hasSuspects = promoted.hasSuspects
    return promoted
  }

  async #scanOnce(): Promise<void> {
    // This comes before the scan: a ring while it runs asks for another one.
    this.#mustScan = false
    const complete = await this.#scan()
    if (!complete) this.#mustScan = true
  }

  /** True when a round over all destinations is complete. */
  async #scan(): Promise<boolean> {
    const { db, queue } = this.#options
    return this.#ready.scanned(await scanReady(db, queue.table, this.#ready.scanPositions(), MAX_SCANNED), MAX_SCANNED)
  }

  /** Only one row that was in hand at two crashes is active at a time: if this process dies again, it is the cause. */
  async #claimSuspect(): Promise<Promise<void>[]> {
    const { db, queue } = this.#options
    if (this.#free <= 0 || this.#active.hasSuspect) return []
    const worker = this.#worker
    const lanes = queue.lanes.map(({ lane }) => lane)
    const claimedAt = this.#clock.now()
    const claimed = await claimSuspect(db, queue, worker.id, { lanes, except: this.#destinations.blocked() })
    // There may be others, which have to wait for this one.
    this.#hasSuspects = claimed.length > 0
    return claimed.map((row) => this.#active.start(row, claimedAt, worker))
  }

  async #claimReady(): Promise<{ started: Promise<void>[]; opensAt: number }> {
    const { db, queue, slots, observe } = this.#options
    const worker = this.#worker
    const { wanted, opensAt } = plan({
      slots,
      lanes: queue.lanes,
      ready: this.#ready,
      destinations: this.#destinations,
      active: this.#active,
    })
    if (wanted.length === 0) return { started: [], opensAt }
    const claimedAt = this.#clock.now()
    const claimed = await claim(db, queue, worker.id, wanted)
    observe?.({ kind: 'claimed', rows: claimed.length, ms: this.#clock.now() - claimedAt })
    this.#ready.taken(wanted, claimed)
    return { started: claimed.map((row) => this.#active.start(row, claimedAt, worker)), opensAt }
  }

  get #free(): number {
    return this.#options.slots - this.#active.size
  }
}
