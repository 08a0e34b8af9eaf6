import type { BroadcastId, ContactId, DomainId, EmailId, ProjectId, RunId, WorkspaceId } from '../../../core/ids.ts'
import type { AccountLink } from '../../../core/mail-reference.ts'
import type { Database, Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Addresses, Merge } from '../schema.ts'
import type { FinalState } from '../states.ts'

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
  options: {
    inReplyTo: string | null
    tracking: { opens: boolean; clicks: boolean }
    /** The contact of a mailing, as it was when the email was made. */
    contact?: { firstName: string | null; lastName: string | null; properties: Record<string, unknown> }
    /** The link that is put in when the mail leaves. */
    accountLink?: AccountLink
  }
  contactId: ContactId | null
  broadcastId: BroadcastId | null
  runId: RunId | null
  projectName: string
  /** The host of links of the sender's domain; null for our own host, also while the domain's is not set up. */
  trackingHost: string | null
  /** The project also keeps what was said when mail was taken, for a while. */
  isTraced: boolean
  /** The Date of the message, from which its age is counted. */
  date: Date
  /** For how long pauses have held it, which is no part of its age. */
  heldSeconds: number
  now: Date
}

/** Only once its record has been seen: until then its links would lead nowhere. */
const trackingHost = sql`
  case when domain.tracking_host is null then null
       when domain.seen @> jsonb_build_array(jsonb_build_object(
              'purpose', 'tracking', 'name', domain.tracking_host, 'status', 'verified'))
       then domain.tracking_host end`

/** Step by step, each by a primary key: whatever the tables hold, there is no other plan (see `byIndex`). */
export const load = (db: Database, ids: readonly string[]) =>
  db.byIndex.all(sql<DueDelivery>`
    select d.id, d.project_id as "projectId", workspace_id as "workspaceId", d.email_id as "emailId", d.position,
           d.attempts, content_id as "contentId", domain_id as "domainId", addresses, options,
           d.contact_id as "contactId", d.broadcast_id as "broadcastId", d.run_id as "runId", project.name as "projectName",
           ${trackingHost} as "trackingHost", coalesce(project.traced_until > clock_now(), false) as "isTraced",
           greatest(send_at, email.created_at) as date, held_seconds as "heldSeconds", clock_now() as now
      from unnest(${ids}::uuid[]) as wanted (id)
     cross join lateral (select * from deliveries where id = wanted.id offset 0) d
     cross join lateral (select * from emails where id = d.email_id offset 0) email
     cross join lateral (select * from projects where id = d.project_id offset 0) project
      left join lateral (select * from domains where id = email.domain_id offset 0) domain on true`)

/** The same for any recipient of an email, whatever became of the message: what `load` answers while it is due. */
export const dueOf = (db: Db, project: ProjectId, email: EmailId, position: number) =>
  db.maybeOne(sql<DueDelivery>`
    select email.id, email.project_id as "projectId", workspace_id as "workspaceId", email.id as "emailId",
           ${position}::int as position, 0 as attempts, content_id as "contentId", domain_id as "domainId", addresses,
           options, contact_id as "contactId", broadcast_id as "broadcastId", run_id as "runId",
           project.name as "projectName", ${trackingHost} as "trackingHost", false as "isTraced",
           greatest(send_at, email.created_at) as date, 0 as "heldSeconds", clock_now() as now
      from emails email
      join projects project on project.id = email.project_id
      left join domains domain on domain.id = email.domain_id
     where email.project_id = ${project}
       and email.id = ${email}`)

/** Whether a key of its domain was replaced since the message left; false for one that is still to leave. */
export const isKeyRotated = async (db: Db, project: ProjectId, email: EmailId, position: number): Promise<boolean> =>
  (await db.maybeOne(sql`
    select
      from recipients
      join emails on emails.id = email_id
      join domain_keys on domain_keys.domain_id = emails.domain_id and retired_at > recipients.updated_at
     where recipients.project_id = ${project}
       and email_id = ${email}
       and position = ${position}
     limit 1`)) !== undefined

export interface ContentRow {
  id: string
  projectId: ProjectId
  subject: string
  html: string | null
  text: string | null
  headers: Record<string, string>
  variables: Record<string, unknown>
  /** Present for a mailing, whose parts are templates. */
  merge: Merge | null
  size: number
  hasAttachments: boolean
}

