/**
 * Writes what became of the rows. Outcomes are gathered for a few milliseconds and written in one transaction; as long
 * as an outcome is not committed, its slot stays taken, which bounds what a crash can repeat by the number of slots.
 *
 *   pending → recorded       committed
 *           → lost           the lease is not ours any more: nothing is written
 *           → pending        the database is away: tried again for ever, and meanwhile nothing new is claimed
 *           → unrecordable   the owner's statements fail for this one outcome; the others of its batch are written
 *
 *   unrecordable → recorded  a later attempt succeeds
 *                → given up  it still fails although others have been recorded since, so the fault is in this row: it
 *                            goes back to the queue like a row whose worker died
 *
 * The condition on giving up matters: when nothing at all can be recorded, the fault is ours, and sending the same mail
 * again and again is worse than standing still.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import { onlyByIndex } from '../storage/by-index.ts'
import { whenAvailable } from '../storage/when-available.ts'
import { isUnavailable } from '../storage/outage.ts'
import type { Database, Tx } from '../storage/postgres.ts'
import { Batch } from './batch.ts'
import { countLeased, lockLeased, keyOf, releaseOne, type LeaseKey } from './leases.ts'
import type { Journal } from './journal.ts'
import type { DispatchEvent, Queue, Settled } from './queue.ts'

export interface Pending<Outcome> extends Settled<Outcome> {
  key: LeaseKey
}

type Verdict = 'recorded' | 'lost' | 'unrecordable'

interface OutcomesOptions<Outcome> {
  db: Database
  queue: Pick<Queue<Outcome>, 'table' | 'record'>
  log: Log
  random: () => number
  observe: (event: DispatchEvent) => void
  journal: Journal | undefined
}

/** How long an outcome that could not be written rests before the next attempt. */
const REST_MS = 2_000

export class Outcomes<Outcome> {
  readonly #options: OutcomesOptions<Outcome>
  readonly #batch: Batch<Pending<Outcome>, Verdict>
  #away = false
  #abandoned = false
  #recorded = 0

  constructor(options: OutcomesOptions<Outcome>) {
    this.#options = options
    // A longer wait is cheaper, but rows that wait here are in hand: unless a journal has their outcomes, they are sent
    // once more after a crash. And as many as end together are claimed together, which should take milliseconds.
    const whenBusy = options.journal ? { from: 10, gatherMs: 100, enough: 60 } : { from: 10, gatherMs: 40 }
    this.#batch = new Batch((pending) => this.#record(pending), { most: 500, gatherMs: 5, whenBusy })
  }

  /** Whether outcomes are waiting for the database to come back. */
  get away(): boolean {
    return this.#away
  }

  /** Returns when the outcome needs no more attention: only then its slot is free. */
  async settle(pending: Pending<Outcome>): Promise<void> {
    const before = this.#recorded
    for (let attempt = 1; !this.#abandoned; attempt++) {
      const verdict = await this.#batch.add(pending)
      if (verdict !== 'unrecordable') return
      if (attempt > 1 && this.#recorded > before && (await this.giveUp(pending.key))) return
      await sleep(REST_MS, undefined, { ref: false })
    }
  }

  /** Returns the row to the queue like one whose worker died. False when not even that can be written. */
  async giveUp(key: LeaseKey): Promise<boolean> {
    const { db, queue, log } = this.#options
    try {
      await this.#patiently(() => db.transaction((tx) => releaseOne(tx, queue.table, key)))
      log.error({ queue: queue.table, id: key.id }, 'outcome dropped, row returned to queue')
      return true
    } catch (error) {
      log.error({ err: error, queue: queue.table, id: key.id }, 'row not returned to queue')
      return false
    }
  }

  /** Drops outcomes that cannot be written because the database is away. Another worker finds their rows as unknown. */
  abandon(): void {
    this.#abandoned = true
  }

  async #record(pending: readonly Pending<Outcome>[]): Promise<Verdict[]> {
    try {
      return await this.#patiently(() => this.#recordTogether(pending))
    } catch (error) {
      if (isUnavailable(error)) return pending.map(() => 'lost')
      if (pending.length === 1) return [this.#unrecordable(pending[0], error)]
    }
    const verdicts: Verdict[] = []
    for (const single of pending) verdicts.push(...(await this.#record([single])))
    return verdicts
  }

  async #recordTogether(pending: readonly Pending<Outcome>[]): Promise<Verdict[]> {
    const { db, observe } = this.#options
    const startedAt = performance.now()
    const good = await db.transaction((tx) => this.#write(tx, pending))
    const verdicts = pending.map(({ key }): Verdict => (good.has(keyOf(key)) ? 'recorded' : 'lost'))
    this.#recorded += good.size
    if (good.size > 0) observe({ kind: 'recorded', rows: good.size, ms: performance.now() - startedAt })
    const lost = pending.filter(({ key }) => !good.has(keyOf(key)))
    if (lost.length > 0) observe({ kind: 'lost', rows: lost.length, ids: lost.map(({ key }) => key.id) })
    return verdicts
  }

  /** Answers the keys of the leases that were good, and whose outcomes are therefore written. */
  async #write(tx: Tx, pending: readonly Pending<Outcome>[]): Promise<Set<string>> {
    const { queue } = this.#options
    const [, held] = await Promise.all([
      tx.run(onlyByIndex),
      lockLeased(
        tx,
        queue.table,
        pending.map(({ key }) => key),
      ),
    ])
    const names = new Set(held.map(keyOf))
    const ours = pending.filter(({ key }) => names.has(keyOf(key)))
    const good = new Set(ours.map(({ key }) => keyOf(key)))
    if (ours.length === 0) return good
    await queue.record(
      tx,
      ours.map(({ item, outcome }) => ({ item, outcome })),
    )
    const { leased } = await countLeased(
      tx,
      queue.table,
      ours.map(({ item }) => item.id),
    )
    // A row that its owner forgot would stay leased for as long as this worker lives.
    if (leased > 0) throw new Error(`${leased} rows of ${queue.table} were not moved out of their lease`)
    return good
  }

  #unrecordable(pending: Pending<Outcome> | undefined, error: unknown): Verdict {
    const { queue, log, observe } = this.#options
    log.error({ err: error, queue: queue.table, id: pending?.item.id }, 'outcome not recorded')
    observe({ kind: 'unrecordable', rows: 1 })
    return 'unrecordable'
  }

  async #patiently<T>(work: () => Promise<T>): Promise<T> {
    const { random, log, queue } = this.#options
    const onOutage = (error: unknown): void => {
      if (!this.#away) log.warn({ err: error, queue: queue.table }, 'outcomes waiting for database')
      this.#away = true
    }
    try {
      return await whenAvailable(work, { random, onOutage, mayRetry: () => !this.#abandoned })
    } finally {
      this.#away = false
    }
  }
}
