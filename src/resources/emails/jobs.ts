import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Deliveries } from './deliveries.ts'
import type { Retention } from './retention.ts'

/** Right after a project is resumed. */
export const releaseHeld = jobKind<Record<string, never>>('emails.release-held')

export const emailJobs = (deliveries: Deliveries, retention: Retention): JobDefinition[] => [
  // And every minute: a message may be put aside in the moment in which its project is resumed.
  define(releaseHeld, () => deliveries.releaseHeld(), { cron: '* * * * *', catchUpMs: 0 }),
  define(jobKind('emails.purge-contents'), (_, { signal }) => retention.purgeContents(signal), { cron: '7 * * * *' }),
]
