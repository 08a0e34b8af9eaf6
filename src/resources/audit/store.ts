/**
 * Entries are found by an index that has them in the order of the list: those of a subject, of projects, or of the whole
 * workspace. So many of them are looked at for a page; the other filters choose among these.
 */
import { decodeId, idsBetween, type IdPrefix, type WorkspaceId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql, type Query } from '../../storage/sql.ts'
import type { EntryFilter, EntryRow } from './schema.ts'

const MAX_LOOKED = 2_000

/** Of more projects than these the entries are not looked up one by one: each of them could have `MAX_LOOKED`. */
const MAX_PROJECTS_APART = 10

/** The newest of the entries that the index leads to. */
function looked(workspace: WorkspaceId, filter: EntryFilter, { after }: PageRequest): Query<never> {
  const { first, last } = idsBetween(filter.after?.getTime(), filter.before?.getTime())
  const before = after !== null && after < first ? after : first
  const { subject, projects } = filter
  if (subject !== undefined) {
    return sql<never>`
      select *
        from audit_log
       where (workspace_id, subject, id) < (${workspace}, ${subject}, ${before}::uuid)
         and (workspace_id, subject, id) >= (${workspace}, ${subject}, ${last}::uuid)
       order by workspace_id desc, subject desc, id desc
       limit ${MAX_LOOKED}`
  }
  if (projects === undefined || projects.length > MAX_PROJECTS_APART) {
    return sql<never>`
      select *
        from audit_log
       where (workspace_id, id) < (${workspace}, ${before}::uuid)
         and (workspace_id, id) >= (${workspace}, ${last}::uuid)
       order by workspace_id desc, id desc
       limit ${MAX_LOOKED}`
  }
  return sql<never>`
    select entry.*
      from unnest(${projects}::uuid[]) as project (id)
     cross join lateral (
             select *
               from audit_log
              where (workspace_id, project_id, id) < (${workspace}, project.id, ${before}::uuid)
                and (workspace_id, project_id, id) >= (${workspace}, project.id, ${last}::uuid)
              order by workspace_id desc, project_id desc, id desc
              limit ${MAX_LOOKED}) entry
     order by entry.id desc
     limit ${MAX_LOOKED}`
}

export const list = (tx: Tx, workspace: WorkspaceId, filter: EntryFilter, request: PageRequest) =>
  tx.all(sql<EntryRow>`
    select entry.id, entry.at, entry.actor, entry.key_id as "keyId", entry.person_id as "personId", entry.action,
           entry.subject, entry.project_id as "projectId", entry.request_id as "requestId", entry.details,
           case when entry.key_id is not null then (select name from api_keys where api_keys.id = entry.key_id)
                when entry.person_id is not null then (select name from people where people.id = entry.person_id)
           end as "actorName"
      from (select *
              from (${looked(workspace, filter, request)}) looked
             where ${passes(filter)}
             order by id desc
             limit ${request.limit + 1}) entry
     order by entry.id desc`)

/** Where the look ended, if it ended before the entries did. */
export const reached = async (
  tx: Tx,
  workspace: WorkspaceId,
  filter: EntryFilter,
  request: PageRequest,
): Promise<string | null> => {
  const last = await tx.maybeOne(sql<{ id: string }>`
    select id from (${looked(workspace, filter, request)}) looked order by id desc offset ${MAX_LOOKED - 1}`)
  return last?.id ?? null
}

/** Only what is asked for stands in the statement. */
function passes({ actor, action, projects, requestId, after, before }: EntryFilter): Query<never> {
  return [
    sql<never>`true`,
    projects === undefined ? undefined : sql<never>`project_id = any(${projects}::uuid[])`,
    actor?.keyId === undefined ? undefined : sql<never>`key_id = ${actor.keyId}`,
    actor?.personId === undefined ? undefined : sql<never>`person_id = ${actor.personId}`,
    actor?.type === undefined ? undefined : sql<never>`actor = ${actor.type}`,
    action === undefined ? undefined : actionIs(action),
    requestId === undefined ? undefined : sql<never>`request_id = ${requestId}`,
    after === undefined ? undefined : sql<never>`at >= ${after}::timestamptz + interval '1 millisecond'`,
    before === undefined ? undefined : sql<never>`at < ${before}`,
  ]
    .filter((condition) => condition !== undefined)
    .reduce((all, one) => sql<never>`${all} and ${one}`)
}

const actionIs = (action: NonNullable<EntryFilter['action']>): Query<never> =>
  'exact' in action ? sql<never>`action = ${action.exact}` : sql<never>`starts_with(action, ${action.area})`

/** Where the name of a thing stands. Things that are known by an address or by the text of a message have no name here. */
const named: Readonly<Partial<Record<IdPrefix, Query<never>>>> = {
  prj: sql<never>`select id, name from projects where workspace_id = workspace.id`,
  key: sql<never>`select id, name from api_keys where workspace_id = workspace.id`,
  per: sql<never>`select id, name from people where workspace_id = workspace.id`,
  acc: sql<never>`select id, name from workspaces where workspaces.id = workspace.id`,
  dom: inProjects(sql<never>`domains`),
  tpl: inProjects(sql<never>`templates`),
  aud: inProjects(sql<never>`audiences`),
  tag: inProjects(sql<never>`contact_tags`),
  brd: inProjects(sql<never>`broadcasts`, sql<never>`coalesce(thing.name, thing.subject)`),
  aut: inProjects(sql<never>`automations`),
  whk: inProjects(sql<never>`webhook_endpoints`, sql<never>`thing.url`),
  rdm: inProjects(sql<never>`receiving_domains`),
}

function inProjects(table: Query<never>, name: Query<never> = sql<never>`thing.name`): Query<never> {
  return sql<never>`
    select thing.id, ${name} as name
      from ${table} thing
      join projects on projects.id = thing.project_id
     where projects.workspace_id = workspace.id`
}

/** The names of today, by the ids of subjects as clients see them. */
export async function namesOf(
  db: Db,
  workspace: WorkspaceId,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  for (const [prefix, where] of Object.entries(named) as [IdPrefix, Query<never>][]) {
    const ids = new Map(subjects.flatMap((subject) => pairOf(prefix, subject)))
    if (ids.size === 0) continue
    const rows = await db.all(sql<{ id: string; name: string | null }>`
      select thing.id, thing.name
        from (select ${workspace}::uuid as id) workspace
       cross join lateral (${where}) thing
       where thing.id = any(${[...ids.keys()]}::uuid[])`)
    for (const { id, name } of rows) {
      const subject = ids.get(id)
      if (subject !== undefined && name !== null && name !== '') names.set(subject, name)
    }
  }
  return names
}

function pairOf(prefix: IdPrefix, subject: string): [id: string, subject: string][] {
  const id = decodeId(prefix, subject)
  return id === undefined ? [] : [[id, subject]]
}
