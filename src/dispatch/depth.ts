/** How much a queue has to do, for those who watch it. */
import type { Db } from '../storage/postgres.ts'
import { identifier, sql } from '../storage/sql.ts'

export interface LaneDepth {
  lane: number
  /** Rows that are due, or under way, or were tried before and wait for the next attempt. */
  rows: number
  /** For how long the first of those that could leave now has been due. */
  oldestSeconds: number
}

/** What is scheduled for later and was never tried is no queue yet. */
export const laneDepths = (db: Db, table: string) =>
  db.all(sql<LaneDepth>`
    select lane, count(*)::int as rows,
           greatest(0, coalesce(extract(epoch from clock_now() - min(due_at) filter (where state = 'ready')), 0))::float
             as "oldestSeconds"
      from ${identifier(table)}
     where state in ('ready', 'claimed', 'in_flight') or (state = 'waiting' and lease_no > 0)
     group by lane`)
