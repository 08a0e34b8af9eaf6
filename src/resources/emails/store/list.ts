/**
 * The statements of the list of emails. A list may be narrowed by several filters at once, and no index has them all. So
 * each filter that leads to emails has a source: the ids that it lets through, newest first, by an index that has them in
 * this order. `listing.ts` walks along the source that lets the fewest through, and looks at each email that it meets.
 *
 * Each source is written for one index, conditions and order alike as rows: by equal columns and the id the planner
 * might walk the primary key instead, past all the mail of everybody.
 */
import {
  MAX_ID,
  type AutomationId,
  type BatchId,
  type BroadcastId,
  type DomainId,
  type EmailId,
  type ProjectId,
  type TemplateId,
} from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { EmailFilter } from '../schema/list.ts'
import type { RecipientState } from '../states.ts'

/** What a source lets through before an id, newest first: all that there is down to `reached`, or if null to the end. */
export interface Stretch {
  ids: EmailId[]
  reached: EmailId | null
}

/** Looks for about `most` emails before an id; reads at most ten times as many entries in each project. */
export type Source = (db: Db, projects: readonly ProjectId[], before: string, most: number) => Promise<Stretch>

/** One for each filter that leads to emails; without any, all emails. */
export function sourcesOf(filter: EmailFilter): Source[] {
  const { status, to, from, tag, batchId, domainId, source, broadcastId, automationId } = filter
  const sources = [
    batchId === undefined ? undefined : inBatch(batchId),
    to === undefined ? undefined : inOrder((before, most) => mailedTo(to, before, most)),
    tag === undefined ? undefined : inOrder((before, most) => tagged(tag, before, most)),
    from === undefined ? undefined : inOrder((before, most) => sentBy(from, before, most)),
    domainId === undefined ? undefined : inOrder((before, most) => sentFrom(domainId, before, most)),
    status === undefined ? undefined : inState(status),
    source === 'broadcast' || broadcastId !== undefined ? inOrder(ofBroadcasts) : undefined,
    source === 'automation' || automationId !== undefined ? inOrder(ofAutomations) : undefined,
  ].filter((source) => source !== undefined)
  return sources.length > 0 ? sources : [inOrder(everything)]
}

/** Merges the newest emails of several projects; `ofProject` is the statement for one, whose id is `project.id`. */
const inOrder =
  (ofProject: (before: string, most: number) => Query<unknown>): Source =>
  async (db, projects, before, most) => {
    const rows = await db.all(sql<{ id: EmailId }>`
      select found.id
        from unnest(${projects}::uuid[]) as project (id)
       cross join lateral (${ofProject(before, most)}) found
       order by found.id desc
       limit ${most}`)
    const ids = rows.map(({ id }) => id)
    return { ids, reached: ids.length < most ? null : (ids.at(-1) ?? null) }
  }

const everything = (before: string, most: number) => sql`
  select e.id
    from emails e
   where (e.project_id, e.id) < (project.id, ${before}::uuid)
     and e.project_id >= project.id
   order by e.project_id desc, e.id desc
   limit ${most}`

const sentBy = (sender: string, before: string, most: number) => sql`
  select e.id
    from emails e
   where (e.project_id, e.sender, e.id) < (project.id, ${sender}, ${before}::uuid)
     and (e.project_id, e.sender) >= (project.id, ${sender})
   order by e.project_id desc, e.sender desc, e.id desc
   limit ${most}`

const sentFrom = (domain: DomainId, before: string, most: number) => sql`
  select e.id
    from emails e
   where e.domain_id is not null
     and (e.project_id, e.domain_id, e.id) < (project.id, ${domain}::uuid, ${before}::uuid)
     and (e.project_id, e.domain_id) >= (project.id, ${domain}::uuid)
   order by e.project_id desc, e.domain_id desc, e.id desc
   limit ${most}`

const ofMailings = (isAutomation: boolean) => (before: string, most: number) =>
  sql`
  select e.id
    from emails e
   where (e.broadcast_id is not null or e.run_id is not null)
     and (e.project_id, e.broadcast_id is null, e.id) < (project.id, ${isAutomation}::boolean, ${before}::uuid)
     and (e.project_id, e.broadcast_id is null) >= (project.id, ${isAutomation}::boolean)
   order by e.project_id desc, (e.broadcast_id is null) desc, e.id desc
   limit ${most}`

const ofBroadcasts = ofMailings(false)
const ofAutomations = ofMailings(true)

const tagged = ({ name, value }: { name: string; value: string }, before: string, most: number) => sql`
  select t.email_id as id
    from email_tags t
   where (t.project_id, t.tag, t.email_id) < (project.id, email_tag(${name}, ${value}), ${before}::uuid)
     and (t.project_id, t.tag) >= (project.id, email_tag(${name}, ${value}))
   order by t.project_id desc, t.tag desc, t.email_id desc
   limit ${most}`

