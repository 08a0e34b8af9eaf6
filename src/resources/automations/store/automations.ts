import type { AudienceId, AutomationId, ProjectId, TagId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Automation, Definition } from '../schema.ts'

/** Those that are there. */
const automationsOf = (project: ProjectId) => sql`
  select automations.id, automations.project_id as "projectId", name, enabled, reentry, automations.version,
         audience_id as "audienceId", tag_id as "tagId", definition, counted.stats,
         automations.created_at as "createdAt", updated_at as "updatedAt"
    from automations
    join automation_versions v on v.automation_id = automations.id and v.version = automations.version
   cross join lateral (
     select json_build_object(
              'started', coalesce(sum(started), 0), 'waiting', coalesce(sum(waiting), 0),
              'completed', coalesce(sum(completed), 0), 'stopped', coalesce(sum(stopped), 0),
              'failed', coalesce(sum(failed), 0), 'emails', coalesce(sum(emails), 0)) as stats
       from automation_counts
      where automation_id = automations.id) as counted
   where automations.project_id = ${project}
     and deleted_at is null`

export const list = (db: Db, project: ProjectId, enabled: boolean | undefined, { limit, after }: PageRequest) =>
  db.all(sql<Automation>`
    ${automationsOf(project)}
       and enabled = coalesce(${enabled}::boolean, enabled)
       and (${after}::uuid is null or automations.id < ${after}::uuid)
     order by automations.id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: AutomationId) =>
  db.maybeOne(sql<Automation>`${automationsOf(project)} and automations.id = ${id}`)

export interface Head {
  name: string
  enabled: boolean
  reentry: 'never' | 'always'
  audienceId: AudienceId | null
  tagId: TagId | null
}

export const insert = (tx: Tx, project: ProjectId, id: AutomationId, head: Head) =>
  tx.run(sql`
    insert into automations (id, project_id, name, enabled, reentry, version, audience_id, tag_id)
    values (${id}, ${project}, ${head.name}, ${head.enabled}, ${head.reentry}, 1, ${head.audienceId}, ${head.tagId})`)

export interface VersionRow {
  definition: Definition
  plan: object
  /** The mailings by step. */
  mailings: ReadonlyMap<string, object>
}

export const insertVersion = async (
  tx: Tx,
  project: ProjectId,
  id: AutomationId,
  version: number,
  { definition, plan, mailings }: VersionRow,
): Promise<void> => {
  await tx.run(sql`
    insert into automation_versions (automation_id, version, project_id, definition, plan)
    values (${id}, ${version}, ${project}, ${JSON.stringify(definition)}, ${JSON.stringify(plan)})`)
  await tx.run(sql`
    insert into automation_mailings (automation_id, version, step, project_id, mailing)
    select ${id}, ${version}, step, ${project}, mailing
      from unnest(${[...mailings.keys()]}::text[],
                  ${[...mailings.values()].map((mailing) => JSON.stringify(mailing))}::jsonb[]) as given (step, mailing)`)
}

/**
 * The automation as it will be, if it still has the version that this was decided on. Undefined when it has not, or is
 * gone. `wasEnabled` is how it was before.
 */
export const update = (
  tx: Tx,
  project: ProjectId,
  id: AutomationId,
  decidedOn: number,
  { version, ...change }: Partial<Head> & { version: number },
) =>
  tx.maybeOne(sql<{ wasEnabled: boolean; enabled: boolean }>`
    with before as (
      select id, enabled
        from automations
       where project_id = ${project}
         and id = ${id}
         and version = ${decidedOn}
         and deleted_at is null
         for update)
    update automations
       set name = coalesce(${change.name}, name),
           enabled = coalesce(${change.enabled}::boolean, automations.enabled),
           reentry = coalesce(${change.reentry}, reentry),
           version = ${version},
           audience_id = case when ${change.audienceId !== undefined} then ${change.audienceId ?? null}::uuid
                              else audience_id end,
           tag_id = case when ${change.tagId !== undefined} then ${change.tagId ?? null}::uuid else tag_id end,
           updated_at = clock_now()
      from before
     where automations.project_id = ${project}
       and automations.id = before.id
    returning before.enabled as "wasEnabled", automations.enabled`)

export const mailings = (db: Db, project: ProjectId, id: AutomationId, version: number) =>
  db.all(sql<{ step: string; mailing: unknown }>`
    select step, mailing
      from automation_mailings
     where project_id = ${project}
       and automation_id = ${id}
       and version = ${version}`)

/** Undefined when it is not there, or no longer. */
export const markDeleted = (tx: Tx, project: ProjectId, id: AutomationId) =>
  tx.maybeOne(sql<{ name: string }>`
    update automations
       set deleted_at = clock_now(), enabled = false
     where project_id = ${project}
       and id = ${id}
       and deleted_at is null
    returning name`)

/** Adds up what has been counted since. */
export const foldCounts = (db: Db) =>
  db.run(sql`
    with many as (
      select automation_id from automation_counts group by automation_id having count(*) > 20
    ), taken as (
      delete from automation_counts where automation_id in (select automation_id from many) returning *
    )
    insert into automation_counts
    select automation_id, sum(started), sum(waiting), sum(completed), sum(stopped), sum(failed), sum(emails)
      from taken
     group by automation_id`)

/** Versions that nobody starts with any more, and nobody is inside of. */
export const forgetVersions = (db: Db) =>
  db.run(sql`
    with old as (
      delete from automation_versions v
       using automations a
       where a.id = v.automation_id
         and v.version < a.version
         and not exists (select from automation_runs r
                          where r.automation_id = v.automation_id and r.status = 'waiting' and r.version = v.version)
      returning v.automation_id, v.version)
    delete from automation_mailings m
     using old
     where m.automation_id = old.automation_id
       and m.version = old.version`)

/** Runs of automations that were deleted long ago; so many at a time. How many there were. */
export const forgetRuns = (db: Db, most: number) =>
  db.run(sql`
    delete from automation_runs
     where id in (
             select r.id
               from automation_runs r
               join automations a on a.id = r.automation_id
              where a.deleted_at < clock_now() - interval '30 days'
              limit ${most})`)

/** Forgets deleted automations once their runs are gone. */
export const forgetDeleted = (db: Db) =>
  db.run(sql`
    with gone as (
      delete from automations a
       where a.deleted_at < clock_now() - interval '30 days'
         and not exists (select from automation_runs r where r.automation_id = a.id)
      returning id
    ), versions as (
      delete from automation_versions where automation_id in (select id from gone)
    ), mailings as (
      delete from automation_mailings where automation_id in (select id from gone)
    )
    delete from automation_counts where automation_id in (select id from gone)`)
