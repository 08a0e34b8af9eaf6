import type { EventId, ProjectId, WebhookDeliveryId, WebhookId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import { keepMonths } from '../../../storage/monthly-tables.ts'
import type { Database, Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { Attempt, Delivery, DeliveryState } from '../schema.ts'

/** Signatures of no more than so many secrets, however often somebody rotates. */
const MAX_SECRETS = 5

export interface DueRow {
  id: WebhookDeliveryId
  endpointId: WebhookId
  eventId: EventId
  kind: string
  body: string
  attempts: number
  tries: number
  /** Null when the endpoint is gone. */
  url: string | null
  isEnabled: boolean | null
  /** With spaces between: to read an array costs more than all the rest of the row. */
  secretIds: string
  earlier: string
}

/**
 * The secrets come newest first by the database's clock: an id is made by a node, and two of them may disagree. Step by step
 * and in the order of an index, so that there is one plan (see `byIndex`).
 */
export const load = (db: Database, ids: readonly string[]) =>
  db.byIndex.all(sql<DueRow>`
    select d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", d.kind, d.body, d.attempts, d.tries,
           e.url, e.enabled as "isEnabled", array_to_string(array(
             select s.id
               from webhook_secrets s
              where s.endpoint_id = d.endpoint_id
                and (s.valid_until is null or s.valid_until > clock_now())
              order by s.valid_until desc nulls first
              limit ${MAX_SECRETS}), ' ') as "secretIds",
           array_to_string(array(
             select before.id
               from webhook_deliveries before
              -- As rows: equal columns would suit the other index of the endpoint as well.
              where (before.endpoint_id, before.message_id) >= (d.endpoint_id, d.message_id)
                and (before.endpoint_id, before.message_id) <= (d.endpoint_id, d.message_id)
                and before.attempts = 0
                and (before.created_at, before.id) < (d.created_at, d.id)
              order by before.endpoint_id, before.message_id), ' ') as earlier
      from unnest(${ids}::uuid[]) as wanted (id)
     cross join lateral (select * from webhook_deliveries where id = wanted.id offset 0) d
      left join lateral (select * from webhook_endpoints where id = d.endpoint_id offset 0) e on true`)

export interface SealedSecret {
  id: string
  secret: Buffer
}

export const secrets = (db: Db, ids: readonly string[]) =>
  db.all(sql<SealedSecret>`select id, secret from webhook_secrets where id = any(${ids}::uuid[])`)

/** What goes along when a row moves between the outbox and the log. */
const moved = sql<never>`
  id, project_id, endpoint_id, event_id, kind, message_id, body, created_at, log, attempts`

export interface Ending {
  id: string
  state: Exclude<DeliveryState, 'pending'>
  attempt: Attempt | undefined
}

/** Of very many attempts, so many are kept. */
const MAX_LOGGED = 50

const withAttempt = (log: Query<never>, attempt: Query<never>): Query<never> => sql<never>`
  case when ${attempt} is null then ${log}
       when jsonb_array_length(${log}) < ${MAX_LOGGED}::int then ${log} || ${attempt}
       else (${log} - 0) || ${attempt} end`

const asJson = (attempt: Attempt | undefined): string | null => (attempt ? JSON.stringify(attempt) : null)

/** From the outbox into the log. */
export const end = (tx: Tx, endings: readonly Ending[]) =>
  tx.run(sql`
    with gone as (
      delete from webhook_deliveries
       where id = any(${endings.map(({ id }) => id)}::uuid[])
      returning ${moved}
    )
    insert into webhook_log (${moved}, state)
    select id, project_id, endpoint_id, event_id, kind, message_id, body, created_at,
           ${withAttempt(sql<never>`gone.log`, sql<never>`ended.attempt`)},
           attempts + (ended.attempt is not null)::int, ended.state
      from gone
      join unnest(${endings.map(({ id }) => id)}::uuid[], ${endings.map(({ state }) => state)}::text[],
                  ${endings.map(({ attempt }) => asJson(attempt))}::jsonb[]) as ended (id, state, attempt) using (id)`)

export interface Postponement {
  id: string
  afterMs: number
  attempt: Attempt | undefined
}

const FIRST_LANE = 0
const RETRY_LANE = 1

/** Back into the queue. */
export const postpone = (tx: Tx, postponements: readonly Postponement[]) =>
  tx.run(sql`
    update webhook_deliveries d
       set state = case when later.after_ms > 0 then 'waiting' else 'ready' end,
           lease_worker = null,
           due_at = clock_now() + later.after_ms * interval '1 millisecond',
           log = ${withAttempt(sql<never>`d.log`, sql<never>`later.attempt`)},
           attempts = d.attempts + (later.attempt is not null)::int,
           tries = d.tries + (later.attempt is not null)::int,
           lane = case when later.attempt is null then d.lane else ${RETRY_LANE}::smallint end
      from unnest(${postponements.map(({ id }) => id)}::uuid[], ${postponements.map(({ afterMs }) => afterMs)}::float8[],
                  ${postponements.map(({ attempt }) => asJson(attempt))}::jsonb[]) as later (id, after_ms, attempt)
     where d.id = later.id`)

/**
 * What waits for those of these endpoints that are disabled is not sent any more. What is being sent right now is looked
 * at when it comes back.
 */
export const drop = (tx: Tx, endpoints: readonly string[]) =>
  tx.run(sql`
    with gone as (
      delete from webhook_deliveries
       where endpoint_id in (select id from webhook_endpoints where id = any(${endpoints}::uuid[]) and not enabled)
         and state in ('waiting', 'ready')
      returning ${moved}
    )
    insert into webhook_log (${moved}, state)
    select ${moved}, 'dropped' from gone`)

/** The same for all events of SMS of a project. */
export const dropSms = (tx: Tx, project: ProjectId) =>
  tx.run(sql`
    with gone as (
      delete from webhook_deliveries
       where project_id = ${project}
         and kind like 'sms.%'
         and state in ('waiting', 'ready')
      returning ${moved}
    )
    insert into webhook_log (${moved}, state)
    select ${moved}, 'dropped' from gone`)

/** With the endpoint itself: there is nobody left who could look at it. */
export const forget = (tx: Tx, project: ProjectId, endpoint: WebhookId) =>
  tx.run(sql`delete from webhook_deliveries where project_id = ${project} and endpoint_id = ${endpoint}`)

const columns = sql`
  id, event_id as "eventId", kind, body, created_at as "createdAt", log, attempts, state,
  next_attempt_at as "nextAttemptAt", ended_at as "endedAt"`

export interface Filter {
  status: DeliveryState | undefined
  kind: string | undefined
  message: AboutMessage | undefined
  createdAfter: Date | undefined
  createdBefore: Date | undefined
}

/** The message that events are about; `wireId` is how they name one of its recipients. */
export interface AboutMessage {
  id: string
  wireId: string | undefined
}

/**
 * The log of deliveries has no index by message. The events of the message lead to its deliveries: the id of a delivery
 * begins as that of its event, see `queuePublished`.
 */
const aboutMessage = (project: ProjectId, endpoint: WebhookId, { id, wireId }: AboutMessage) => sql`
  (select told.*
     from events e
    cross join lateral (
            select *
              from webhook_delivery_states s
             where s.endpoint_id = ${endpoint}
               and s.id >= encode(substring(uuid_send(e.id) for 10) || '\\x000000000000', 'hex')::uuid
               and s.id <= encode(substring(uuid_send(e.id) for 10) || '\\xffffffffffff', 'hex')::uuid
               and s.event_id = e.id) told
    where e.message_id = ${id}
      and e.project_id = ${project}
      and told.body::jsonb ->> 'messageId' = coalesce(${wireId ?? null}, told.body::jsonb ->> 'messageId')) as states`

export const list = (
  db: Db,
  project: ProjectId,
  endpoint: WebhookId,
  { status, kind, message, createdAfter, createdBefore }: Filter,
  { limit, after }: PageRequest,
) =>
  db.all(sql<Delivery>`
    select ${columns}
      from ${message === undefined ? sql`webhook_delivery_states` : aboutMessage(project, endpoint, message)}
     where project_id = ${project}
       and endpoint_id = ${endpoint}
       -- Statements of their own: only then does the planner see the index of those that did not arrive.
       ${status === undefined ? sql`` : status === 'delivered' ? sql`and state = 'delivered'` : sql`and state <> 'delivered' and state = ${status}`}
       and kind = coalesce(${kind}, kind)
       and (${createdAfter}::timestamptz is null or created_at >= ${createdAfter}::timestamptz + interval '1 millisecond')
       and (${createdBefore}::timestamptz is null or created_at < ${createdBefore}::timestamptz)
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, endpoint: WebhookId, id: WebhookDeliveryId) =>
  db.maybeOne(sql<Delivery>`
    select ${columns}
      from webhook_delivery_states
     where project_id = ${project} and endpoint_id = ${endpoint} and id = ${id}`)

/** Which of an endpoint's deliveries to send again. */
export interface Choice {
  projectId: ProjectId
  endpointId: WebhookId
  /** What did not arrive, what did, or both. */
  which: 'failed' | 'delivered' | 'any'
  createdAfter: string | null
  createdBefore: string | null
}

const chosen = ({ projectId, endpointId, which, createdAfter, createdBefore }: Choice): Query<never> => sql<never>`
       project_id = ${projectId}
       and endpoint_id = ${endpointId}
       and (${which} = 'any' or (${which} = 'delivered') = (state = 'delivered'))
       and (${createdAfter}::timestamptz is null or created_at >= ${createdAfter}::timestamptz + interval '1 millisecond')
       and (${createdBefore}::timestamptz is null or created_at < ${createdBefore}::timestamptz)`

/** How many there are, and by when they had ended: to the microsecond, which a Date would round. */
export const count = (db: Db, choice: Choice) =>
  db.one(sql<{ deliveries: number; endedBy: string }>`
    select count(*) as deliveries, clock_now()::text as "endedBy" from webhook_log where ${chosen(choice)}`)

/** Some of them back into the queue, if the endpoint is enabled. None that ended later: it would come round for ever. */
export const replaySome = (db: Db, choice: Choice, endedBy: string, most: number) =>
  db.run(sql`
    with again as (
      delete from webhook_log l
       where l.endpoint_id = ${choice.endpointId}
         and l.id = any(array(
               select id
                 from webhook_log
                where ${chosen(choice)}
                  and ended_at <= ${endedBy}::timestamptz
                order by id
                limit ${most}
                  for update skip locked))
         and exists (select from webhook_endpoints e where e.id = l.endpoint_id and e.enabled)
      returning ${moved}
    )
    ${requeue}`)

/** One of them, whatever became of it. False when it is not over, or not there. */
export const replayOne = async (tx: Tx, endpoint: WebhookId, id: WebhookDeliveryId): Promise<boolean> =>
  (await tx.run(sql`
    with again as (
      delete from webhook_log where endpoint_id = ${endpoint} and id = ${id} returning ${moved}
    )
    ${requeue}`)) > 0

/** Not before its next attempt is due, but now. */
export const hurry = (tx: Tx, endpoint: WebhookId, id: WebhookDeliveryId) =>
  tx.run(sql`
    update webhook_deliveries
       set state = 'ready', due_at = clock_now(), tries = 0
     where endpoint_id = ${endpoint}
       and id = ${id}
       and state in ('waiting', 'ready')`)

const requeue = sql<never>`
    insert into webhook_deliveries (${moved}, destination, lane, state)
    select ${moved}, endpoint_id::text, ${RETRY_LANE}::smallint, 'ready' from again`

/**
 * The end of a statement that has `published` events: a row for every endpoint that is to be told. Its id begins as that
 * of the event does, so that the rows sort as the events do.
 */
export const queuePublished = sql<never>`
      insert into webhook_deliveries
        (id, project_id, endpoint_id, event_id, kind, message_id, body, created_at, destination, lane, state)
      select encode(substring(uuid_send(published.id) for 10) || substring(uuid_send(gen_random_uuid()) from 11), 'hex')::uuid,
             published.project_id, endpoint.id, published.id, kind, message_id, body, at, endpoint.id::text, 0, 'ready'
        from published
        join webhook_endpoints endpoint
          on endpoint.project_id = published.project_id and endpoint.enabled and published.kind = any(endpoint.events)
         and (kind not like 'sms.%' or (select sms_invited from projects where id = published.project_id))`

export interface NewDelivery {
  id: WebhookDeliveryId
  projectId: ProjectId
  endpointId: WebhookId
  eventId: EventId
  kind: string
  messageId: string
  body: string
}

export const insert = (tx: Tx, { id, projectId, endpointId, eventId, kind, messageId, body }: NewDelivery) =>
  tx.run(sql`
    insert into webhook_deliveries
      (id, project_id, endpoint_id, event_id, kind, message_id, body, destination, lane, state)
    values (${id}, ${projectId}, ${endpointId}, ${eventId}, ${kind}, ${messageId}, ${body}, ${endpointId}::text,
            ${FIRST_LANE}::smallint, 'ready')`)

export const keepLog = (db: Db, days: number) => keepMonths(db, { table: 'webhook_log', moment: 'created_at' }, days)
