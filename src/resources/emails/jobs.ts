import type { ProjectId } from '../../core/ids.ts'
import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Deliveries } from './deliveries.ts'
import type { Retention } from './retention.ts'

/** Right after something is resumed, in one project or one of its destinations where that is all. */
export const releaseHeld = jobKind<{ project?: ProjectId; destination?: string }>('emails.release-held')

export const emailJobs = (deliveries: Deliveries, retention: Retention): JobDefinition[] => [
  // And every minute: a message may be put aside in the moment in which its project is resumed.
  define(releaseHeld, (resumed) => deliveries.releaseHeld(resumed ?? {}), { cron: '* * * * *', catchUpMs: 0 }),
  define(jobKind('emails.purge-contents'), (_, { signal }) => retention.purgeContents(signal), { cron: '7 * * * *' }),
]
