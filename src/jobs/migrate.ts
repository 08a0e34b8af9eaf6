import { runMigrations } from 'graphile-worker'
import { silent } from '../core/log.ts'
import type { Database } from '../storage/postgres.ts'
import { graphileLogger, SCHEMA } from './graphile.ts'

/** Brings graphile-worker's own tables up to date. What goes wrong is thrown. */
export const migrateJobs = (db: Database): Promise<void> =>
  runMigrations({ pgPool: db.pool, schema: SCHEMA, logger: graphileLogger(silent) })