export const contents = (db: Db, ids: readonly string[]) =>
  db.all(sql<ContentRow>`
    select id, project_id as "projectId", subject, html, text, headers, variables, merge, size,
           exists (select from content_attachments where content_id = contents.id) as "hasAttachments"
      from contents
     where id = any(${ids}::uuid[])`)

/**
 * What somebody else has against a delivery (its alias is `q`), right before it would leave: null for nothing, `hold`
 * for "not now", `cancel` for "not any more", or a sentence that says why the recipient must not be mailed.
 */
export type Gate = Query<never>

/** A contact that has unsubscribed since, or is gone. */
const contactGate: Gate = sql<never>`
  case when q.contact_id is not null
        and not exists (select from contacts c where c.id = q.contact_id and c.subscribed)
       then 'Unsubscribed before it was sent.' end`

export const withOwnGate = (gates: readonly Gate[]): Gate => sql<never>`coalesce(${joined([contactGate, ...gates])})`

const joined = (gates: readonly Gate[]): Query<never> => gates.reduce((list, gate) => sql<never>`${list}, ${gate}`)

/** True unless the recipient is suppressed by now, the project paused or archived, or the destination paused. */
export const mayBegin = (gate: Gate, paused: Query<never>): Query<never> => sql<never>`
  not exists (select from suppressions s
               where s.project_id = q.project_id
                 and address_fold(s.email) = address_fold(q.recipient))
  and exists (select from projects p where p.id = q.project_id and p.status = 'active')
  and ${gate} is null
  and ${paused} is null`

/**
 * In a paused project nothing becomes ready: it is held as it is, without a worker that would take it only to put it
 * back. What was scheduled is still that, and can be cancelled and moved.
 */
export const whenDue: Query<never> = sql<never>`
  case when exists (select from projects p where p.id = q.project_id and p.status = 'paused') then 'held' else 'ready' end`

export interface Obstacle {
  id: string
  suppression: string | null
  projectStatus: 'active' | 'paused' | 'archived'
  gate: string | null
  destination: string
  /** The words of whoever paused the destination; null where nobody did. */
  pause: string | null
}

/** What speaks against deliveries that `mayBegin` refused. */
export const obstacles = (tx: Tx, ids: readonly string[], gate: Gate, paused: Query<never>) =>
  tx.all(sql<Obstacle>`
    select q.id, p.status as "projectStatus", ${gate} as gate, q.destination, ${paused} as pause,
           (select s.reason
              from suppressions s
             where s.project_id = q.project_id
               and address_fold(s.email) = address_fold(q.recipient)
             limit 1) as suppression
      from deliveries q
      join projects p on p.id = q.project_id
     where q.id = any(${ids}::uuid[])`)

export interface Finish {
  id: string
  state: FinalState
  /** 1 if it took an attempt. */
  tried: number
  /** Its destination, if that is known better by now. */
  destination: string | null
}

/** Moves rows from the hot table to the finished ones. */
export const finish = (tx: Tx, rows: readonly Finish[]) =>
  tx.run(sql`
    with gone as (
      delete from deliveries
       where id = any(${rows.map(({ id }) => id)}::uuid[])
      returning id, email_id, position, project_id, recipient, attempts, destination
    )
    insert into recipients (email_id, position, project_id, recipient, state, attempts, destination)
    select email_id, position, project_id, recipient, ended.state, attempts + ended.tried,
           coalesce(ended.destination, gone.destination)
      from gone
      join unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ state }) => state)}::text[],
                  ${rows.map(({ tried }) => tried)}::smallint[],
                  ${rows.map(({ destination }) => destination)}::text[])
                    as ended (id, state, tried, destination) using (id)`)

export interface Postponement {
  id: string
  state: 'waiting' | 'held' | 'ready'
  afterMs: number
  tried: number
  /** Its destination, if that is known better by now. */
  destination: string | null
}

const RETRY_LANE = 2

/** Puts rows back into the queue. A row that took an attempt goes behind those that did not. */
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

/** What is held was due, or put aside, at its `due_at`. As seconds, of which an integer has room for 68 years. */
const heldUntilNow = sql<never>`
  held_seconds = held_seconds + greatest(0, extract(epoch from clock_now() - due_at))::int`

/** A project and destination that have something held. */
export interface Place {
  project: string
  destination: string
}

