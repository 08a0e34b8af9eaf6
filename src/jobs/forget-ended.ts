import type { Database } from '../storage/postgres.ts'
import { define, jobKind, type JobDefinition } from './define.ts'
import { forgetEnded } from './store.ts'

export const forgetEndedJobs = (db: Database): JobDefinition =>
  define(jobKind('jobs.forget-ended'), async () => void (await forgetEnded(db)), { cron: '41 3 * * *' })
