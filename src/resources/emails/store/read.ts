import type { ProjectStatus } from '../../../core/caller.ts'
import type {
  BatchId,
  BroadcastId,
  EmailId,
  Id,
  KeyId,
  PersonId,
  ProjectId,
  RunId,
  TemplateId,
  WorkspaceId,
} from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Addresses, Merge } from '../schema.ts'
import type { EmailFilter } from '../schema/list.ts'
import type { RecipientState } from '../states.ts'

/** Selects the emails of a workspace, or of one of its projects. */
export interface Visibility {
  workspaceId: WorkspaceId
  projectId: ProjectId | null
}

/** The projects that a caller may read. */
const visible = ({ workspaceId, projectId }: Visibility) => sql`
  select id from projects where workspace_id = ${workspaceId} and id = coalesce(${projectId}::uuid, id)`

export const visibleProjects = async (db: Db, visibility: Visibility): Promise<ProjectId[]> =>
  (await db.all(sql<{ id: ProjectId }>`${visible(visibility)}`)).map(({ id }) => id)

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
  personId: PersonId | null
  /** The name of the key or of the person that sent it. */
  senderName: string | null
  workspaceId: WorkspaceId
  projectStatus: ProjectStatus
  contentId: string
  broadcastId: BroadcastId | null
  runId: RunId | null
  options: {
    metadata: Record<string, string>
    tracking: { opens: boolean; clicks: boolean }
    inReplyTo: string | null
    /** The email that it repeats. */
    resentFrom?: EmailId
    /** Mail of ours with a link by which its recipient comes in. */
    accountLink?: object
    /** The contact of a mailing, as it was when the email was made. */
    contact?: { firstName: string | null; lastName: string | null; properties: Record<string, unknown> }
  }
  html: string | null
  text: string | null
  /** Present for a mailing, whose subject, html and text are templates. */
  merge: Merge | null
  projectName: string
  headers: Record<string, string>
  variables: Record<string, unknown>
  templateId: TemplateId | null
  templateVersion: number | null
  purgedAt: Date | null
}

export const find = (db: Db, visibility: Visibility, id: EmailId) =>
  db.maybeOne(sql<EmailRow>`
    select ${summaryColumns}, content_id as "contentId", broadcast_id as "broadcastId", run_id as "runId", options, html, text, headers, variables, template_id as "templateId",
           template_version as "templateVersion", purged_at as "purgedAt", workspace_id as "workspaceId",
           projects.status as "projectStatus", projects.name as "projectName", merge, person_id as "personId",
           case when key_id is not null then (select name from api_keys where api_keys.id = key_id)
                when person_id is not null then (select name from people where people.id = person_id)
           end as "senderName"
      from emails
      join contents on contents.id = content_id
      join projects on projects.id = emails.project_id
     where emails.project_id in (${visible(visibility)})
       and emails.id = ${id}`)

export interface RecipientRow {
  position: number
  state: RecipientState
  attempts: number
  nextAttemptAt: Date | null
  updatedAt: Date
  /** Of the email, in the same moment: together they must make sense. */
  emailStatus: RecipientState
  /** Where its mail goes or went, as the queue names it; null where that was not kept. */
  destination: string | null
  /** Where mail of its domain goes by now, if that is known. */
  site: string | null
  domain: string
}

export const recipientsOf = (db: Db, project: ProjectId, email: EmailId) =>
  db.all(sql<RecipientRow>`
    select s.position, s.state, s.attempts, s.next_attempt_at as "nextAttemptAt", s.updated_at as "updatedAt",
           (select email_status(${project}, ${email})) as "emailStatus",
           s.destination,
           (select site from mail_routes where mail_routes.domain = split_part(s.recipient, '@', -1)) as site,
           split_part(s.recipient, '@', -1) as domain
      from recipient_states s
     where s.project_id = ${project} and s.email_id = ${email}
     order by s.position`)

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

/** Those of these emails that pass all filters, newest first, and so many at most. */
export const listAmong = (
  db: Db,
  projects: readonly ProjectId[],
  filter: EmailFilter,
  ids: readonly EmailId[],
  most: number,
) =>
  db.all(sql<SummaryRow>`
    select ${summaryColumns}
      from (select *
              from emails
             where emails.id = any(${ids}::uuid[])
               and emails.project_id = any(${projects}::uuid[]) ${asked(filter)}
             order by emails.id desc
             limit ${most}) as emails
      join contents on contents.id = content_id
     order by emails.id desc`)

/** What those of these emails say in their subject that pass all filters; in no order. */
export const subjectsAmong = (db: Db, projects: readonly ProjectId[], filter: EmailFilter, ids: readonly EmailId[]) =>
  db.all(sql<{ id: EmailId; keyId: KeyId | null; subject: string }>`
    select emails.id, emails.key_id as "keyId", subject
      from emails
      join contents on contents.id = content_id
     where emails.id = any(${ids}::uuid[])
       and emails.project_id = any(${projects}::uuid[]) ${asked(filter)}`)

/** Only what is asked for stands in the statement, so that each has a plan of its own. */
function asked(filter: EmailFilter): Query<unknown> {
  const { status, to, from, tag, batchId, createdAfter, createdBefore } = filter
  const { domainId, templateId, broadcastId, automationId, source } = filter
  return [
    status === undefined ? sql`` : sql`and email_status(emails.project_id, emails.id) = ${status}`,
    // As an array: by a join, or an exists, the planner might read all that was ever sent to them.
    to === undefined
      ? sql``
      : sql`and ${to} = any(array(
              select s.recipient from recipient_states s where s.project_id = emails.project_id and s.email_id = emails.id))`,
    from === undefined ? sql`` : sql`and sender = ${from}`,
    tag === undefined ? sql`` : sql`and tags @> ${JSON.stringify({ [tag.name]: tag.value })}::jsonb`,
    batchId === undefined ? sql`` : sql`and batch_id = ${batchId}`,
    domainId === undefined ? sql`` : sql`and domain_id = ${domainId}`,
    templateId === undefined
      ? sql``
      : sql`and ${templateId}::uuid = (select c.template_id from contents c where c.id = emails.content_id)`,
    broadcastId === undefined ? sql`` : sql`and broadcast_id = ${broadcastId}`,
    automationId === undefined
      ? sql``
      : sql`and ${automationId}::uuid = (select r.automation_id from automation_runs r where r.id = emails.run_id)`,
    source === undefined ? sql`` : sourced[source],
    createdAfter === undefined
      ? sql``
      : sql`and emails.created_at >= ${createdAfter}::timestamptz + interval '1 millisecond'`,
    createdBefore === undefined ? sql`` : sql`and emails.created_at < ${createdBefore}`,
  ].reduce((all, one) => sql`${all} ${one}`)
}

const sourced = {
  transactional: sql`and broadcast_id is null and run_id is null`,
  broadcast: sql`and broadcast_id is not null`,
  automation: sql`and run_id is not null`,
} as const
