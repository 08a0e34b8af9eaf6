import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Statistics } from './service.ts'

export const statisticsJobs = (statistics: Statistics): JobDefinition[] => [
  define(jobKind('statistics.fold'), (_, job) => statistics.fold((tx) => job.hold(tx), job.signal), {
    cron: '* * * * *',
  }),
  define(jobKind('statistics.forget-old'), (_, { signal }) => statistics.forgetOld(signal), { cron: '11 3 * * *' }),
]
