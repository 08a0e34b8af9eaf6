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
import { Worker, type LeaseTimes } from '../storage/workers.ts'
import { Alarm } from './wakeup.ts'
import { claim, claimSuspect, promote, scout, type Promoted } from './claim.ts'
import { Destinations } from './destinations.ts'
import type { Doorbell } from './doorbell.ts'
import type { Journal } from './journal.ts'
import { settleLeftovers } from './leftovers.ts'
import { releaseAll, releaseUnheard } from './leases.ts'
import { Pace } from './throttle.ts'
import { plan } from './plan.ts'
import type { DispatchEvent, Queue } from './queue.ts'
import { ReadyDestinations } from './ready.ts'
import { ActiveRows } from './active-rows.ts'

export interface DispatcherOptions<Outcome> {
  db: Database
  queue: Queue<Outcome>
  /** How many rows may be under way in this process. */
  slots: number
  /** For people who look at the list of workers: host and process. */
  name: string
  log: Log
  random: () => number
  doorbell?: Doorbell
  observe?: (event: DispatchEvent) => void
  /** For handlers with a point of no return: keeps what they found out from being lost in a crash. */
  journal?: Journal
  times?: LeaseTimes
  /** For everything that is measured or waited for here; it must never be set back. */
  clock?: Clock
  /** How long a pass waits for something to happen before it looks by itself. */
  idleMs?: number
  /** How long `stop()` waits for handlers before it asks them to give up. */
  graceMs?: number
}

const MAX_PROMOTED = 1_000
/** Destinations per lane in one look. */
const MAX_SCOUTED = 200
const IDLE_MS = 500
const GRACE_MS = 20_000
/** For handlers that obey their signal when the grace time is over. */
const LAST_MOMENT_MS = 1_000
const PAUSE_WHILE_UNCERTAIN_MS = 100
const retry: Backoff = { first: 100, most: 2_000, spread: 0.2 }

export class Dispatcher<Outcome> {
  readonly #options: DispatcherOptions<Outcome>
  readonly #destinations: Destinations
  readonly #ready: ReadyDestinations
  readonly #active: ActiveRows<Outcome>
  readonly #clock: Clock
  readonly #scouting: Pace
  readonly #housekeeping: Pace
  readonly #reviewing: Pace
  readonly #alarm = new Alarm()
  #worker: Worker
  #mustLook = true
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
    this.#scouting = new Pace(clock, 10)
    this.#housekeeping = new Pace(clock, 200)
    this.#reviewing = new Pace(clock, 5_000)
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
    this.#mustLook = true
    this.#alarm.ring()
  }

  /** How many processes work on this queue, this one included. */
  get peers(): number {
    return this.#worker.peers
  }

  /** Claims nothing more, lets what is under way come to its end, gives back what does not, and signs off. */
  async stop(): Promise<void> {
    this.#stopping = true
    this.#stopListening()
    this.#alarm.ring()
    const ended = this.#loop.then(() => this.#active.allEnded())
    await Promise.race([ended, sleep(this.#options.graceMs ?? GRACE_MS, undefined, { ref: false })])
    this.#active.hurry()
    await Promise.race([ended, sleep(LAST_MOMENT_MS, undefined, { ref: false })])
    this.#active.abandonOutcomes()
    await this.#worker.stop()
    this.#options.journal?.close()
  }

  /** One pass over the whole queue, and everything that it started brought to its end. How many rows that were. */
  async runOnce(): Promise<number> {
    await this.#worker.runOnce()
    while ((await this.#promote()).rows === MAX_PROMOTED);
    while (!(await this.#look()));
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

  /** Whatever is under way goes on under the old name, and learns there that it has lost its rows. */
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
      await this.#alarm.within(pause)
    }
  }

  /** How long the next pass can wait. */
  async #pass(): Promise<number> {
    const { idleMs = IDLE_MS } = this.#options
    if (!this.#worker.holds() || this.#active.heldUp) return PAUSE_WHILE_UNCERTAIN_MS
    if (this.#housekeeping.waitMs === 0) await this.#maintain()
    if (this.#hasSuspects) await this.#claimSuspect()
    if (this.#free > 0 && this.#scouting.waitMs === 0) await this.#scouting.keep(() => this.#lookAround())
    const { started, opensAt } = await this.#claimReady()
    if (this.#free === 0) return idleMs
    if (started.length > 0) return 0
    const opensIn = Math.max(1, opensAt - this.#clock.now())
    return Math.min(idleMs, opensIn, this.#mustLook ? Math.max(1, this.#scouting.waitMs) : Infinity)
  }

  async #maintain(): Promise<void> {
    this.#destinations.forgetIdle()
    const { rows } = await this.#housekeeping.keep(() => this.#promote())
    if (rows > 0) this.#mustLook = true
    if (rows === MAX_PROMOTED) this.#housekeeping.hasten()
    if (this.#reviewing.waitMs === 0) await this.#reviewing.keep(() => this.#review())
  }

  /** A claim may be committed although nobody heard the answer; its rows would wait for as long as this worker lives. */
  async #review(): Promise<void> {
    const { db, queue, log } = this.#options
    const unheard = await releaseUnheard(db, queue.table, this.#worker.id, this.#active.inHand)
    if (unheard.length === 0) return
    log.warn({ queue: queue.table, rows: unheard.length }, 'claim answer lost, rows returned to queue')
    this.#mustLook = true
  }

  async #promote(): Promise<Promoted> {
    const { db, queue } = this.#options
    const promoted = await promote(db, queue, MAX_PROMOTED)
    this.#isHeld = promoted.isHeld
    this.#hasSuspects = promoted.hasSuspects
    return promoted
  }

  async #lookAround(): Promise<void> {
    // Before, not after: a ring during the look asks for another one.
    this.#mustLook = false
    const complete = await this.#look()
    if (!complete) this.#mustLook = true
  }

  /** True when a round over all destinations is complete. */
  async #look(): Promise<boolean> {
    const { db, queue } = this.#options
    return this.#ready.scouted(await scout(db, queue.table, this.#ready.whereabouts(), MAX_SCOUTED), MAX_SCOUTED)
  }

  /** Only one of those that were there at two crashes is under way at a time: if it kills us again, we know who. */
  async #claimSuspect(): Promise<Promise<void>[]> {
    const { db, queue } = this.#options
    if (this.#free <= 0 || this.#active.hasSuspect) return []
    const worker = this.#worker
    const lanes = queue.lanes.map(({ lane }) => lane)
    const claimedAt = this.#clock.now()
    const claimed = await claimSuspect(db, queue, worker.id, { lanes, except: this.#destinations.blocked() })
    // There may be others, which must wait for this one.
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
