import type { DomainId, EmailId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Addresses, FinalState } from '../schema.ts'

export interface DueDelivery {
  id: string
  projectId: ProjectId
  workspaceId: WorkspaceId
  emailId: EmailId
  position: number
  attempts: number
  contentId: string
  domainId: DomainId | null
  addresses: Addresses
  options: { inReplyTo: string | null }
  /** The Date of the message, from which its age is counted. */
  date: Date
  now: Date
}

export const load = (db: Db, ids: readonly string[]) =>
  db.all(sql<DueDelivery>`
    select d.id, d.project_id as "projectId", workspace_id as "workspaceId", d.email_id as "emailId", d.position,
           d.attempts, content_id as "contentId", domain_id as "domainId", addresses, options,
           greatest(send_at, emails.created_at) as date, clock_now() as now
      from deliveries d
      join emails on emails.id = d.email_id
      join projects on projects.id = d.project_id
     where d.id = any(${ids}::uuid[])`)

export interface ContentRow {
  id: string
  projectId: ProjectId
  subject: string
  html: string | null
  text: string | null
  headers: Record<string, string>
  size: number
  hasAttachments: boolean
}

export const contents = (db: Db, ids: readonly string[]) =>
  db.all(sql<ContentRow>`
    select id, project_id as "projectId", subject, html, text, headers, size,
           exists (select from content_attachments where content_id = contents.id) as "hasAttachments"
      from contents
     where id = any(${ids}::uuid[])`)

/** Nobody may be mailed who is suppressed by now, and no project may mail that is paused or archived by now. */
export const mayBegin = sql<never>`
  not exists (select from suppressions s where s.project_id = q.project_id and s.email = q.recipient)
  and exists (select from projects p where p.id = q.project_id and p.status = 'active')`

export interface Obstacle {
  id: string
  suppression: string | null
  projectStatus: 'active' | 'paused' | 'archived'
}

/** What speaks against deliveries that `mayBegin` refused. */
export const obstacles = (tx: Tx, ids: readonly string[]) =>
  tx.all(sql<Obstacle>`
    select q.id, s.reason as suppression, p.status as "projectStatus"
      from deliveries q
      join projects p on p.id = q.project_id
      left join suppressions s on s.project_id = q.project_id and s.email = q.recipient
     where q.id = any(${ids}::uuid[])`)

export interface Finish {
  id: string
  state: FinalState
  /** 1 if it cost an attempt. */
  tried: number
}

/** From the hot table to the finished ones. */
export const finish = (tx: Tx, rows: readonly Finish[]) =>
  tx.run(sql`
    with gone as (
      delete from deliveries
       where id = any(${rows.map(({ id }) => id)}::uuid[])
      returning id, email_id, position, project_id, recipient, attempts
    )
    insert into recipients (email_id, position, project_id, recipient, state, attempts)
    select email_id, position, project_id, recipient, ended.state, attempts + ended.tried
      from gone
      join unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ state }) => state)}::text[],
                  ${rows.map(({ tried }) => tried)}::smallint[]) as ended (id, state, tried) using (id)`)

export interface Postponement {
  id: string
  state: 'waiting' | 'held' | 'ready'
  afterMs: number
  tried: number
  /** Where it goes, if that is known better by now. */
  destination: string | null
}

const RETRY_LANE = 2

/** Back into the queue. What has cost an attempt goes behind what has not. */
export const postpone = (tx: Tx, rows: readonly Postponement[]) =>
  tx.run(sql`
    update deliveries
       set state = later.state,
           lease_worker = null,
           due_at = clock_now() + later.after_ms * interval '1 millisecond',
           attempts = attempts + later.tried,
           lane = case later.tried when 0 then lane else ${RETRY_LANE}::smallint end,
           destination = coalesce(later.destination, deliveries.destination),
           updated_at = case later.tried when 0 then updated_at else clock_now() end
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ state }) => state)}::text[],
                  ${rows.map(({ afterMs }) => afterMs)}::float8[], ${rows.map(({ tried }) => tried)}::smallint[],
                  ${rows.map(({ destination }) => destination)}::text[])
                  as later (id, state, after_ms, tried, destination)
     where deliveries.id = later.id`)

/** Mail that was held while its project was paused; a thousand at a time. True when there may be more. */
export const releaseHeld = async (db: Db): Promise<boolean> =>
  (await db.run(sql`
    update deliveries
       set state = 'ready'
     where id in (
             select d.id
               from deliveries d
               join projects on projects.id = d.project_id and projects.status = 'active'
              where d.state = 'held'
              limit 1000
                for update of d skip locked)`)) === 1000

export const learnRoutes = (db: Db, routes: readonly { domain: string; site: string }[]) =>
  db.run(sql`
    insert into mail_routes (domain, site)
    select * from unnest(${routes.map(({ domain }) => domain)}::text[], ${routes.map(({ site }) => site)}::text[])
     order by 1
    on conflict (domain) do update set site = excluded.site, seen_at = clock_now()`)
