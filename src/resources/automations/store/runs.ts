import type { AudienceId, AutomationId, ContactId, EmailId, ProjectId, RunId, TagId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Run, StopReason } from '../schema.ts'
import { runStatuses, type RunStatus } from '../states.ts'

const columns = sql`
  id, version, contact_id as "contactId", email, status, step_id as "stepId", next_due_at as "nextDueAt",
  started_at as "startedAt", finished_at as "finishedAt", stop_reason as "stopReason", problem, results`

export interface RunFilter {
  status?: RunStatus | undefined
  email?: string | undefined
}

export const list = (
  db: Db,
  project: ProjectId,
  automation: AutomationId,
  { status, email }: RunFilter,
  { limit, after }: PageRequest,
) => {
  const runs = (where: Query<unknown>) => sql`
    (select ${columns}
       from automation_runs
      where project_id = ${project}
        and automation_id = ${automation}
        and ${where}
        and (${after}::uuid is null or id < ${after}::uuid)
      order by id desc
      limit ${limit + 1})`
  const chosen = runStatuses.filter((one) => status === undefined || one === status)
  // One walk for each status: merged, they need no index of their own.
  const walks = chosen.map((one) => runs(sql`status = ${one}`))
  const found =
    email === undefined
      ? walks.reduce((all, walk) => sql`${all} union all ${walk}`)
      : runs(sql`email = ${email} and status = any(${chosen}::text[])`)
  return db.all(sql<Run>`select * from (${found}) as runs order by id desc limit ${limit + 1}`)
}

/** The emails that these runs have sent. */
export const emailsOf = (db: Db, project: ProjectId, runs: readonly RunId[]) =>
  db.all(sql<{ id: EmailId; runId: RunId; step: string }>`
    select id, run_id as "runId", step
      from emails
     where project_id = ${project}
       and run_id = any(${runs}::uuid[])`)

export interface Begun {
  id: AutomationId
  version: number
  reentry: 'never' | 'always'
  firstStep: string
}

/** Enabled automations that begin with this. Until the transaction ends nobody can disable or change them. */
export const holdTriggered = (tx: Tx, project: ProjectId, by: { audienceId: AudienceId } | { tagId: TagId }) =>
  tx.all(sql<Begun>`
    select automations.id, automations.version, reentry, plan #>> '{steps,0,id}' as "firstStep"
      from automations
      join automation_versions v on v.automation_id = automations.id and v.version = automations.version
     where automations.project_id = ${project}
       and enabled
       and ${'tagId' in by ? sql`tag_id = ${by.tagId}` : sql`audience_id = ${by.audienceId}`}
     order by automations.id
       for share of automations`)

export interface Beginner {
  id: RunId
  contactId: ContactId
  email: string
}

const MAX_IN_AN_HOUR = 10

/**
 * A run for each of them who may start: nobody twice at a time, nobody again unless the automation says so, and then
 * not without end: automations that tag people for each other come to rest.
 */
export const start = (
  tx: Tx,
  project: ProjectId,
  automation: Begun,
  tag: TagId | null,
  beginners: readonly Beginner[],
) =>
  tx.run(sql`
    insert into automation_runs (id, project_id, automation_id, version, contact_id, email, tag_id, step_id, next_step,
                                 next_due_at)
    select given.id, ${project}, ${automation.id}, ${automation.version}, given.contact_id, given.email, ${tag},
           ${automation.firstStep}, ${automation.firstStep}, clock_now()
      from unnest(${beginners.map(({ id }) => id)}::uuid[], ${beginners.map(({ contactId }) => contactId)}::uuid[],
                  ${beginners.map(({ email }) => email)}::text[]) as given (id, contact_id, email)
     where ${
       automation.reentry === 'never'
         ? sql`not exists (select from automation_runs r
                            where r.automation_id = ${automation.id} and r.email = given.email)`
         : sql`(select count(*) from automation_runs r
                 where r.automation_id = ${automation.id}
                   and r.email = given.email
                   and r.started_at > clock_now() - interval '1 hour') < ${MAX_IN_AN_HOUR}`
     }
     order by given.email
    on conflict (automation_id, email) where status = 'waiting' do nothing`)

/** For each of these people the first contact that is subscribed. */
export const mailable = (tx: Tx, project: ProjectId, emails: readonly string[]) =>
  tx.all(sql<{ contactId: ContactId; email: string }>`
    select distinct on (email) contacts.id as "contactId", email
      from contacts
      join audiences on audiences.id = audience_id and deleted_at is null
     where contacts.project_id = ${project}
       and email = any(${emails}::text[])
       and subscribed
     order by email, contacts.id`)

