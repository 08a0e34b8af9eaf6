/**
 * Registers workers, and lets the others notice when one has failed.
 *
 * A worker registers under a fresh id and sends a heartbeat every 5 seconds, dated by the database's clock. When a
 * worker has sent none for 20 seconds, the others expire it: they delete its row, and release what it held in the same
 * transaction. An expired id never returns: its next heartbeat finds no row, and its process goes on under another id.
 *
 *   new → alive → lost      expired by another worker: a crash, a freeze, a cut cable
 *               → stopped   deleted by itself in stop()
 *
 * A frozen process does not know that it was frozen. Therefore `holds()` asks the machine's clocks, not the database:
 * when the last successful heartbeat was *sent* more than 15 seconds ago, the worker may have expired, and it neither
 * starts anything nor passes a point of no return. The 5 seconds between fence and expiry are for what was already in
 * progress when the fence closed.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

export interface LeaseTimes {
  heartbeatMs: number
  fenceMs: number
  expiryMs: number
}

const defaultTimes: LeaseTimes = { heartbeatMs: 5_000, fenceMs: 15_000, expiryMs: 20_000 }

/** A process that wants to end must not wait for a database that does not answer. */
const SIGN_OFF_MS = 5_000

export interface ExpiredWorker {
  id: string
  name: string
}

export interface WorkerOptions {
  db: Database
  /** Workers of one role look after each other, and hold the same kind of lease. */
  role: string
  /** For people who look at the list, and for libraries that know the worker by a name of their own. */
  name: string
  log: Log
  /** Gives back what the departed held. `crashed` is false for one that left by itself. */
  release(tx: Tx, expired: readonly ExpiredWorker[], crashed: boolean): Promise<void>
  times?: LeaseTimes
  now?: () => Instant
}

/**
 * A moment on both clocks: only the wall clock shows that the machine slept, and only the steady clock is never set.
 */
export interface Instant {
  steady: number
  wall: number
}

const instant = (): Instant => ({ steady: performance.now(), wall: Date.now() })

