import type { Db } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'

/** Drops the months of events that are over, and makes room for those to come. */
export async function keepEvents(db: Db, days: number): Promise<void> {
  await db.all(sql`select keep_event_months(${days})`)
}
