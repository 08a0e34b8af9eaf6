import type { ProjectStatus, Visibility } from '../../core/caller.ts'
import type { ProjectId, WorkspaceId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import { sql } from '../../storage/sql.ts'
import type { CreateProject, Project, UpdateProject } from './schema.ts'

const columns = sql`
  id, workspace_id as "workspaceId", name, status, emails_per_day as "emailsPerDay",
  emails_per_month as "emailsPerMonth", sms_invited as "smsInvited", sms_live as "smsLive",
  created_at as "createdAt", updated_at as "updatedAt", paused_at as "pausedAt", archived_at as "archivedAt"`

const visible = ({ workspaceId, projectIds }: Visibility) =>
  sql`workspace_id = ${workspaceId} and (${projectIds}::uuid[] is null or id = any(${projectIds}::uuid[]))`

export const list = (
  db: Db,
  visibility: Visibility,
  status: ProjectStatus | undefined,
  { limit, after }: PageRequest,
) =>
  db.all(sql<Project>`
    select ${columns}
      from projects
     where ${visible(visibility)}
       and status = coalesce(${status}, status)
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, visibility: Visibility, id: ProjectId) =>
  db.maybeOne(sql<Project>`select ${columns} from projects where ${visible(visibility)} and id = ${id}`)

export const insertWorkspace = (tx: Tx, id: WorkspaceId, name: string) =>
  tx.run(sql`insert into workspaces (id, name) values (${id}, ${name})`)

/** The one workspace of an installation, oldest first should there ever be more. */
export const firstWorkspace = (db: Db) =>
  db.maybeOne(sql<{ id: WorkspaceId }>`select id from workspaces order by id limit 1`)

/** Held until the transaction ends: two nodes that start together make one workspace. */
export const lockFirstStart = (tx: Tx) => tx.run(sql`select pg_advisory_xact_lock(7015202)`)

export const insert = (tx: Tx, workspaceId: WorkspaceId, id: ProjectId, { name, quota }: CreateProject) =>
  tx.one(sql<Project>`
    insert into projects (id, workspace_id, name, emails_per_day, emails_per_month)
    values (${id}, ${workspaceId}, ${name}, ${quota?.emailsPerDay ?? null}, ${quota?.emailsPerMonth ?? null})
    returning ${columns}`)

/** Undefined when the project is archived or not there. */
export const update = (tx: Tx, visibility: Visibility, id: ProjectId, { name, status, quota }: UpdateProject) =>
  tx.maybeOne(sql<Project>`
    update projects
       set name = coalesce(${name}, name),
           status = coalesce(${status}, status),
           paused_at = case coalesce(${status}, status) when 'paused' then coalesce(paused_at, clock_now()) end,
           emails_per_day = case when ${quota?.emailsPerDay !== undefined} then ${quota?.emailsPerDay ?? null}::bigint
                                 else emails_per_day end,
           emails_per_month = case when ${quota?.emailsPerMonth !== undefined} then ${quota?.emailsPerMonth ?? null}::bigint
                                   else emails_per_month end,
           updated_at = clock_now()
     where ${visible(visibility)}
       and id = ${id}
       and status <> 'archived'
    returning ${columns}`)

/** Undefined when the project is archived already or not there. */
/** From now on; a later call replaces an earlier one. */
export const trace = (tx: Tx, visibility: Visibility, id: ProjectId, minutes: number) =>
  tx.maybeOne(sql<Project & { tracedUntil: Date }>`
    update projects
       set traced_until = clock_now() + make_interval(mins => ${minutes})
     where ${visible(visibility)}
       and id = ${id}
       and status <> 'archived'
    returning ${columns}, traced_until as "tracedUntil"`)

export const archive = (tx: Tx, visibility: Visibility, id: ProjectId) =>
  tx.maybeOne(sql<Project>`
    update projects
       set status = 'archived', paused_at = null, archived_at = clock_now(), updated_at = clock_now()
     where ${visible(visibility)}
       and id = ${id}
       and status <> 'archived'
    returning ${columns}`)

/** Undefined when the project is not archived, was archived too long ago, or is not there. */
export const restore = (tx: Tx, visibility: Visibility, id: ProjectId, days: number) =>
  tx.maybeOne(sql<Project>`
    update projects
       set status = 'active', archived_at = null, updated_at = clock_now()
     where ${visible(visibility)}
       and id = ${id}
       and status = 'archived'
       and archived_at > clock_now() - make_interval(days => ${days})
    returning ${columns}`)

export interface Usage {
  emailsPerDay: number | null
  usedToday: number
  dayEndsAt: Date
  emailsPerMonth: number | null
  usedThisMonth: number
  monthEndsAt: Date
}

/** What has been counted today and this month; nothing is locked. A day or a month without mail has no counter. */
export const usage = (db: Db, visibility: Visibility, id: ProjectId) =>
  db.maybeOne(sql<Usage>`
    select emails_per_day as "emailsPerDay",
           coalesce((select used from quota_usage
                      where project_id = projects.id and period = 'day' and starts_on = today::date), 0) as "usedToday",
           (today + interval '1 day') at time zone 'UTC' as "dayEndsAt",
           emails_per_month as "emailsPerMonth",
           coalesce((select used from quota_usage
                      where project_id = projects.id and period = 'month' and starts_on = month::date), 0) as "usedThisMonth",
           (month + interval '1 month') at time zone 'UTC' as "monthEndsAt"
      from projects,
           lateral (select date_trunc('day', clock_now() at time zone 'UTC') as today,
                           date_trunc('month', clock_now() at time zone 'UTC') as month) as periods
     where ${visible(visibility)}
       and id = ${id}`)

export interface QuotaLevel {
  projectId: ProjectId
  quota: 'emailsPerDay' | 'emailsPerMonth'
  limit: number | null
  used: number
  resetsAt: Date
}

/** The counters of today and this month, locked until the transaction ends, so that nobody counts past a limit. */
export const lockUsage = (tx: Tx, projects: readonly ProjectId[]) =>
  tx.all(sql<QuotaLevel>`
    select project_id as "projectId",
           case period when 'day' then 'emailsPerDay' else 'emailsPerMonth' end as quota,
           case period when 'day' then emails_per_day else emails_per_month end as limit,
           used,
           (starts_on + ('1 ' || period)::interval) at time zone 'UTC' as "resetsAt"
      from quota_usage
      join projects on projects.id = project_id
     where project_id = any(${projects}::uuid[])
       and starts_on = date_trunc(period, clock_now() at time zone 'UTC')::date
     order by project_id, period
       for update of quota_usage`)

/** The first mail of a day or a month finds no counter. */
export const beginUsage = (tx: Tx, projects: readonly ProjectId[]) =>
  tx.run(sql`
    insert into quota_usage (project_id, period, starts_on, used)
    select project_id, period, date_trunc(period, clock_now() at time zone 'UTC')::date, 0
      from unnest(${projects}::uuid[]) as project_id, unnest(array['day', 'month']) as period
     order by project_id, period
    on conflict do nothing`)

export const addUsage = (tx: Tx, projects: readonly ProjectId[], recipients: readonly number[]) =>
  tx.run(sql`
    update quota_usage
       set used = used + taken.recipients
      from unnest(${projects}::uuid[], ${recipients}::bigint[]) as taken (project_id, recipients)
     where quota_usage.project_id = taken.project_id
       and starts_on = date_trunc(period, clock_now() at time zone 'UTC')::date`)

export const statuses = (tx: Tx, projects: readonly ProjectId[]) =>
  tx.all(sql<{ id: ProjectId; status: ProjectStatus }>`
    select id, status from projects where id = any(${projects}::uuid[])`)
