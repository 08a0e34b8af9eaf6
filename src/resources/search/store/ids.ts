/**
 * Things by their id, wherever in the workspace they are. Each statement finds its row by an index on the id alone, and
 * shows it only where the project is one that the caller can read.
 */
import type { Visibility } from '../../../core/caller.ts'
import type { ProjectId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { FoundKind } from '../kinds.ts'
import type { FoundRow } from '../schema.ts'

/** Of a project that the caller sees; the thing is `t`. */
const seen = ({ workspaceId, projectIds }: Visibility) => sql`
  join projects p on p.id = t.project_id
   and p.workspace_id = ${workspaceId}
   and (${projectIds}::uuid[] is null or p.id = any(${projectIds}::uuid[]))`

interface Columns {
  from: Query<unknown>
  title: Query<unknown>
  subtitle?: Query<unknown>
  at?: Query<unknown>
  parent?: Query<unknown>
  where?: Query<unknown>
}

const one =
  ({ from, title, subtitle, at, parent, where }: Columns) =>
  (db: Db, visibility: Visibility, id: string) =>
    db.maybeOne(sql<FoundRow>`
      select t.id, t.project_id as "projectId", ${title} as title, ${subtitle ?? sql`null`} as subtitle,
             ${at ?? sql`t.created_at`} as at, ${parent ?? sql`null`} as "parentId"
        from ${from} t ${seen(visibility)}
       where t.id = ${id} ${where ?? sql``}
       limit 1`)

const alive = sql`and t.deleted_at is null`

/** Those whose content is the caller's to see are read apart: see `service.ts`. */
export const finders: Readonly<
  Record<
    Exclude<FoundKind, 'email' | 'delivery'>,
    (db: Db, visibility: Visibility, id: string) => Promise<FoundRow | undefined>
  >
> = {
  project: (db, { workspaceId, projectIds }, id) =>
    db.maybeOne(sql<FoundRow>`
      select id, id as "projectId", name as title, nullif(status, 'active') as subtitle, created_at as at, null as "parentId"
        from projects
       where workspace_id = ${workspaceId}
         and id = ${id}
         and (${projectIds}::uuid[] is null or id = any(${projectIds}::uuid[]))`),
  key: (db, { workspaceId, projectIds }, id) =>
    db.maybeOne(sql<FoundRow>`
      select id, project_id as "projectId", name as title, '…' || last4 as subtitle, created_at as at, null as "parentId"
        from api_keys
       where workspace_id = ${workspaceId}
         and id = ${id}
         and (${projectIds}::uuid[] is null or project_id = any(${projectIds}::uuid[]))`),
  person: (db, { workspaceId, projectIds }, id) =>
    db.maybeOne(sql<FoundRow>`
      select id, null as "projectId", name as title, email as subtitle, created_at as at, null as "parentId"
        from people
       where workspace_id = ${workspaceId}
         and id = ${id}
         and removed_at is null
         and ${projectIds}::uuid[] is null`),
  domain: one({
    from: sql`domains`,
    title: sql`t.name`,
    subtitle: sql`t.status`,
    where: sql`and t.removed_at is null`,
  }),
  batch: (db, { workspaceId, projectIds }, id) =>
    db.maybeOne(sql<FoundRow>`
      select t.batch_id as id, t.project_id as "projectId", 'Batch' as title, null as subtitle, t.created_at as at,
             null as "parentId"
        from emails t
        join projects p on p.id = t.project_id and p.workspace_id = ${workspaceId}
       where t.batch_id = ${id}
         and (${projectIds}::uuid[] is null or p.id = any(${projectIds}::uuid[]))
       limit 1`),
  template: one({ from: sql`templates`, title: sql`t.name`, subtitle: sql`t.alias`, at: sql`t.updated_at` }),
  suppression: one({ from: sql`suppressions`, title: sql`t.email`, subtitle: sql`t.reason` }),
  audience: one({ from: sql`audiences`, title: sql`t.name`, where: alive }),
  contact: one({
    from: sql`contacts`,
    title: sql`t.email`,
    subtitle: sql`nullif(concat_ws(' ', t.first_name, t.last_name), '')`,
    parent: sql`t.audience_id`,
    where: sql`and exists (select from audiences a where a.id = t.audience_id and a.deleted_at is null)`,
  }),
  tag: one({ from: sql`contact_tags`, title: sql`t.name`, where: alive }),
  broadcast: one({
    from: sql`broadcasts`,
    title: sql`coalesce(t.name, t.subject, '')`,
    subtitle: sql`t.status`,
  }),
  automation: one({
    from: sql`automations`,
    title: sql`t.name`,
    subtitle: sql`case when t.enabled then 'enabled' else 'disabled' end`,
    where: alive,
  }),
  run: one({
    from: sql`automation_runs`,
    title: sql`coalesce(t.email, '')`,
    subtitle: sql`t.status`,
    at: sql`t.started_at`,
    parent: sql`t.automation_id`,
    where: sql`and exists (select from automations a where a.id = t.automation_id and a.deleted_at is null)`,
  }),
  webhook: one({ from: sql`webhook_endpoints`, title: sql`t.url`, subtitle: sql`t.description` }),
  receiving_domain: one({
    from: sql`receiving_domains`,
    title: sql`t.name`,
    subtitle: sql`t.status`,
    where: sql`and t.removed_at is null`,
  }),
  received: one({
    from: sql`received_emails`,
    title: sql`coalesce((select m.letter ->> 'subject' from received_messages m where m.id = t.message_id), '')`,
    subtitle: sql`t.recipient`,
    at: sql`t.received_at`,
    where: sql`and t.shown_at is not null`,
  }),
  sms: one({
    from: sql`sms_messages`,
    title: sql`t.masked`,
    subtitle: sql`t.status`,
    where: sql`and p.sms_invited`,
  }),
}

/** By the endpoints of these projects: a delivery is found by its endpoint only. */
export const findDelivery = (db: Db, projects: readonly ProjectId[], id: string) =>
  db.maybeOne(sql<FoundRow>`
    select found.id, e.project_id as "projectId", found.kind as title, e.url as subtitle, found.created_at as at,
           e.id as "parentId"
      from webhook_endpoints e
     cross join lateral (
             (select l.id, l.kind, l.created_at from webhook_log l where l.endpoint_id = e.id and l.id = ${id} limit 1)
              union all
             (select d.id, d.kind, d.created_at
                from webhook_deliveries d
               where d.endpoint_id = e.id and d.id = ${id}
               limit 1)) as found
     where e.project_id = any(${projects}::uuid[])
     limit 1`)
