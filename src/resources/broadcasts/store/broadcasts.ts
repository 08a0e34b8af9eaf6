/** What a broadcast is, and its moves: each one statement that finds the row only where the move is possible. */
import type { AudienceId, BroadcastId, ProjectId, TemplateId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Broadcast, BroadcastRow, BroadcastState, Person, SentAs } from '../schema.ts'

const summaryColumns = sql`
  broadcasts.id, project_id as "projectId", audience_id as "audienceId", status, version, name, sender as from,
  reply_to as "replyTo", subject, preview_text as "previewText", template_id as "templateId",
  track_opens as "trackOpens", track_clicks as "trackClicks", per_minute as "perMinute", send_at as "sendAt", problem,
  created_at as "createdAt", started_at as "startedAt", completed_at as "completedAt",
  coalesce(recipients, 0) as recipients, coalesce(delivered, 0) as delivered, coalesce(deferred, 0) as deferred,
  coalesce(bounced, 0) as bounced, coalesce(filteredspam, 0) as filteredspam,
  coalesce(quarantined, 0) as quarantined, coalesce(suppressed, 0) as suppressed, coalesce(failed, 0) as failed,
  coalesce(cancelled, 0) as cancelled,
  coalesce(unsubscribed, 0) as unsubscribed, coalesce(opens, 0) as opens, coalesce(clicks, 0) as clicks`

export interface Filter {
  status: BroadcastState | undefined
  audience: AudienceId | undefined
}

