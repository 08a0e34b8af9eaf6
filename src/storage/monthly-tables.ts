import type { Db } from './postgres.ts'
import { sql } from './sql.ts'

/** A table that is partitioned by the month of one of its columns. */
export interface MonthlyTable {
  table: string
  moment: string
}

/** Drops the months that are over, and makes room for those to come. */
export async function keepMonths(db: Db, { table, moment }: MonthlyTable, days: number): Promise<void> {
  await db.all(sql`select keep_months(${table}, ${moment}, ${days})`)
}