const mailedTo = (recipient: string, before: string, most: number) => sql`
  (select r.email_id as id
     from recipients r
    where (r.project_id, r.recipient, r.email_id) < (project.id, ${recipient}, ${before}::uuid)
      and (r.project_id, r.recipient) >= (project.id, ${recipient})
    order by r.project_id desc, r.recipient desc, r.email_id desc
    limit ${most})
  union all
  (select d.email_id
     from deliveries d
    where (d.project_id, d.recipient, d.email_id) < (project.id, ${recipient}, ${before}::uuid)
      and (d.project_id, d.recipient) >= (project.id, ${recipient})
    order by d.project_id desc, d.recipient desc, d.email_id desc
    limit ${most})`

/** A batch is small, and its emails may belong to several projects. */
const inBatch =
  (batch: BatchId): Source =>
  async (db, projects, before) => {
    const rows = await db.all(sql<{ id: EmailId }>`
      select id
        from (select id, project_id from emails where batch_id = ${batch} offset 0) e
       where project_id = any(${projects}::uuid[])
         and id < ${before}::uuid
       order by id desc`)
    return { ids: rows.map(({ id }) => id), reached: null }
  }

/** Emails that have a recipient in this state: no other email can be in it. */
const inState = (status: RecipientState): Source =>
  isUnfinished(status) ? underWay(unfinished[status]) : inOrder((before, most) => finished(status, before, most))

const finished = (status: RecipientState, before: string, most: number) => sql`
  select distinct on (r.project_id, r.state, r.email_id) r.email_id as id
    from recipients r
   where (r.project_id, r.state, r.email_id) < (project.id, ${status}, ${before}::uuid)
     and (r.project_id, r.state) >= (project.id, ${status})
   order by r.project_id desc, r.state desc, r.email_id desc
   limit ${most}`

const isUnfinished = (status: RecipientState): status is keyof typeof unfinished => status in unfinished

/** The states as in the view `recipient_states`, which writes them in another way. */
const unfinished = {
  scheduled: sql`d.state in ('waiting', 'held') and d.lease_no = 0`,
  queued: sql`(d.state = 'ready' and d.lease_no = 0 or d.state = 'claimed' and d.lease_no = 1)`,
  deferred: sql`(d.state in ('ready', 'held', 'waiting') and d.lease_no > 0 or d.state = 'claimed' and d.lease_no > 1)`,
  sending: sql`d.state = 'in_flight'`,
} as const

/** How many deliveries are looked at for each email that is wanted. No index has their states: it would change with each. */
const LOOKS = 10

/**
 * Of so many deliveries those in this state. The last email that was met may have more of them further on, so it is left
 * to the next look; one email never fills a whole look.
 */
const underWay =
  (isInState: Query<unknown>): Source =>
  async (db, projects, before, most) => {
    const looks = Math.max(LOOKS * most, 100)
    const rows = await db.all(sql<{ ids: EmailId[] | null; reached: EmailId | null }>`
      select found.*
        from unnest(${projects}::uuid[]) as project (id)
       cross join lateral (
               select array_agg(distinct email_id) filter (where is_in_state) as ids,
                      case when count(*) = ${looks} then (array_agg(distinct email_id order by email_id))[2] end as reached
                 from (select d.email_id, ${isInState} as is_in_state
                         from deliveries d
                        where (d.project_id, d.email_id) < (project.id, ${before}::uuid)
                          and d.project_id >= project.id
                        order by d.project_id desc, d.email_id desc
                        limit ${looks}) looked) found`)
    const reached =
      rows
        .flatMap((row) => row.reached ?? [])
        .toSorted()
        .at(-1) ?? null
    const ids = rows.flatMap((row) => row.ids ?? []).filter((id) => reached === null || id >= reached)
    const newest = ids.toSorted().toReversed().slice(0, most)
    return { ids: newest, reached: newest.length < ids.length ? (newest.at(-1) ?? null) : reached }
  }

/** Whether there is an email of this batch in these projects. */
export const hasBatch = async (db: Db, projects: readonly ProjectId[], batch: BatchId): Promise<boolean> => {
  const { ids } = await inBatch(batch)(db, projects, MAX_ID, 1)
  return ids.length > 0
}

/** Whether there is such a domain, or was: its mail can still be looked for. */
export const hasDomain = async (db: Db, projects: readonly ProjectId[], id: DomainId): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from domains where id = ${id} and project_id = any(${projects}::uuid[])`)) !== undefined

/** The same of a template; its versions stay when it goes. */
export const hasTemplate = async (db: Db, projects: readonly ProjectId[], id: TemplateId): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from template_versions
     where template_id = ${id}
       and project_id = any(${projects}::uuid[])
     limit 1`)) !== undefined

/** The stretch of time in which a mailing made its emails: null for not yet, or not over. */
export interface Times {
  from: Date | null
  to: Date | null
}

export const timesOfBroadcast = (db: Db, projects: readonly ProjectId[], id: BroadcastId) =>
  db.maybeOne(sql<Times>`
    select started_at as from, fed_at as to
      from broadcasts
     where id = ${id}
       and project_id = any(${projects}::uuid[])`)

export const timesOfAutomation = (db: Db, projects: readonly ProjectId[], id: AutomationId) =>
  db.maybeOne(sql<Times>`
    select created_at as from, null::timestamptz as to
      from automations
     where id = ${id}
       and project_id = any(${projects}::uuid[])`)
