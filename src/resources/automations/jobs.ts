import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Automations } from './service.ts'
import { clearAutomation, resumeRuns } from './job-kinds.ts'

export const automationJobs = (db: Database, automations: Automations): JobDefinition[] => [
  define(clearAutomation, async ({ project, automation }, { signal }) => {
    while ((await db.transaction((tx) => automations.stopSome(tx, project, automation))) > 0) signal.throwIfAborted()
  }),
  // Every minute as well: a step that is held in the moment in which that is over must not wait for the next time.
  define(
    resumeRuns,
    async (_, { signal }) => {
      while ((await automations.resumeSome()) > 0) signal.throwIfAborted()
    },
    { cron: '* * * * *' },
  ),
  define(jobKind('automations.fold-counts'), () => automations.foldCounts(), { cron: '* * * * *' }),
  define(jobKind('automations.forget-old'), (_, { signal }) => automations.forgetOld(signal), { cron: '41 3 * * *' }),
]
