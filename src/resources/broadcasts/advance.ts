import type { BroadcastId, ProjectId } from '../../core/ids.ts'
import { jobKind } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Tx } from '../../storage/postgres.ts'

export interface Which {
  project: ProjectId
  id: BroadcastId
}

/** Does what is next about a broadcast: starts it, writes down its recipients, makes emails for them. */
export const advance = jobKind<Which>('broadcasts.advance')

/** There is one such job for a broadcast at most, at the time that was named last. */
export const enqueueAdvance = (tx: Tx, which: Which, runAt?: Date): Promise<void> =>
  enqueue(tx, advance, which, { key: which.id, ...(runAt ? { runAt } : {}) })
