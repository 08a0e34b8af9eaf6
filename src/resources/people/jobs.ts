import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { PeopleServices } from './assemble.ts'
import { mailRecoveryLink } from './recovery.ts'

export const peopleJobs = ({ recovery, forgetOld }: PeopleServices): JobDefinition[] => [
  define(mailRecoveryLink, ({ email }, { id }) => recovery.mailLink(email, id)),
  define(jobKind('people.forget-old'), () => forgetOld(), { cron: '47 * * * *' }),
]
