import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import { advance } from './advance.ts'
import type { Sending } from './sending.ts'

export const broadcastJobs = (sending: Sending): JobDefinition[] => [
  define(advance, (which, job) => sending.advance(which, job)),
  define(jobKind('broadcasts.attend'), () => sending.attend(), { cron: '* * * * *', catchUpMs: 0 }),
]
