import type { ProjectId, TagId } from '../../core/ids.ts'
import { define, jobKind, type JobDefinition } from '../../jobs/define.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Tags } from './service.ts'

/** Runs after a tag was deleted. */
export const clearTag = jobKind<{ project: ProjectId; tag: TagId }>('tags.clear')

export const tagJobs = (db: Database, tags: Tags): JobDefinition[] => [
  define(clearTag, async ({ project, tag }, { signal }) => {
    while ((await db.transaction((tx) => tags.clearSome(tx, project, tag))) > 0) signal.throwIfAborted()
  }),
]
