import type { ProjectId } from '../../core/ids.ts'
import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { QueueReports } from './reports.ts'
import type { Queue } from './service.ts'

/** Where more wait than one request makes due. */
export const retryDestination = jobKind<{ project: ProjectId; destination: string }>('queue.retry-destination')

export const queueJobs = (queue: Queue, reports: QueueReports): JobDefinition[] => [
  define(retryDestination, ({ project, destination }) => queue.retryAll(project, destination)),
  define(jobKind('queue.forget-replies'), () => reports.forgetOld(), { cron: '41 * * * *', catchUpMs: 0 }),
]