const stopped = (reason: StopReason) => sql`
  status = case status when 'waiting' then 'stopped' else status end,
  stop_reason = case status when 'waiting' then ${reason} else stop_reason end,
  finished_at = coalesce(finished_at, clock_now()),
  next_due_at = null,
  parked = false,
  problem = null,
  recalled = true`

/** What is finished for longer has nothing in the queue that could be called back. */
const isRecent = sql`(status = 'waiting' or finished_at > clock_now() - interval '7 days')`

/**
 * Of people who leave as these contacts: what a tag began goes on with the first of their other contacts that is
 * subscribed. Should that one leave in the same moment, the look before the next step says so.
 */
export const handOver = (tx: Tx, project: ProjectId, contacts: readonly ContactId[]) =>
  tx.run(sql`
    update automation_runs run
       set contact_id = other.id
      from (select distinct on (r.id) r.id as run_id, c.id
              from automation_runs r
              join contacts c on c.project_id = r.project_id and c.email = r.email
              join audiences on audiences.id = c.audience_id and audiences.deleted_at is null
             where r.project_id = ${project}
               and r.contact_id = any(${contacts}::uuid[])
               and r.tag_id is not null
               and r.status = 'waiting'
               and c.subscribed
               and c.id <> all(${contacts}::uuid[])
             order by r.id, c.id) as other
     where run.project_id = ${project}
       and run.id = other.run_id
       and run.status = 'waiting'`)

/** The person left by a link in a mail of this run, so the run stops even if another contact of theirs is subscribed. */
export const stopOne = (tx: Tx, project: ProjectId, id: RunId, reason: StopReason) =>
  tx.run(sql`
    update automation_runs
       set ${stopped(reason)}
     where project_id = ${project}
       and id = ${id}
       and ${isRecent}`)

export const stopOf = (tx: Tx, project: ProjectId, contacts: readonly ContactId[], reason: StopReason) =>
  tx.run(sql`
    update automation_runs
       set ${stopped(reason)}
     where project_id = ${project}
       and contact_id = any(${contacts}::uuid[])
       and ${isRecent}`)

/** The same, and who they were is forgotten. */
export const stopAndForget = (tx: Tx, project: ProjectId, contacts: readonly ContactId[], reason: StopReason) =>
  tx.run(sql`
    update automation_runs
       set ${stopped(reason)}, email = null
     where project_id = ${project}
       and contact_id = any(${contacts}::uuid[])`)

export const stopUntagged = (tx: Tx, project: ProjectId, tag: TagId, emails: readonly string[]) =>
  tx.run(sql`
    update automation_runs
       set ${stopped('tag_removed')}
     where project_id = ${project}
       and tag_id = ${tag}
       and email = any(${emails}::text[])
       and ${isRecent}`)

/** Stops some runs of an automation that was deleted. Returns how many there were. */
export const stopSome = (tx: Tx, project: ProjectId, automation: AutomationId, most: number) =>
  tx.run(sql`
    update automation_runs
       set ${stopped('automation_deleted')}
     where project_id = ${project}
       and id in (select id from automation_runs
                   where automation_id = ${automation} and status = 'waiting'
                   order by id limit ${most})`)

/** Runs that were put aside for a reason that is over, a few thousand at a time. How many there were. */
export const resumeSome = (db: Db, most: number) =>
  db.run(sql`
    update automation_runs
       set parked = false
     where id in (
             select r.id
               from automation_runs r
               join automations a on a.id = r.automation_id and (a.enabled or a.deleted_at is not null)
               join projects p on p.id = r.project_id and p.status = 'active'
              where r.parked
              limit ${most}
                for update of r skip locked)`)

/** What an automation has against a delivery (its alias is `q`) that one of its runs has sent. */
export const gate: Query<never> = sql<never>`
  case when q.run_id is not null then nullif(coalesce((
    select case when r.recalled or a.deleted_at is not null then 'cancel'
                when exists (select from contacts c join audiences on audiences.id = c.audience_id
                              where c.id = q.contact_id and audiences.deleted_at is not null) then 'cancel'
                when not a.enabled then 'hold'
                else '' end
      from automation_runs r
      join automations a on a.id = r.automation_id
     where r.id = q.run_id), 'cancel'), '') end`