export class Worker {
  readonly id: string = randomUUID()
  readonly #options: WorkerOptions
  readonly #times: LeaseTimes
  readonly #now: () => Instant
  readonly #lost = new AbortController()
  readonly #stopping = new AbortController()
  #registered = false
  #lastBeat: Instant | undefined
  #missedBeat: Instant | undefined
  #failures = 0
  #peers = 1
  #loop: Promise<void> = Promise.resolve()
  #waiting: (() => void)[] = []

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#times = options.times ?? defaultTimes
    this.#now = options.now ?? instant
  }

  /** This many workers have the same role, this one included. */
  get peers(): number {
    return this.#peers
  }

  /** Aborts when another worker has expired this one. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** Tells whether everything leased to this worker is certainly still its own. */
  holds(): boolean {
    if (this.#lost.signal.aborted || this.#stopping.signal.aborted || this.#lastBeat === undefined) return false
    return this.#since(this.#lastBeat) < this.#times.fenceMs
  }

  /** Waits until `holds()`; false when that will never be again. */
  async untilHolds(): Promise<boolean> {
    while (!this.holds()) {
      if (this.#lost.signal.aborted || this.#stopping.signal.aborted) return false
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return true
  }

  start(): void {
    this.#loop = this.#beatUntilStopped()
  }

  /** One heartbeat, and one look for those who have fallen silent. */
  async runOnce(): Promise<void> {
    await this.#beat()
    if (!this.#lost.signal.aborted) await this.#expireSilent()
  }

  /** Leaves the list and releases what is still held. While the database is down, the other workers do that later. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wake()
    await this.#loop
    const signedOff = this.#signOff()
    await Promise.race([signedOff, sleep(SIGN_OFF_MS, undefined, { ref: false })])
  }

  async #signOff(): Promise<void> {
    const { db, name, release, log } = this.#options
    try {
      await db.transaction(async (tx) => {
        await tx.run(sql`delete from workers where id = ${this.id}`)
        // This also runs for a worker that has expired long ago: it may have claimed a row before it noticed.
        await release(tx, [{ id: this.id, name }], false)
      })
    } catch (error) {
      log.warn({ err: error, worker: this.id }, 'worker not unregistered')
    }
  }

  async #beatUntilStopped(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted && !this.#lost.signal.aborted) {
      const answered = await this.#beatInTime()
      const pause = answered ? this.#times.heartbeatMs : this.#times.heartbeatMs / 5
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** A heartbeat on a connection that hangs is not waited for: the next one may find a better connection. */
  async #beatInTime(): Promise<boolean> {
    const beat = this.runOnce().then(() => true)
    const late = sleep(this.#times.heartbeatMs, false, { ref: false })
    try {
      const answered = await Promise.race([beat, late])
      this.#failures = answered ? 0 : this.#failures + 1
      return answered
    } catch (error) {
      if (this.#failures++ === 0) this.#options.log.warn({ err: error, worker: this.id }, 'heartbeat failed')
      return false
    } finally {
      beat.catch(() => {})
    }
  }

  async #beat(): Promise<void> {
    const sent = this.#now()
    // This worker was blocked itself, so the silence of the others proves nothing until they had time to send a
    // heartbeat.
    if (this.#lastBeat && this.#since(this.#lastBeat) > 2 * this.#times.heartbeatMs) this.#missedBeat = sent
    const found = await this.#options.db.maybeOne(this.#registered ? this.#heartbeat() : this.#registration())
    if (found === undefined) return this.#markLost()
    this.#registered = true
    this.#peers = found.peers
    if (this.#lastBeat === undefined || sent.steady >= this.#lastBeat.steady) this.#lastBeat = sent
    this.#wake()
  }

  #registration() {
    const { role, name } = this.#options
    // The conflict is with ourselves: an earlier attempt whose answer got lost.
    return sql<{ peers: number }>`
      insert into workers (id, role, name)
      values (${this.id}, ${role}, ${name})
      on conflict (id) do update set heartbeat_at = now()
      returning (select count(*) from workers where role = ${role} and id <> ${this.id}) + 1 as peers`
  }

  #heartbeat() {
    return sql<{ peers: number }>`
      update workers
         set heartbeat_at = now()
       where id = ${this.id}
      returning (select count(*) from workers where role = ${this.#options.role}) as peers`
  }

  #markLost(): void {
    this.#options.log.warn({ worker: this.id, role: this.#options.role }, 'worker expired by another node')
    this.#lost.abort()
    this.#wake()
  }

  /**
   * Nothing expires within the expiry time of a database start: no worker could send a heartbeat while the database was
   * down. A locked row is left for the next time; its worker is just about to claim something or to send a heartbeat.
   */
  async #expireSilent(): Promise<void> {
    const { db, role, release, log } = this.#options
    const { expiryMs } = this.#times
    if (this.#missedBeat && this.#since(this.#missedBeat) < expiryMs) return
    await db.transaction(async (tx) => {
      const expired = await tx.all(sql<ExpiredWorker>`
        delete from workers
         where id = any(array(
                 select id
                   from workers
                  where role = ${role}
                    and heartbeat_at < now() - ${expiryMs} * interval '1 millisecond'
                    and pg_postmaster_start_time() < now() - ${expiryMs} * interval '1 millisecond'
                    for update skip locked))
        returning id, name`)
      if (expired.length === 0) return
      log.warn({ role, expired: expired.map(({ id }) => id) }, 'workers expired, rows returned to queue')
      // A second statement, whose snapshot has everything that was claimed until the worker's row was locked.
      await release(tx, expired, true)
    })
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #since(then: Instant): number {
    const { steady, wall } = this.#now()
    return Math.max(steady - then.steady, wall - then.wall)
  }
}
