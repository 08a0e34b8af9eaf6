import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Domains } from './service.ts'
import { makeKeysAhead } from './spare-keys.ts'

/** Every minute, without making up for lost ones: which domains are due is a matter of each one's own time. */
export const domainJobs = (domains: Domains): JobDefinition[] => [
  define(jobKind('domains.check-due', { attempts: 1 }), (_, { signal }) => domains.checkDue(signal), {
    cron: '* * * * *',
    catchUpMs: 0,
  }),
  define(makeKeysAhead, (_, { signal }) => domains.makeKeysAhead(signal), { cron: '* * * * *', catchUpMs: 0 }),
]