/** Where a release begins, and the last place that it looks at. */
export interface Stretch {
  from: Place
  upTo: Place
}

/** Comes after every name of a destination. */
const LAST_NAME = '\u{10ffff}'

/** What may be released after a pause of a project, of one of its destinations, or of anything. */
export const stretchOf = ({ project, destination }: { project?: ProjectId; destination?: string }): Stretch => ({
  from: {
    project: project ?? '00000000-0000-0000-0000-000000000000',
    destination: (project && destination) ?? '',
  },
  upTo: {
    project: project ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    destination: (project && destination) ?? LAST_NAME,
  },
})

const MAX_RELEASED = 1_000

/**
 * Mail that was held for a reason that is over; a thousand at a time. Answers where to go on, if there may be more. It goes
 * from one project and destination that have something held to the next, past everything of a project that is paused, and
 * not into destinations that are: they may hold a million.
 */
export const releaseHeld = async (
  db: Database,
  gate: Gate,
  paused: Query<never>,
  { from, upTo }: Stretch = stretchOf({}),
): Promise<Place | undefined> => {
  const released = await db.byIndex.all(sql<Place>`
    with recursive holding as (
      (select project_id, destination, ${isActive} as active
         from deliveries
        where state = 'held'
          and (state, project_id, destination) >= ('held', ${from.project}::uuid, ${from.destination}::text)
          and (state, project_id, destination) <= ('held', ${upTo.project}::uuid, ${upTo.destination}::text)
        order by state, project_id, destination
        limit 1)
      union all
      select next.project_id, next.destination, next.active
        from holding
       cross join lateral (
               select project_id, destination, ${isActive} as active
                 from deliveries
                where state = 'held'
                  and (state, project_id, destination)
                        > ('held', holding.project_id,
                           case when holding.active then holding.destination else ${LAST_NAME}::text end)
                  and (state, project_id, destination) <= ('held', ${upTo.project}::uuid, ${upTo.destination}::text)
                order by state, project_id, destination
                limit 1) next
    ), resumed as (
      select q.project_id, q.destination
        from (select * from holding where active) q
       where ${paused} is null
    )
    update deliveries
       set state = 'ready', ${heldUntilNow}
     where id = any(array(
             select released.id
               from resumed
              cross join lateral (
                      select q.id
                        from deliveries q
                       where q.state = 'held'
                         and q.project_id = resumed.project_id
                         and q.destination = resumed.destination
                         and ${gate} is distinct from 'hold'
                       limit ${MAX_RELEASED}
                         for update skip locked) released
              limit ${MAX_RELEASED}))
    returning project_id as project, destination`)
  return released.length < MAX_RELEASED ? undefined : released.reduce(later)
}

const isActive = sql<never>`
  exists (select from projects where projects.id = deliveries.project_id and projects.status = 'active')`

/** In the order of the index. */
const later = (a: Place, b: Place): Place =>
  a.project < b.project ||
  (a.project === b.project && Buffer.compare(Buffer.from(a.destination), Buffer.from(b.destination)) < 0)
    ? b
    : a

export interface Waiting {
  recipients: number
  isMore: boolean
  oldestAt: Date | null
}

/** Among so many rows, the oldest emails first. */
const MAX_COUNTED = 10_000

/** Scheduled mail, which was never tried and is not due, does not count. */
export const waiting = (db: Db, project: ProjectId) =>
  db.one(sql<Waiting>`
    with oldest as (
      select email_id, lease_no > 0 or due_at <= clock_now() as waits
        from deliveries
       where project_id = ${project}
       order by email_id
       limit ${MAX_COUNTED + 1}
    )
    select least(count(*) filter (where waits), ${MAX_COUNTED}) as recipients, count(*) > ${MAX_COUNTED} as "isMore",
           (select greatest(send_at, created_at)
              from emails
             where id = (select email_id from oldest where waits order by email_id limit 1)) as "oldestAt"
      from oldest`)

export const learnRoutes = (db: Db, routes: readonly { domain: string; site: string }[]) =>
  db.run(sql`
    insert into mail_routes (domain, site)
    select * from unnest(${routes.map(({ domain }) => domain)}::text[], ${routes.map(({ site }) => site)}::text[])
     order by 1
    on conflict (domain) do update set site = excluded.site, seen_at = clock_now()`)
