import type { BroadcastId } from '../../core/ids.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Bucket } from './states.ts'
import * as store from './store/sending.ts'

/** A move of recipients from one number to another; what is neither here nor there is queued. */
export interface Move {
  broadcastId: BroadcastId
  from: 'queued' | Bucket
  to: Bucket
  /** One unless given. */
  count?: number
}

/**
 * Counts in the transaction of what is counted, so the numbers add up at every moment. With the last recipient the
 * broadcast is sent.
 */
export async function countMoves(tx: Tx, moves: readonly Move[]): Promise<void> {
  const changes = new Map<BroadcastId, Partial<Record<Bucket, number>>>()
  for (const { broadcastId, from, to, count = 1 } of moves) {
    const by = changes.get(broadcastId) ?? {}
    changes.set(broadcastId, by)
    if (from !== 'queued') by[from] = (by[from] ?? 0) - count
    by[to] = (by[to] ?? 0) + count
  }
  if (changes.size === 0) return
  const counted = await store.count(
    tx,
    [...changes].map(([broadcastId, by]) => ({ broadcastId, by })),
  )
  const complete = counted.filter(({ isComplete }) => isComplete).map(({ id }) => id)
  if (complete.length > 0) await store.complete(tx, complete)
}
