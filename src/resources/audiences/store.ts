import type { AudienceId, ProjectId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { Audience } from './schema.ts'

/** Those that are there; who counts contacts at the same time does so in different rows. */
const audiencesOf = (project: ProjectId) => sql`
  select id, project_id as "projectId", name, description, created_at as "createdAt",
         counted.total, counted.subscribed
    from audiences
   cross join lateral (
     select coalesce(sum(total), 0)::bigint as total, coalesce(sum(subscribed), 0)::bigint as subscribed
       from audience_counts
      where audience_id = audiences.id) as counted
   where project_id = ${project}
     and deleted_at is null`

export const list = (db: Db, project: ProjectId, { limit, after }: PageRequest) =>
  db.all(sql<Audience>`
    ${audiencesOf(project)}
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: AudienceId) =>
  db.maybeOne(sql<Audience>`${audiencesOf(project)} and id = ${id}`)

/** Locks it against deletion until the transaction ends. Returns whether it is there. */
export const hold = async (tx: Tx, project: ProjectId, id: AudienceId): Promise<boolean> => {
  const held = await tx.maybeOne(sql`
    select from audiences where project_id = ${project} and id = ${id} and deleted_at is null for share`)
  return held !== undefined
}

export const insert = (tx: Tx, project: ProjectId, id: AudienceId, name: string, description: string | null) =>
  tx.run(sql`
    insert into audiences (id, project_id, name, description) values (${id}, ${project}, ${name}, ${description})`)

export interface AudienceChange {
  name?: string
  description?: string | null
}

/** Says whether it is there. */
export const update = async (tx: Tx, project: ProjectId, id: AudienceId, change: AudienceChange): Promise<boolean> => {
  const updated = await tx.run(sql`
    update audiences
       set name = coalesce(${change.name}, name),
           description = case when ${change.description !== undefined} then ${change.description ?? null}
                              else description end
     where project_id = ${project}
       and id = ${id}
       and deleted_at is null`)
  return updated > 0
}

/** Undefined when it is not there, or no longer. */
export const markDeleted = (tx: Tx, project: ProjectId, id: AudienceId) =>
  tx.maybeOne(sql<{ name: string }>`
    update audiences
       set deleted_at = clock_now()
     where project_id = ${project}
       and id = ${id}
       and deleted_at is null
    returning name`)

/** The last of one that was deleted. */
export const forget = async (tx: Tx, project: ProjectId, id: AudienceId): Promise<void> => {
  await tx.run(sql`
    delete from audiences where project_id = ${project} and id = ${id} and deleted_at is not null`)
}
