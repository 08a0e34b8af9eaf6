/**
 * Things by the beginning of their name, in the projects that are looked at. Each part is a range of an index that has the
 * names of a project in their order, so what is read does not grow with what there is.
 */
import type { Visibility } from '../../../core/caller.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { FoundKind } from '../kinds.ts'
import type { FoundRow } from '../schema.ts'

export type NamedKind = Extract<
  FoundKind,
  | 'project'
  | 'key'
  | 'domain'
  | 'receiving_domain'
  | 'template'
  | 'audience'
  | 'tag'
  | 'broadcast'
  | 'automation'
  | 'webhook'
>

/** Byte by byte: no text in UTF-8 goes on with a higher character than this one. */
const LAST = '\u{10ffff}'

const begins = (name: Query<unknown>, q: string) => sql`
  ${name} >= lower(${q}) collate "C" and ${name} < (lower(${q}) || ${LAST}) collate "C"`

/** Projects of which names are compared at most, where only some of the found belong to the caller. */
const MAX_COMPARED = 1_000

interface Named {
  from: Query<unknown>
  /** As the index has it. */
  name: Query<unknown>
  title: Query<unknown>
  subtitle?: Query<unknown>
  where?: Query<unknown>
}

const inProjects =
  ({ from, name, title, subtitle, where }: Named) =>
  (db: Db, projects: readonly ProjectId[], q: string, most: number) =>
    db.all(sql<FoundRow>`
      select found.*
        from unnest(${projects}::uuid[]) with ordinality as project (id, place)
       cross join lateral (
               select t.id, t.project_id as "projectId", ${title} as title, ${subtitle ?? sql`null`} as subtitle,
                      t.created_at as at, null as "parentId"
                 from ${from} t
                where t.project_id = project.id
                  and ${begins(name, q)} ${where ?? sql``}
                order by ${name}
                limit ${most}) as found
       order by project.place
       limit ${most}`)

const alive = sql`and t.deleted_at is null`

export const inProjectsBy: Readonly<
  Record<
    Exclude<NamedKind, 'project' | 'key'>,
    (db: Db, projects: readonly ProjectId[], q: string, most: number) => Promise<FoundRow[]>
  >
> = {
  domain: inProjects({
    from: sql`domains`,
    name: sql`t.name collate "C"`,
    title: sql`t.name`,
    subtitle: sql`t.status`,
    where: sql`and t.removed_at is null`,
  }),
  receiving_domain: inProjects({
    from: sql`receiving_domains`,
    name: sql`t.name collate "C"`,
    title: sql`t.name`,
    subtitle: sql`t.status`,
    where: sql`and t.removed_at is null`,
  }),
  template: inProjects({
    from: sql`templates`,
    name: sql`lower(t.name) collate "C"`,
    title: sql`t.name`,
    subtitle: sql`t.alias`,
  }),
  audience: inProjects({
    from: sql`audiences`,
    name: sql`lower(t.name) collate "C"`,
    title: sql`t.name`,
    where: alive,
  }),
  tag: inProjects({ from: sql`contact_tags`, name: sql`lower(t.name) collate "C"`, title: sql`t.name`, where: alive }),
  broadcast: inProjects({
    from: sql`broadcasts`,
    name: sql`lower(left(coalesce(t.name, t.subject, ''), 200)) collate "C"`,
    title: sql`coalesce(t.name, t.subject, '')`,
    subtitle: sql`t.status`,
  }),
  automation: inProjects({
    from: sql`automations`,
    name: sql`lower(t.name) collate "C"`,
    title: sql`t.name`,
    subtitle: sql`case when t.enabled then 'enabled' else 'disabled' end`,
    where: alive,
  }),
  /** An endpoint has a URL and perhaps a description; a project has few. */
  webhook: (db, projects, q, most) =>
    db.all(sql<FoundRow>`
      select t.id, t.project_id as "projectId", t.url as title, t.description as subtitle, t.created_at as at,
             null as "parentId"
        from webhook_endpoints t
       where t.project_id = any(${projects}::uuid[])
         and (starts_with(lower(t.description), lower(${q})) or strpos(lower(t.url), lower(${q})) > 0)
       order by array_position(${projects}::uuid[], t.project_id), t.id desc
       limit ${most}`),
}

export const projectsNamed = (db: Db, { workspaceId, projectIds }: Visibility, q: string, most: number) =>
  db.all(sql<FoundRow>`
    select id, id as "projectId", name as title, nullif(status, 'active') as subtitle, created_at as at,
           null as "parentId"
      from (select *
              from projects t
             where t.workspace_id = ${workspaceId}
               and ${begins(sql`lower(t.name) collate "C"`, q)}
             order by lower(t.name) collate "C"
             limit ${MAX_COMPARED}) as named
     where ${projectIds}::uuid[] is null or id = any(${projectIds}::uuid[])
     limit ${most}`)

/** Keys that still work. */
export const keysNamed = (db: Db, { workspaceId, projectIds }: Visibility, q: string, most: number) =>
  db.all(sql<FoundRow>`
    select id, project_id as "projectId", name as title, '…' || last4 as subtitle, created_at as at, null as "parentId"
      from (select *
              from api_keys t
             where t.workspace_id = ${workspaceId}
               and t.revoked_at is null
               and ${begins(sql`lower(t.name) collate "C"`, q)}
             order by lower(t.name) collate "C"
             limit ${MAX_COMPARED}) as named
     where ${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[])
     limit ${most}`)

/** The newest projects that a caller sees. */
export const newestProjects = (db: Db, { workspaceId, projectIds }: Visibility, most: number) =>
  db.all(sql<{ id: ProjectId }>`
    select id
      from projects
     where workspace_id = ${workspaceId}
       and (${projectIds}::uuid[] is null or id = any(${projectIds}::uuid[]))
     order by id desc
     limit ${most}`)
