import type { ProjectId, TagId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { Tag } from './schema.ts'

/** Those that are there; who counts people at the same time does so in different rows. */
const tagsOf = (project: ProjectId) => sql`
  select id, project_id as "projectId", name, created_at as "createdAt",
         coalesce((select sum(total) from tag_counts where tag_id = contact_tags.id), 0)::bigint as "contactCount"
    from contact_tags
   where project_id = ${project}
     and deleted_at is null`

export const list = (db: Db, project: ProjectId, { limit, after }: PageRequest) =>
  db.all(sql<Tag>`
    ${tagsOf(project)}
     and (${after}::uuid is null or id < ${after}::uuid)
   order by id desc
   limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: TagId) => db.maybeOne(sql<Tag>`${tagsOf(project)} and id = ${id}`)

export const findByName = (db: Db, project: ProjectId, name: string) =>
  db.maybeOne(sql<Tag>`${tagsOf(project)} and lower(name) = lower(${name})`)

/** Locks it against deletion until the transaction ends. Returns whether it is there. */
export const hold = async (tx: Tx, project: ProjectId, id: TagId): Promise<boolean> => {
  const held = await tx.maybeOne(sql`
    select from contact_tags where project_id = ${project} and id = ${id} and deleted_at is null for share`)
  return held !== undefined
}

/** Says whether it was made: not where the name is taken. */
export const insert = async (tx: Tx, project: ProjectId, id: TagId, name: string): Promise<boolean> => {
  const made = await tx.run(sql`
    insert into contact_tags (id, project_id, name)
    values (${id}, ${project}, ${name})
    on conflict (project_id, lower(name)) where deleted_at is null do nothing`)
  return made > 0
}

/** Makes those of these names that nobody has. In one order: two who make the same names wait for each other once. */
export const insertMissing = (tx: Tx, project: ProjectId, tags: readonly { id: TagId; name: string }[]) =>
  tx.run(sql`
    insert into contact_tags (id, project_id, name)
    select id, ${project}, name
      from unnest(${tags.map(({ id }) => id)}::uuid[], ${tags.map(({ name }) => name)}::text[]) as given (id, name)
     order by lower(name)
    on conflict (project_id, lower(name)) where deleted_at is null do nothing`)

/** Locks tags against deletion until the transaction ends. Returns each with the name that it was asked for by. */
export const holdNamed = (tx: Tx, project: ProjectId, names: readonly string[]) =>
  tx.all(sql<{ id: TagId; asked: string }>`
    select contact_tags.id, given.name as asked
      from unnest(${names}::text[]) as given (name)
      join contact_tags on project_id = ${project} and lower(contact_tags.name) = lower(given.name)
                       and deleted_at is null
     order by contact_tags.id
       for share of contact_tags`)

/** Undefined when it is not there; a name that is taken violates `contact_tags_name`. */
export const rename = (tx: Tx, project: ProjectId, id: TagId, name: string | undefined) =>
  tx.maybeOne(sql<{ id: TagId }>`
    update contact_tags
       set name = coalesce(${name}, name)
     where project_id = ${project}
       and id = ${id}
       and deleted_at is null
    returning id`)

/** Undefined when it is not there, or no longer. */
export const markDeleted = (tx: Tx, project: ProjectId, id: TagId) =>
  tx.maybeOne(sql<{ name: string }>`
    update contact_tags
       set deleted_at = clock_now()
     where project_id = ${project}
       and id = ${id}
       and deleted_at is null
    returning name`)

export interface Applied {
  tagId: TagId
  email: string
}

/** Answers those that are new. */
export const apply = (tx: Tx, project: ProjectId, wanted: readonly Applied[]) =>
  tx.all(sql<Applied>`
    insert into applied_tags (tag_id, email, project_id)
    select tag_id, email, ${project}
      from unnest(${wanted.map(({ tagId }) => tagId)}::uuid[], ${wanted.map(({ email }) => email)}::text[])
           as wanted (tag_id, email)
     order by tag_id, email collate "C"
    on conflict do nothing
    returning tag_id as "tagId", email`)

/** Answers those that were there. */
export const remove = (tx: Tx, project: ProjectId, tag: TagId, emails: readonly string[]) =>
  tx.all(sql<Applied>`
    delete from applied_tags
     where project_id = ${project}
       and tag_id = ${tag}
       and email in (
         select email from applied_tags
          where project_id = ${project} and tag_id = ${tag} and email = any(${emails}::text[])
          order by email for update)
    returning tag_id as "tagId", email`)

/** All tags of these people. In one order, like everybody who takes many. */
export const removeAll = (tx: Tx, project: ProjectId, emails: readonly string[]) =>
  tx.all(sql<Applied>`
    with held as materialized (
      select tag_id, email from applied_tags
       where project_id = ${project} and email = any(${emails}::text[])
       order by tag_id, email for update)
    delete from applied_tags
     using held
     where applied_tags.project_id = ${project}
       and applied_tags.tag_id = held.tag_id
       and applied_tags.email = held.email
    returning applied_tags.tag_id as "tagId", applied_tags.email`)

/** Takes a deleted tag from some of the people who have it. */
export const removeSome = (tx: Tx, project: ProjectId, tag: TagId, limit: number) =>
  tx.all(sql<Applied>`
    delete from applied_tags
     where project_id = ${project}
       and tag_id = ${tag}
       and email in (select email from applied_tags where tag_id = ${tag} order by email limit ${limit} for update)
    returning tag_id as "tagId", email`)

/** The last of one that was deleted. */
export const forget = async (tx: Tx, project: ProjectId, id: TagId): Promise<void> => {
  await tx.run(sql`delete from tag_counts where tag_id = ${id}`)
  await tx.run(sql`delete from contact_tags where project_id = ${project} and id = ${id} and deleted_at is not null`)
}
