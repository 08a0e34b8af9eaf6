import type { Log } from '../core/log.ts'
import type { Database, Tx } from '../storage/postgres.ts'
import type { Journal, Leftovers } from './journal.ts'
import { lockLeftBehind, releaseAll, releaseUnsent } from './leases.ts'
import type { Queue, Settled } from './queue.ts'

interface LeftoversOptions<Outcome> {
  db: Database
  queue: Queue<Outcome>
  log: Log
  journal?: Journal
}

const AT_ONCE = 500

/**
 * Settles what processes of this machine that are gone had in their hands. What they had found out is recorded; what
 * they had not sent goes on at once; the rest waits, like all rows of a dead worker elsewhere. Rows that another worker
 * has claimed since are left to it.
 */
export async function settleLeftovers<Outcome>({ db, queue, log, journal }: LeftoversOptions<Outcome>): Promise<void> {
  const left = journal?.leftovers()
  if (left === undefined || left.workers.length === 0) return
  let recorded = 0
  for (let at = 0; at < left.settled.length; at += AT_ONCE) {
    const some = left.settled.slice(at, at + AT_ONCE)
    recorded += await db.transaction((tx) => record(tx, queue, some))
  }
  const returned = await db.transaction((tx) => giveBack(tx, queue.table, left))
  left.done()
  log.info({ queue: queue.table, recorded, returned }, 'recovered leases of a dead process from its journal')
}

async function record<Outcome>(tx: Tx, queue: Queue<Outcome>, settled: Leftovers['settled']): Promise<number> {
  const keys = settled.map(({ key }) => key)
  const ids = new Set((await lockLeftBehind(tx, queue.table, keys)).map(({ id }) => id))
  // Written by a process of ours as the outcome of this queue; dates in it have become text.
  const ours = settled.filter(({ key }) => ids.has(key.id)) as unknown as Settled<Outcome>[]
  if (ours.length > 0) await queue.record(tx, ours)
  return ours.length
}

async function giveBack(tx: Tx, table: string, { workers, mayHaveLeft }: Leftovers): Promise<number> {
  const unsent = await releaseUnsent(
    tx,
    table,
    workers,
    mayHaveLeft.map(({ id }) => id),
  )
  return unsent + (await releaseAll(tx, table, { workers, crashed: true }))
}
