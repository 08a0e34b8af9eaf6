import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Sessions } from './service.ts'

export const sessionJobs = (sessions: Sessions): JobDefinition[] => [
  define(jobKind('sessions.forget-old'), () => sessions.forgetOld(), { cron: '7 3 * * *' }),
]
