import type { Database } from '../storage/postgres.ts'
import { sql } from '../storage/sql.ts'
import { define, jobKind, type JobDefinition } from './define.ts'

/** Jobs that were given up stay for a while, with their reason, for an operator who wonders. */
export const forgetEndedJobs = (db: Database): JobDefinition =>
  define(
    jobKind('jobs.forget-ended'),
    async () => {
      await db.run(sql`
        delete from graphile_worker._private_jobs
         where attempts >= max_attempts
           and locked_at is null
           and run_at < now() - interval '30 days'`)
    },
    { cron: '41 3 * * *' },
  )
