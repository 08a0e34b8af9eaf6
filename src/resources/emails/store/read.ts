import type { ProjectStatus } from '../../../core/caller.ts'
import type {
  BatchId,
  BroadcastId,
  EmailId,
  Id,
  KeyId,
  ProjectId,
  RunId,
  TemplateId,
  WorkspaceId,
} from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Addresses, RecipientState } from '../schema.ts'

/** Whose emails: a workspace's, or those of one of its projects. */
export interface Visibility {
  workspaceId: WorkspaceId
  projectId: ProjectId | null
}

/** The projects that somebody may look into. */
const visible = ({ workspaceId, projectId }: Visibility) => sql`
  select id from projects where workspace_id = ${workspaceId} and id = coalesce(${projectId}::uuid, id)`

export interface SummaryRow {
  id: EmailId
  projectId: ProjectId
  batchId: BatchId | null
  /** The key that sent it; null for mail of broadcasts and automations, and from before this was kept. */
  keyId: KeyId | null
  status: RecipientState
  addresses: Addresses
  tags: Record<string, string>
  subject: string
  sendAt: Date | null
  createdAt: Date
}

const summaryColumns = sql`
  emails.id, emails.project_id as "projectId", batch_id as "batchId", key_id as "keyId", email_status(emails.project_id, emails.id) as status, addresses,
  tags, subject, send_at as "sendAt", emails.created_at as "createdAt"`

export interface EmailRow extends SummaryRow {
  workspaceId: WorkspaceId
  projectStatus: ProjectStatus
  contentId: string
  broadcastId: BroadcastId | null
  runId: RunId | null
  options: {
    metadata: Record<string, string>
    tracking: { opens: boolean; clicks: boolean }
    inReplyTo: string | null
  }
  html: string | null
  text: string | null
  headers: Record<string, string>
  variables: Record<string, unknown>
  templateId: TemplateId | null
  templateVersion: number | null
  purgedAt: Date | null
}

export const find = (db: Db, whose: Visibility, id: EmailId) =>
  db.maybeOne(sql<EmailRow>`
    select ${summaryColumns}, content_id as "contentId", broadcast_id as "broadcastId", run_id as "runId", options, html, text, headers, variables, template_id as "templateId",
           template_version as "templateVersion", purged_at as "purgedAt", workspace_id as "workspaceId",
           projects.status as "projectStatus"
      from emails
      join contents on contents.id = content_id
      join projects on projects.id = emails.project_id
     where emails.project_id in (${visible(whose)})
       and emails.id = ${id}`)

export interface RecipientRow {
  position: number
  state: RecipientState
  attempts: number
  nextAttemptAt: Date | null
  updatedAt: Date
  /** Of the email, in the same moment: together they must make sense. */
  emailStatus: RecipientState
}

export const recipientsOf = (db: Db, project: ProjectId, email: EmailId) =>
  db.all(sql<RecipientRow>`
    select position, state, attempts, next_attempt_at as "nextAttemptAt", updated_at as "updatedAt",
           (select email_status(${project}, ${email})) as "emailStatus"
      from recipient_states
     where project_id = ${project} and email_id = ${email}
     order by position`)

export interface AttachmentRow {
  id: Id<'att'>
  filename: string
  contentType: string
  contentId: string | null
  disposition: 'attachment' | 'inline'
  size: number
  blob: string
}

export const attachmentsOf = (db: Db, project: ProjectId, content: string) =>
  db.all(sql<AttachmentRow>`
    select id, filename, content_type as "contentType", cid as "contentId", disposition, size, blob
      from content_attachments
     where project_id = ${project} and content_id = ${content}
     order by position`)

export interface Filter {
  status: RecipientState | undefined
  to: string | undefined
  from: string | undefined
  tag: Record<string, string> | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

/**
 * Each filter has its own index, and only the conditions that are asked for stand in the statement: written as
 * `x = coalesce(…)` they would all read every email of the project.
 */
export const list = (db: Db, whose: Visibility, filter: Filter, { limit, after }: PageRequest) =>
  db.all(sql<SummaryRow>`
    select ${summaryColumns}
      from emails
      join contents on contents.id = content_id
     where emails.project_id in (${visible(whose)}) ${asked(whose, filter)}
       ${after === null ? sql`` : sql`and emails.id < ${after}::uuid`}
     order by emails.id desc
     limit ${limit + 1}`)

/** Those of these emails that pass. */
export const listAmong = (db: Db, whose: Visibility, filter: Filter, ids: readonly EmailId[]) =>
  db.all(sql<SummaryRow>`
    select ${summaryColumns}
      from emails
      join contents on contents.id = content_id
     where emails.id = any(${ids}::uuid[])
       and emails.project_id in (${visible(whose)}) ${asked(whose, filter)}
     order by emails.id desc`)

function asked(whose: Visibility, { status, to, from, tag, createdAfter, createdBefore }: Filter) {
  return [
    status === undefined ? sql`` : sql`and email_status(emails.project_id, emails.id) = ${status}`,
    to === undefined ? sql`` : sql`and emails.id in (${mailedTo(whose, to)})`,
    from === undefined ? sql`` : sql`and sender = ${from}`,
    tag === undefined ? sql`` : sql`and tags <> '{}' and tags @> ${JSON.stringify(tag)}::jsonb`,
    createdAfter === undefined
      ? sql``
      : sql`and emails.created_at >= ${createdAfter}::timestamptz + interval '1 millisecond'`,
    createdBefore === undefined ? sql`` : sql`and emails.created_at < ${createdBefore}`,
  ].reduce((all, one) => sql`${all} ${one}`)
}

const mailedTo = (whose: Visibility, recipient: string) => sql`
  select email_id from recipient_states where project_id in (${visible(whose)}) and recipient = ${recipient}`

/**
 * The newest emails that have a recipient in this state: no other email can have it. In a statement of its own, with
 * an order that an index gives, because the planner cannot know how many there are and would look at all of them.
 */
export const candidates = (db: Db, whose: Visibility, status: RecipientState, before: string | null, most: number) =>
  db.all(sql<{ id: EmailId }>`
    select found.email_id as id
      from (${visible(whose)}) as project
     cross join lateral (
             select distinct email_id
               from ${isUnfinished(status) ? sql`deliveries` : sql`recipients`}
              where project_id = project.id
                and ${isUnfinished(status) ? unfinished[status] : sql`state = ${status}`}
                ${before === null ? sql`` : sql`and email_id < ${before}::uuid`}
              order by email_id desc
              limit ${most}) found
     order by id desc
     limit ${most}`)

const isUnfinished = (status: RecipientState): status is keyof typeof unfinished => status in unfinished

/** As in the view `recipient_states`, in words that an index understands. */
const unfinished = {
  scheduled: sql`state in ('waiting', 'held') and lease_no = 0`,
  queued: sql`(state = 'ready' and lease_no = 0 or state = 'claimed' and lease_no = 1)`,
  deferred: sql`(state in ('ready', 'held', 'waiting') and lease_no > 0 or state = 'claimed' and lease_no > 1)`,
  sending: sql`state = 'in_flight'`,
} as const
