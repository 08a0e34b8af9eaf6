import { migrateJobs } from '../jobs/migrate.ts'
import { migrate } from '../storage/migrate.ts'
import type { Database } from '../storage/postgres.ts'

/** Everything that lives in the database, brought up to date under one lock. */
export const migrateAll = (db: Database): Promise<string[]> => migrate(db, () => migrateJobs(db))
