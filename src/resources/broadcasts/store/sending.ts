/** Who gets a broadcast, how far it is, and where its recipients are. */
import type { AudienceId, BroadcastId, ContactId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { ProjectStatus } from '../../../core/caller.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { BroadcastState, OutstandingRow, Person, Reaction, SentAs } from '../schema.ts'
import type { Bucket } from '../states.ts'

/** While it is paused, and once it is cancelled, no mail of it leaves. The delivery is `q`. */
export const broadcastGate: Query<never> = sql<never>`
  case when q.broadcast_id is not null
       then (select case b.status when 'paused' then 'hold' when 'cancelled' then 'cancel' end
               from broadcasts b
              where b.id = q.broadcast_id) end`

export interface BroadcastRow {
  id: BroadcastId
  projectId: ProjectId
  workspaceId: WorkspaceId
  projectStatus: ProjectStatus
  audienceId: AudienceId
  status: BroadcastState
  from: string
  replyTo: string[]
  perMinute: number | null
  sendAt: Date | null
  startedAt: Date | null
  contentId: string | null
  sentAs: SentAs | null
  expandedTo: ContactId | null
  expandedAt: Date | null
  fedTo: ContactId | null
  fed: number
  fedAt: Date | null
  nextFeedAt: Date | null
  clearedAt: Date | null
  /** Whether anything leaves this installation. */
  isSendingOn: boolean
  now: Date
}

const row = (project: ProjectId, id: BroadcastId) => sql`
  select broadcasts.id, broadcasts.project_id as "projectId", workspace_id as "workspaceId",
         projects.status as "projectStatus", audience_id as "audienceId", broadcasts.status, sender as from,
         reply_to as "replyTo", per_minute as "perMinute", send_at as "sendAt", started_at as "startedAt",
         content_id as "contentId", sent_as as "sentAs", expanded_to as "expandedTo", expanded_at as "expandedAt",
         fed_to as "fedTo", fed, fed_at as "fedAt", next_feed_at as "nextFeedAt",
         cleared_at as "clearedAt",
         sending_is_on() as "isSendingOn", clock_now() as now
    from broadcasts
    join projects on projects.id = broadcasts.project_id
   where broadcasts.project_id = ${project}
     and broadcasts.id = ${id}`

export const find = (db: Db, project: ProjectId, id: BroadcastId) => db.maybeOne(sql<BroadcastRow>`${row(project, id)}`)

/** Locks the broadcast: no request and no worker moves it until the transaction ends. */
export const lock = (tx: Tx, project: ProjectId, id: BroadcastId) =>
  tx.maybeOne(sql<BroadcastRow>`${row(project, id)} for update of broadcasts`)

/** Broadcasts that need a job: due, with recipients that have no email yet, or with mail that is to be cancelled. */
export const unattended = (db: Db) =>
  db.all(sql<{ id: BroadcastId; projectId: ProjectId }>`
    select id, project_id as "projectId"
      from broadcasts
     where status = 'scheduled' and send_at <= clock_now()
        or status in ('sending', 'paused') and fed_at is null
        or status = 'cancelled' and cleared_at is null`)

/** The same of one project, whose own state has changed; held until the transaction ends. */
export const unattendedOf = (tx: Tx, project: ProjectId) =>
  tx.all(sql<{ id: BroadcastId }>`
    select id
      from broadcasts
     where project_id = ${project}
       and (status = 'scheduled' and send_at <= clock_now() or status in ('sending', 'paused') and fed_at is null)
     order by id
       for update`)

/**
 * Writes down the next recipients: of so many contacts those that were there when it started, are subscribed and not
 * suppressed; and of the others, why they are left out. The two indexes, of those who are subscribed and of those who
 * are not, give them in order, however large the audience is.
 */
export const expand = (tx: Tx, { id, projectId, audienceId, startedAt, expandedTo }: BroadcastRow, most: number) =>
  tx.one(sql<{ seen: number; added: number; last: ContactId | null }>`
    with members as materialized (
      select *
        from ((select id, email, created_at, subscribed
                 from contacts
                where project_id = ${projectId}
                  and audience_id = ${audienceId}
                  and subscribed
                  and id > ${expandedTo ?? FIRST}
                order by id
                limit ${most})
               union all
              (select id, email, created_at, subscribed
                 from contacts
                where project_id = ${projectId}
                  and audience_id = ${audienceId}
                  and not subscribed
                  and id > ${expandedTo ?? FIRST}
                order by id
                limit ${most})) as halves
       order by id
       limit ${most}
    ), judged as materialized (
      select members.id,
             case when not members.subscribed then 'unsubscribed'
                  when exists (
                         select from suppressions
                          where suppressions.project_id = ${projectId}
                            -- In the order of the index on suppressions; addresses of contacts are compared by another one.
                            -- An address in ASCII is what address_fold makes of it: for a million of them that is worth
                            -- knowing.
                            and address_fold(suppressions.email) =
                                case when octet_length(members.email) = length(members.email)
                                     then members.email collate "default"
                                     else address_fold(members.email collate "default") end)
                  then 'suppressed' end as because
        from members
       where members.created_at <= ${startedAt}
    ), added as (
      insert into broadcast_recipients (broadcast_id, contact_id)
      select ${id}, judged.id from judged where because is null
      returning contact_id
    ), left_out as (
      insert into broadcast_left_out (broadcast_id, because, contact_id)
      select ${id}, because, judged.id from judged where because is not null
    )
    select (select count(*) from members) as seen, (select count(*) from added) as added,
           (select members.id from members order by members.id desc limit 1) as last`)

const FIRST = '00000000-0000-0000-0000-000000000000'

export const expanded = async (
  tx: Tx,
  { projectId, id }: BroadcastRow,
  { to, added, isLast }: { to: ContactId | null; added: number; isLast: boolean },
): Promise<void> => {
  await tx.run(sql`
    update broadcasts
       set expanded_to = coalesce(${to}, expanded_to), expanded_at = case when ${isLast} then clock_now() end
     where project_id = ${projectId}
       and id = ${id}`)
  await tx.run(sql`update broadcast_counts set recipients = recipients + ${added} where broadcast_id = ${id}`)
}

/**
 * One look into the index for each. Joined in the usual way, the planner, which does not know how few are asked for, reads
 * all contacts there are: with 20,000 of them that took ten times as long, and with more it took more.
 */
const itsContact = sql`
  lateral (select * from contacts where contacts.id = contact_id limit 1) as contact`

/** A recipient without an email; a contact that is gone has only its id left. */
export type Waiting = Person | ({ id: ContactId } & { [K in Exclude<keyof Person, 'id'>]: null })

export const waiting = (tx: Tx, { projectId, id, fedTo }: BroadcastRow, most: number) =>
  tx.all(sql<Waiting>`
    select contact_id as id, email, first_name as "firstName", last_name as "lastName", properties
      from (select contact_id
              from broadcast_recipients
             where broadcast_id = ${id}
               and contact_id > ${fedTo ?? FIRST}
             order by contact_id
             limit ${most}) as chosen
      left join ${itsContact} on contact.project_id = ${projectId}
     order by contact_id`)

/** Recipients whose contact is gone: they get no email. */
export const noteDeleted = (tx: Tx, { id }: BroadcastRow, contacts: readonly ContactId[]) =>
  tx.run(sql`
    insert into broadcast_left_out (broadcast_id, because, contact_id)
    select ${id}, 'deleted', contact_id from unnest(${contacts}::uuid[]) as gone (contact_id)
    on conflict do nothing`)

export const fed = (
  tx: Tx,
  { projectId, id }: BroadcastRow,
  { to, count, isLast, nextFeedAt }: { to: ContactId | null; count: number; isLast: boolean; nextFeedAt: Date | null },
) =>
  tx.run(sql`
    update broadcasts
       set fed_to = coalesce(${to}, fed_to), fed = fed + ${count},
           fed_at = case when ${isLast} then clock_now() end, next_feed_at = ${nextFeedAt}
     where project_id = ${projectId}
       and id = ${id}`)

/** No further recipient gets an email. Answers how many that are. */
export const abandon = async (tx: Tx, { projectId, id, fed: done }: BroadcastRow): Promise<number> => {
  await tx.run(sql`
    update broadcasts
       set expanded_at = coalesce(expanded_at, clock_now()), fed_at = clock_now()
     where project_id = ${projectId}
       and id = ${id}`)
  const { recipients } = await tx.one(sql<{ recipients: number }>`
    select recipients from broadcast_counts where broadcast_id = ${id}`)
  return recipients - done
}

/** None of a cancelled broadcast's emails is under way any more. */
export const cleared = (tx: Tx, { projectId, id }: BroadcastRow) =>
  tx.run(sql`
    update broadcasts
       set cleared_at = clock_now()
     where project_id = ${projectId}
       and id = ${id}
       and status = 'cancelled'`)

/** What is to be added to the numbers of a broadcast. */
export interface Change {
  broadcastId: BroadcastId
  by: Partial<Record<Bucket, number>>
}

/** In the order of their ids: two who count the same broadcasts would else wait for each other for ever. */
export const count = (tx: Tx, changes: readonly Change[]) => {
  const by = (bucket: Bucket): number[] => changes.map((change) => change.by[bucket] ?? 0)
  return tx.all(sql<{ id: BroadcastId; isComplete: boolean }>`
    with locked as materialized (
      select broadcast_id
        from broadcast_counts
       where broadcast_id = any(${changes.map(({ broadcastId }) => broadcastId)}::uuid[])
       order by broadcast_id
         for update
    )
    update broadcast_counts c
       set delivered = c.delivered + more.delivered,
           deferred = c.deferred + more.deferred,
           bounced = c.bounced + more.bounced,
           filteredspam = c.filteredspam + more.filteredspam,
           quarantined = c.quarantined + more.quarantined,
           suppressed = c.suppressed + more.suppressed,
           failed = c.failed + more.failed,
           cancelled = c.cancelled + more.cancelled
      from locked
      join unnest(${changes.map(({ broadcastId }) => broadcastId)}::uuid[], ${by('delivered')}::bigint[],
                  ${by('deferred')}::bigint[], ${by('bounced')}::bigint[], ${by('filteredspam')}::bigint[],
                  ${by('quarantined')}::bigint[], ${by('suppressed')}::bigint[], ${by('failed')}::bigint[],
                  ${by('cancelled')}::bigint[])
           as more (broadcast_id, delivered, deferred, bounced, filteredspam, quarantined, suppressed, failed, cancelled)
           using (broadcast_id)
     where c.broadcast_id = locked.broadcast_id
    returning c.broadcast_id as id, ${finished} >= c.recipients as "isComplete"`)
}

const finished = sql`
  (c.delivered + c.bounced + c.filteredspam + c.quarantined + c.suppressed + c.failed + c.cancelled)`

/**
 * Those that have nobody left to wait for. Whoever counts the last recipient sees that it was the last: counting locks,
 * and that all are written down was committed before the first of them got an email.
 */
export const complete = (tx: Tx, ids: readonly BroadcastId[]) =>
  tx.run(sql`
    update broadcasts
       set status = 'sent', completed_at = clock_now()
      from broadcast_counts c
     where broadcasts.id = any(${ids}::uuid[])
       and c.broadcast_id = broadcasts.id
       and status in ('sending', 'paused')
       and expanded_at is not null
       and ${finished} >= c.recipients`)

const reactionColumns = { unsubscribed: sql`unsubscribed`, opens: sql`opens`, clicks: sql`clicks` }

export const react = (tx: Tx, id: BroadcastId, reaction: Reaction, times: number) => {
  const column = reactionColumns[reaction]
  return tx.run(sql`update broadcast_counts set ${column} = ${column} + ${times} where broadcast_id = ${id}`)
}

/** Everybody who is not finished: those with an email under way, and those without one. */
export const outstanding = (db: Db, project: ProjectId, id: BroadcastId, { limit, after }: PageRequest) =>
  db.all(sql<OutstandingRow>`
    select *
      from ((select contact_id as id, recipient as email,
                    case when state = 'in_flight' then 'sending' when state = 'held' then 'held'
                         when attempts > 0 then 'deferred' else 'queued' end as status,
                    email_id as "emailId", attempts,
                    case when state = 'waiting' then due_at end as "nextAttemptAt"
               from deliveries
              where project_id = ${project}
                and broadcast_id = ${id}
                and (${after}::uuid is null or contact_id < ${after}::uuid)
              order by contact_id desc
              limit ${limit + 1})
            union all
            (select contact_id, contact.email, 'waiting', null, 0, null
               from (select contact_id
                       from broadcasts
                       join broadcast_recipients on broadcast_id = broadcasts.id
                      where broadcasts.project_id = ${project}
                        and broadcasts.id = ${id}
                        and fed_at is null
                        and contact_id > coalesce(fed_to, ${FIRST})
                        and (${after}::uuid is null or contact_id < ${after}::uuid)
                      order by contact_id desc
                      limit ${limit + 1}) as chosen
               left join ${itsContact} on contact.project_id = ${project})) as outstanding
     order by id desc
     limit ${limit + 1}`)
