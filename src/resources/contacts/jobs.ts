import type { AudienceId, ProjectId } from '../../core/ids.ts'
import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Database } from '../../storage/postgres.ts'
import { importContacts, type Imports } from './imports.ts'
import type { Contacts } from './service.ts'

/** Runs after an audience was deleted. */
export const clearAudience = jobKind<{ project: ProjectId; audience: AudienceId }>('contacts.clear-audience')

export const contactJobs = (db: Database, contacts: Contacts, imports: Imports): JobDefinition[] => [
  define(clearAudience, async ({ project, audience }, { signal }) => {
    while (await imports.clearSome(project, audience)) signal.throwIfAborted()
    while ((await db.transaction((tx) => contacts.clearSome(tx, project, audience))) > 0) signal.throwIfAborted()
  }),
  define(importContacts, (payload, job) => imports.run(payload, job)),
  define(jobKind('contacts.forget-imports'), (_, { signal }) => imports.forgetOld(signal), { cron: '11 3 * * *' }),
]