export const list = (db: Db, project: ProjectId, { status, audience }: Filter, { limit, after }: PageRequest) =>
  db.all(sql<BroadcastRow>`
    select ${summaryColumns}
      from broadcasts
      left join broadcast_counts on broadcast_id = broadcasts.id
     where project_id = ${project}
       ${status === undefined ? sql`` : sql`and status = ${status}`}
       ${audience === undefined ? sql`` : sql`and audience_id = ${audience}`}
       and (${after}::uuid is null or broadcasts.id < ${after}::uuid)
     order by broadcasts.id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: BroadcastId) =>
  db.maybeOne(sql<Broadcast>`
    select ${summaryColumns}, html, text, variables
      from broadcasts
      left join broadcast_counts on broadcast_id = broadcasts.id
     where project_id = ${project}
       and broadcasts.id = ${id}`)

/** Fields of a draft; those that are missing stay as they are. */
export interface Draft {
  audienceId?: AudienceId
  name?: string | null | undefined
  from?: string
  replyTo?: string[]
  subject?: string | null | undefined
  previewText?: string | null | undefined
  html?: string | null | undefined
  text?: string | null | undefined
  templateId?: TemplateId | null
  variables?: Record<string, unknown> | undefined
  trackOpens?: boolean | null
  trackClicks?: boolean | null
  perMinute?: number | null
}

export const insert = (
  tx: Tx,
  project: ProjectId,
  id: BroadcastId,
  draft: Draft & Required<Pick<Draft, 'audienceId' | 'from'>>,
) =>
  tx.run(sql`
    insert into broadcasts (id, project_id, audience_id, name, sender, reply_to, subject, preview_text, html, text,
                            template_id, variables, track_opens, track_clicks, per_minute)
    values (${id}, ${project}, ${draft.audienceId}, ${draft.name}, ${draft.from}, ${draft.replyTo ?? []},
            ${draft.subject}, ${draft.previewText}, ${draft.html}, ${draft.text}, ${draft.templateId},
            ${JSON.stringify(draft.variables ?? {})}, ${draft.trackOpens}, ${draft.trackClicks}, ${draft.perMinute})`)

/** Says whether it is a draft. */
export const update = (tx: Tx, project: ProjectId, id: BroadcastId, change: Draft): Promise<boolean> => {
  const { variables } = change
  const columns: [Query<unknown>, unknown][] = [
    [sql`audience_id`, change.audienceId],
    [sql`name`, change.name],
    [sql`sender`, change.from],
    [sql`reply_to`, change.replyTo],
    [sql`subject`, change.subject],
    [sql`preview_text`, change.previewText],
    [sql`html`, change.html],
    [sql`text`, change.text],
    [sql`template_id`, change.templateId],
    [sql`variables`, variables && JSON.stringify(variables)],
    [sql`track_opens`, change.trackOpens],
    [sql`track_clicks`, change.trackClicks],
    [sql`per_minute`, change.perMinute],
  ]
  const changes = columns.reduce(
    (all, [column, value]) =>
      sql`${all}, ${column} = case when ${value !== undefined} then ${value ?? null} else ${column} end`,
    sql``,
  )
  return moved(
    tx,
    sql`
    update broadcasts
       set version = version + 1, problem = null ${changes}
     where project_id = ${project}
       and id = ${id}
       and status = 'draft'`,
  )
}

/** Says whether it was a draft or scheduled. */
export const remove = (tx: Tx, project: ProjectId, id: BroadcastId) =>
  moved(
    tx,
    sql`
    delete from broadcasts
     where project_id = ${project}
       and id = ${id}
       and status in ('draft', 'scheduled')`,
  )

export interface Start {
  /** What it was when it was looked at: in this state, and nobody has changed it since. */
  from: 'draft' | 'scheduled'
  version: number
  contentId: string
  sentAs: SentAs
}

/** Says whether it was still what it had been; a scheduled one also whether its time has come. */
export const start = async (
  tx: Tx,
  project: ProjectId,
  id: BroadcastId,
  { from, version, contentId, sentAs }: Start,
): Promise<boolean> => {
  const isStarted = await moved(
    tx,
    sql`
    update broadcasts
       set status = 'sending', started_at = clock_now(), content_id = ${contentId},
           sent_as = ${JSON.stringify(sentAs)}, problem = null
     where project_id = ${project}
       and id = ${id}
       and status = ${from}
       and version = ${version}
       and (send_at is null or send_at <= clock_now())`,
  )
  if (isStarted) await tx.run(sql`insert into broadcast_counts (broadcast_id) values (${id})`)
  return isStarted
}

/** Says whether it was still what it had been when it was looked at. */
export const schedule = (tx: Tx, project: ProjectId, id: BroadcastId, version: number, sendAt: Date) =>
  moved(
    tx,
    sql`
    update broadcasts
       set status = 'scheduled', send_at = ${sendAt}, problem = null
     where project_id = ${project}
       and id = ${id}
       and status in ('draft', 'scheduled')
       and version = ${version}`,
  )

/** Says whether it was scheduled; with a problem, also whether it was due. */
export const unschedule = (tx: Tx, project: ProjectId, id: BroadcastId, problem: string | null) =>
  moved(
    tx,
    sql`
    update broadcasts
       set status = 'draft', send_at = null, problem = ${problem},
           problem_since = case when ${problem}::text is not null then clock_now() end
     where project_id = ${project}
       and id = ${id}
       and status = 'scheduled'
       and (${problem}::text is null or send_at <= clock_now())`,
  )

export const pause = (tx: Tx, project: ProjectId, id: BroadcastId) =>
  moved(
    tx,
    sql`
    update broadcasts set status = 'paused' where project_id = ${project} and id = ${id} and status = 'sending'`,
  )

export const resume = (tx: Tx, project: ProjectId, id: BroadcastId) =>
  moved(
    tx,
    sql`
    update broadcasts set status = 'sending' where project_id = ${project} and id = ${id} and status = 'paused'`,
  )

/** Final, from the moment of the commit: `broadcastGate` lets none of its mail leave. */
export const cancel = (tx: Tx, project: ProjectId, id: BroadcastId) =>
  moved(
    tx,
    sql`
    update broadcasts
       set status = 'cancelled', completed_at = clock_now()
     where project_id = ${project}
       and id = ${id}
       and status in ('sending', 'paused')`,
  )

/** Makes what is scheduled a draft again, for a project that is archived. */
export const unscheduleAll = (tx: Tx, project: ProjectId) =>
  tx.run(sql`
    update broadcasts set status = 'draft', send_at = null where project_id = ${project} and status = 'scheduled'`)

export type Needed = { audience: AudienceId } | { template: TemplateId }

/** The broadcasts that still need it, up to `most`. A broadcast that has begun has a copy of its template. */
export const usersOf = (tx: Tx, project: ProjectId, needed: Needed, most: number) =>
  tx.all(sql<{ id: BroadcastId; name: string }>`
    select id, coalesce(name, subject, '') as name
      from broadcasts
     where project_id = ${project}
       and ${
         'audience' in needed
           ? sql`audience_id = ${needed.audience} and status in ('scheduled', 'sending', 'paused')`
           : sql`template_id = ${needed.template} and status = 'scheduled'`
       }
     order by id
     limit ${most}`)

/**
 * Those of an audience's subscribers that are suppressed. Addresses in ASCII are what `address_fold` makes of them: they
 * are found by the index on contacts or by that on suppressions, whichever is less work, so both get the comparison in their
 * order. The few others have an index of their own.
 */
export const countSuppressed = (tx: Tx, project: ProjectId, audience: AudienceId) =>
  tx.one(sql<{ count: number }>`
    select count(*) as count
      from (select contacts.id
              from suppressions
              join contacts on contacts.email = address_fold(suppressions.email) collate "C"
                           and contacts.email collate "default" = address_fold(suppressions.email)
             where suppressions.project_id = ${project}
               and ${subscriberOf(project, audience)}
             union
            select contacts.id
              from contacts
              join suppressions on suppressions.project_id = ${project}
                               and address_fold(suppressions.email) = address_fold(contacts.email collate "default")
             where ${subscriberOf(project, audience)}
               and contacts.email ~ '[^ -~]') as suppressed`)

const subscriberOf = (project: ProjectId, audience: AudienceId) =>
  sql`contacts.project_id = ${project} and contacts.audience_id = ${audience} and contacts.subscribed`

/** A subscriber whose address is not at this domain. */
export const someoneOutside = (tx: Tx, project: ProjectId, audience: AudienceId, domain: string) =>
  tx.maybeOne(sql<{ email: string }>`
    select email
      from contacts
     where project_id = ${project}
       and audience_id = ${audience}
       and subscribed
       and email not like ${`%@${domain}`}
     limit 1`)

export const findPerson = (db: Db, project: ProjectId, audience: AudienceId, email: string) =>
  db.maybeOne(sql<Person>`
    select id, email, first_name as "firstName", last_name as "lastName", properties
      from contacts
     where project_id = ${project}
       and email = ${email}
       and audience_id = ${audience}`)

const moved = async (tx: Tx, statement: Query<unknown>): Promise<boolean> => (await tx.run(statement)) > 0
