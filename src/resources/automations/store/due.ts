/** What it takes to move runs on. Locked in one order, that of everybody who changes people: contacts, tags, runs. */
import type { ProjectStatus } from '../../../core/caller.ts'
import type { AutomationId, ContactId, ProjectId, RunId, TagId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { StepResult, StopReason } from '../schema.ts'

/** False while somebody else moves runs on: until the transaction ends that is for one process to do. */
export const takeTurn = async (tx: Tx): Promise<boolean> =>
  (await tx.one(sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(7015212) as mine`)).mine

export interface DueRun {
  id: RunId
  projectId: ProjectId
  automationId: AutomationId
  version: number
  contactId: ContactId
  email: string
  tagId: TagId | null
  nextStep: string | null
  attempts: number
}

/** Those that have waited longest; nothing is locked. */
export const due = (db: Db, most: number) =>
  db.all(sql<DueRun>`
    select id, project_id as "projectId", automation_id as "automationId", version, contact_id as "contactId", email,
           tag_id as "tagId", next_step as "nextStep", attempts
      from automation_runs
     where status = 'waiting'
       and not parked
       and next_due_at <= clock_now()
     order by next_due_at
     limit ${most}`)

export interface Person {
  id: ContactId
  projectId: ProjectId
  email: string
  firstName: string | null
  lastName: string | null
  properties: Record<string, unknown>
  subscribed: boolean
  /** The audience is deleted; its contacts follow. */
  isLeaving: boolean
}

/**
 * Of a run that a tag began, all contacts of its person; else the one that joined.
 *
 * Until the transaction ends they stay as they are, and so do their tags: whoever gives somebody a tag or takes one away
 * holds that person too. To hold the tags themselves would be another order than that in which others take them.
 */
export const holdPeople = (tx: Tx, runs: readonly DueRun[]) =>
  tx.all(sql<Person>`
    select c.id, c.project_id as "projectId", c.email, first_name as "firstName", last_name as "lastName", properties, subscribed,
           exists (select from audiences
                    where audiences.id = c.audience_id and deleted_at is not null) as "isLeaving"
      from unnest(${runs.map(({ projectId }) => projectId)}::uuid[], ${runs.map(({ email }) => email)}::text[],
                  ${runs.map(({ contactId, tagId }) => (tagId === null ? contactId : null))}::uuid[])
           as given (project_id, email, id)
      join contacts c on c.project_id = given.project_id and c.email = given.email
                     and (given.id is null or c.id = given.id)
     order by c.project_id, c.email, c.audience_id
       for no key update of c`)

/** Those of these that are still due and nobody else's just now. */
export const lock = (tx: Tx, runs: readonly DueRun[]) =>
  tx.all(sql<{ id: RunId }>`
    select id
      from automation_runs
     where id = any(${runs.map(({ id }) => id)}::uuid[])
       and status = 'waiting'
       and not parked
       and next_due_at <= clock_now()
     order by id
       for update skip locked`)

export interface Owner {
  id: AutomationId
  isDeleted: boolean
  enabled: boolean
  projectStatus: ProjectStatus
  workspaceId: WorkspaceId
}

/** Locks them: until the transaction ends no request enables or disables them, or pauses their project. */
export const holdOwners = (tx: Tx, automations: readonly AutomationId[]) =>
  tx.all(sql<Owner>`
    select a.id, a.deleted_at is not null as "isDeleted", a.enabled, p.status as "projectStatus",
           p.workspace_id as "workspaceId"
      from automations a
      join projects p on p.id = a.project_id
     where a.id = any(${automations}::uuid[])
     order by a.id
       for share`)

export interface VersionKey {
  automationId: AutomationId
  version: number
}

export const plans = (db: Db, keys: readonly VersionKey[]) =>
  db.all(sql<VersionKey & { plan: unknown }>`
    select v.automation_id as "automationId", v.version, plan
      from automation_versions v
      join unnest(${keys.map(({ automationId }) => automationId)}::uuid[],
                  ${keys.map(({ version }) => version)}::integer[]) as given (automation_id, version)
        on v.automation_id = given.automation_id and v.version = given.version`)

export interface PersonKey {
  projectId: ProjectId
  email: string
}

const people = (keys: readonly PersonKey[]) => sql`
  (select distinct project_id, email
     from unnest(${keys.map(({ projectId }) => projectId)}::uuid[], ${keys.map(({ email }) => email)}::text[])
          as given (project_id, email)) as person`

export const suppressed = (db: Db, keys: readonly PersonKey[]) =>
  db.all(sql<PersonKey>`
    select person.project_id as "projectId", person.email
      from ${people(keys)}
      join suppressions s on s.project_id = person.project_id and address_fold(s.email) = address_fold(person.email)`)

export const tagsOf = (db: Db, keys: readonly PersonKey[]) =>
  db.all(sql<PersonKey & { tagId: TagId }>`
    select person.project_id as "projectId", person.email, tag_id as "tagId"
      from ${people(keys)}
      join applied_tags on applied_tags.project_id = person.project_id and applied_tags.email = person.email
      join contact_tags on contact_tags.id = tag_id and deleted_at is null`)

/** Those of these tags that are there, and stay until the transaction ends. */
export const holdTags = (tx: Tx, project: ProjectId, tags: readonly TagId[]) =>
  tx.all(sql<{ id: TagId }>`
    select id
      from contact_tags
     where project_id = ${project}
       and id = any(${tags}::uuid[])
       and deleted_at is null
     order by id
       for share`)

export interface StepKey extends VersionKey {
  step: string
}

/** What these steps say; the copy that mails can refer to only while it is fresh. */
export const mailings = (tx: Tx, keys: readonly StepKey[]) =>
  tx.all(sql<StepKey & { contentId: string | null; mailing: unknown }>`
    select m.automation_id as "automationId", m.version, m.step, fresh.content_id as "contentId",
           case when fresh.content_id is null then mailing end as mailing
      from automation_mailings m
      join unnest(${keys.map(({ automationId }) => automationId)}::uuid[],
                  ${keys.map(({ version }) => version)}::integer[], ${keys.map(({ step }) => step)}::text[])
           as given (automation_id, version, step)
        on m.automation_id = given.automation_id and m.version = given.version and m.step = given.step
      left join lateral (
        select m.content_id where m.stored_at > clock_now() - interval '1 day') as fresh on true`)

export const keepContent = (tx: Tx, { automationId, version, step }: StepKey, contentId: string) =>
  tx.run(sql`
    update automation_mailings
       set content_id = ${contentId}, stored_at = clock_now()
     where automation_id = ${automationId}
       and version = ${version}
       and step = ${step}`)

/** What becomes of a run; those that do not move are not among them. */
export interface Move {
  id: RunId
  /** Who is mailed from now on, if that is known. */
  contactId: ContactId | null
  status: 'waiting' | 'completed' | 'stopped' | 'failed'
  stopReason: StopReason | null
  stepId: string | null
  nextStep: string | null
  /** Either of them, of one that waits; the second counts from now. */
  dueAt: Date | null
  dueInMs: number | null
  recalled: boolean
  attempts: number
  problem: string | null
  results: StepResult[]
  emails: number
  /** It took away the very tag that it lives by, so what that stopped was this run itself. */
  byItself: boolean
}

export const move = (tx: Tx, moves: readonly Move[]) =>
  tx.run(sql`
    update automation_runs run
       set status = given.status,
           contact_id = coalesce(given."contactId", run.contact_id),
           stop_reason = given."stopReason",
           step_id = coalesce(given."stepId", run.step_id),
           next_step = given."nextStep",
           next_due_at = case when given.status = 'waiting'
                              then coalesce(given."dueAt", clock_now() + given."dueInMs" * interval '1 millisecond') end,
           recalled = given.recalled,
           attempts = given.attempts,
           problem = given.problem,
           results = run.results || given.results,
           emails = run.emails + given.emails,
           finished_at = case when given.status = 'waiting' then null else clock_now() end
      from json_to_recordset(${JSON.stringify(moves)}::json)
           as given (id uuid, "contactId" uuid, status text, "stopReason" text, "stepId" text, "nextStep" text, "dueAt" timestamptz,
                     "dueInMs" float8, recalled boolean, attempts smallint, problem text, results jsonb, emails integer,
                     "byItself" boolean)
     where run.id = given.id
       and (run.status = 'waiting' or given."byItself")`)

export const park = (tx: Tx, runs: readonly RunId[]) =>
  tx.run(sql`
    update automation_runs
       set parked = true
     where id = any(${runs}::uuid[])
       and status = 'waiting'`)

export const now = async (db: Db): Promise<Date> => (await db.one(sql<{ now: Date }>`select clock_now() as now`)).now
