import { keepMonths } from '../storage/monthly-tables.ts'
import type { Db } from '../storage/postgres.ts'

export const keepEvents = (db: Db, days: number): Promise<void> =>
  keepMonths(db, { table: 'events', moment: 'at' }, days)
