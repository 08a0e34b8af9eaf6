import { forgetOldIdempotencyKeys } from '../http/idempotency.ts'
import { define, jobKind, type JobDefinition } from '../jobs/define.ts'
import { forgetEndedJobs } from '../jobs/forget-ended.ts'
import type { Database } from '../storage/postgres.ts'

/** Every kind of background work with its handler. Two of one name keep the worker from starting. */
export const allJobs = (db: Database): JobDefinition[] => [
  forgetEndedJobs(db),
  define(jobKind('http.forget-idempotency-keys'), async () => void (await forgetOldIdempotencyKeys(db)), {
    cron: '17 * * * *',
  }),
]
