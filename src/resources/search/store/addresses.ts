/** What projects know of an address, each part by an index that begins with the project and the address. */
import type { ContactId, EmailId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { ContactRow, FoundRow, MailRow, ReceivedRow, RunRow, TagRow } from '../schema.ts'

/** An address is in few audiences; this many are shown at most. */
const MAX_CONTACTS = 100

export const contacts = (db: Db, project: ProjectId, email: string) =>
  db.all(sql<ContactRow>`
    select c.id, c.audience_id as "audienceId", a.name as "audienceName", c.first_name as "firstName",
           c.last_name as "lastName", c.subscribed, c.unsubscribed_at as "unsubscribedAt", c.created_at as "createdAt",
           consent.source as "consentSource", consent.given_at as "consentAt",
           consent.recorded_at as "consentRecordedAt"
      from contacts c
      join audiences a on a.id = c.audience_id and a.deleted_at is null
      left join lateral (
             select source, given_at, recorded_at
               from contact_consents
              where contact_id = c.id
              order by recorded_at desc, given_at desc nulls last
              limit 1) as consent on true
     where c.project_id = ${project}
       and c.email = ${email}
     order by c.id desc
     limit ${MAX_CONTACTS}`)

export const tags = (db: Db, project: ProjectId, email: string) =>
  db.all(sql<TagRow>`
    select t.id, t.name
      from applied_tags applied
      join contact_tags t on t.id = applied.tag_id and t.deleted_at is null
     where applied.project_id = ${project}
       and applied.email = ${email}
     order by lower(t.name)
     limit ${MAX_CONTACTS}`)

/** The emails to an address with its own state in each, newest first; the project is `project.id`. */
const mailed = (email: string, most: number) => sql`
  select *
    from ((select r.email_id, r.position, r.state, r.updated_at
             from recipients r
            where (r.project_id, r.recipient) = (project.id, ${email})
            order by r.project_id desc, r.recipient desc, r.email_id desc
            limit ${most})
           union all
          (select d.email_id, d.position, null, d.updated_at
             from deliveries d
            where (d.project_id, d.recipient) = (project.id, ${email})
            order by d.project_id desc, d.recipient desc, d.email_id desc
            limit ${most})) as each
   order by email_id desc
   limit ${most}`

/** The state of what is under way is known to the view alone. */
const state = sql`
  coalesce(m.state, (select s.state
                       from recipient_states s
                      where s.project_id = e.project_id and s.email_id = e.id and s.position = m.position
                      limit 1))`

export const emails = (db: Db, project: ProjectId, email: string, most: number) =>
  db.all(sql<MailRow>`
    select e.id, ${state} as status, e.addresses -> 'from' as from, c.subject, e.key_id as "keyId",
           e.broadcast_id as "broadcastId", e.run_id as "runId", m.updated_at as "updatedAt", e.created_at as "createdAt",
           said.detail, said.smtp
      from (select ${project}::uuid as id) as project
     cross join lateral (${mailed(email, most)}) as m
      join emails e on e.id = m.email_id
      join contents c on c.id = e.content_id
      left join lateral (
             select detail, smtp
               from events
              where events.project_id = ${project}
                and message_id = m.email_id
                and kind in ('email.deferred', 'email.bounced', 'email.filteredspam', 'email.quarantined', 'email.failed')
                and lower(recipient) = ${email}
              order by events.id desc
              limit 1) as said on m.state is distinct from 'delivered'
     order by e.id desc`)

export const countsOf = (db: Db, project: ProjectId, email: string, most: number) =>
  db.all(sql<{ status: string; count: number }>`
    select ${state} as status, count(*)::int as count
      from (select ${project}::uuid as id) as project
     cross join lateral (${mailed(email, most)}) as m
      join emails e on e.id = m.email_id
     group by 1`)

export const received = (db: Db, project: ProjectId, email: string, most: number) =>
  db.all(sql<ReceivedRow>`
    select r.id, r.recipient as to, m.letter ->> 'subject' as subject, r.received_at as "receivedAt"
      from received_emails r
      join received_messages m on m.id = r.message_id
     where r.project_id = ${project}
       and r.sender_key = ${email}
       and r.shown_at is not null
     order by r.id desc
     limit ${most}`)

/** The runs of these contacts: a run is known by its contact. */
export const runs = (db: Db, project: ProjectId, email: string, most: number) =>
  db.all(sql<RunRow>`
    select r.id, r.automation_id as "automationId", a.name as "automationName", r.status, r.started_at as "startedAt",
           r.finished_at as "finishedAt"
      from contacts c
      join automation_runs r on r.contact_id = c.id and r.project_id = c.project_id
      join automations a on a.id = r.automation_id and a.deleted_at is null
     where c.project_id = ${project}
       and c.email = ${email}
     order by r.id desc
     limit ${most}`)

/** The same for a search: of several projects, some of each. */
export const contactsIn = (db: Db, projects: readonly ProjectId[], email: string, most: number) =>
  db.all(sql<FoundRow & { id: ContactId }>`
    select c.id, c.project_id as "projectId", c.email as title, a.name as subtitle, c.created_at as at,
           c.audience_id as "parentId"
      from unnest(${projects}::uuid[]) with ordinality as project (id, place)
      join contacts c on c.project_id = project.id and c.email = ${email}
      join audiences a on a.id = c.audience_id and a.deleted_at is null
     order by project.place, c.id desc
     limit ${most}`)

export const suppressionsIn = (db: Db, projects: readonly ProjectId[], email: string, most: number) =>
  db.all(sql<FoundRow>`
    select s.id, s.project_id as "projectId", s.email as title, s.reason as subtitle, s.created_at as at,
           null as "parentId"
      from unnest(${projects}::uuid[]) with ordinality as project (id, place)
      join suppressions s on s.project_id = project.id and address_fold(s.email) = address_fold(${email})
     order by project.place
     limit ${most}`)

export const receivedIn = (db: Db, projects: readonly ProjectId[], email: string, most: number) =>
  db.all(sql<FoundRow>`
    select found.*
      from unnest(${projects}::uuid[]) with ordinality as project (id, place)
     cross join lateral (
             select r.id, r.project_id as "projectId", coalesce(m.letter ->> 'subject', '') as title,
                    r.recipient as subtitle, r.received_at as at, null as "parentId"
               from received_emails r
               join received_messages m on m.id = r.message_id
              where r.project_id = project.id
                and r.sender_key = ${email}
                and r.shown_at is not null
              order by r.id desc
              limit ${most}) as found
     order by project.place
     limit ${most}`)

export type FoundMail = FoundRow & Pick<MailRow, 'keyId'> & { id: EmailId }

export const emailsIn = (db: Db, projects: readonly ProjectId[], email: string, most: number) =>
  db.all(sql<FoundMail>`
    select e.id, e.project_id as "projectId", c.subject as title, ${state} as subtitle, e.created_at as at,
           null as "parentId", e.key_id as "keyId"
      from unnest(${projects}::uuid[]) with ordinality as project (id, place)
     cross join lateral (${mailed(email, most)}) as m
      join emails e on e.id = m.email_id
      join contents c on c.id = e.content_id
     order by project.place, e.id desc
     limit ${most}`)

/** One email by its id, in the projects that the caller reads. */
export const findEmail = (db: Db, workspace: WorkspaceId, projects: readonly ProjectId[] | null, id: EmailId) =>
  db.maybeOne(sql<FoundMail>`
    select e.id, e.project_id as "projectId", c.subject as title, email_status(e.project_id, e.id) as subtitle,
           e.created_at as at, null as "parentId", e.key_id as "keyId"
      from emails e
      join contents c on c.id = e.content_id
      join projects p on p.id = e.project_id and p.workspace_id = ${workspace}
     where e.id = ${id}
       and (${projects}::uuid[] is null or p.id = any(${projects}::uuid[]))`)
