import type { Database } from '../storage/postgres.ts'
import { sql, type Query } from '../storage/sql.ts'

/**
 * Runs a statement that is written for one index, by that index. A queue is empty at one moment and holds a million rows
 * at the next; a plan that was made for the empty table reads all of it, and would be kept until the next vacuum. So no
 * other way is left to the planner than one that is right at all times, and it need not be asked again: planning a claim
 * took longer than the claim.
 */
export const byIndex = <Row>(db: Database, query: Query<Row>): Promise<Row[]> =>
  db.transaction(async (tx) => {
    const [, rows] = await Promise.all([tx.run(onlyByIndex), tx.all(query)])
    return rows
  })

const onlyByIndex = sql`
  select set_config(name, value, true)
    from (values ('enable_seqscan', 'off'), ('enable_bitmapscan', 'off'), ('enable_sort', 'off'),
                 ('plan_cache_mode', 'force_generic_plan')) as setting (name, value)`
