import type { ProjectId, WebhookId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { UpdateWebhook, Webhook } from '../schema.ts'

const columns = sql`
  id, project_id as "projectId", url, enabled, events, description, disabled_reason as "disabledReason",
  created_at as "createdAt"`

export const list = (db: Db, project: ProjectId, { limit, after }: PageRequest) =>
  db.all(sql<Webhook>`
    select ${columns}
      from webhook_endpoints
     where project_id = ${project}
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: WebhookId) =>
  db.maybeOne(sql<Webhook>`
    select ${columns} from webhook_endpoints where project_id = ${project} and id = ${id}`)

export const count = (tx: Tx, project: ProjectId) =>
  tx.one(sql<{ count: number }>`select count(*) as count from webhook_endpoints where project_id = ${project}`)

/** Two who change its secrets at the same time do so one after the other: only one secret can be the newest. */
export const lock = (tx: Tx, project: ProjectId, id: WebhookId) =>
  tx.maybeOne(sql<Webhook>`
    select ${columns} from webhook_endpoints where project_id = ${project} and id = ${id} for update`)

export type NewWebhook = Omit<Webhook, 'createdAt' | 'disabledReason'>

export const insert = (tx: Tx, { id, projectId, url, enabled, events, description }: NewWebhook) =>
  tx.one(sql<Webhook>`
    insert into webhook_endpoints (id, project_id, url, enabled, events, description)
    values (${id}, ${projectId}, ${url}, ${enabled}, ${events}, ${description})
    returning ${columns}`)

/** Whoever enables it again gives it a fresh start. Undefined when it is gone. */
export const update = (
  tx: Tx,
  project: ProjectId,
  id: WebhookId,
  { url, enabled, events, description }: UpdateWebhook,
) =>
  tx.maybeOne(sql<Webhook>`
    update webhook_endpoints
       set url = coalesce(${url}, url),
           enabled = coalesce(${enabled}, enabled),
           events = coalesce(${events}, events),
           description = case when ${description === undefined} then description else ${description ?? null} end,
           disabled_reason = case when ${enabled}::boolean then null else disabled_reason end,
           failing_since = case when ${enabled}::boolean or ${url}::text <> url then null else failing_since end
     where project_id = ${project}
       and id = ${id}
    returning ${columns}`)

/** Undefined when it is gone. Its secrets go with it. */
export const remove = (tx: Tx, project: ProjectId, id: WebhookId) =>
  tx.maybeOne(sql<{ url: string }>`
    delete from webhook_endpoints where project_id = ${project} and id = ${id} returning url`)

/** The one who was newest is good for `overlapHours` more. */
export const addSecret = async (
  tx: Tx,
  endpoint: WebhookId,
  { id, secret }: { id: string; secret: Buffer },
  overlapHours: number,
): Promise<void> => {
  await tx.run(sql`
    update webhook_secrets
       set valid_until = clock_now() + make_interval(hours => ${overlapHours})
     where endpoint_id = ${endpoint}
       and valid_until is null`)
  await tx.run(sql`insert into webhook_secrets (id, endpoint_id, secret) values (${id}, ${endpoint}, ${secret})`)
}

export interface SecretRow {
  id: string
  /** Sealed. */
  secret: Buffer
  /** Null for the newest. */
  validUntil: Date | null
}

/** The secrets that sign, the newest first. */
export const secretsOf = (tx: Tx, project: ProjectId, endpoint: WebhookId) =>
  tx.all(sql<SecretRow>`
    select id, secret, valid_until as "validUntil"
      from webhook_secrets
     where endpoint_id = (select id from webhook_endpoints where project_id = ${project} and id = ${endpoint})
       and (valid_until is null or valid_until > clock_now())
     order by valid_until desc nulls first`)

export const forgetOldSecrets = (db: Db) => db.run(sql`delete from webhook_secrets where valid_until < clock_now()`)

/** How it went with each endpoint just now. */
export interface Health {
  endpointId: string
  isWell: boolean
}

/** No pause between two attempts is that long: what failed before it is another story. */
const STORY_ENDS_AFTER_DAYS = 2

/**
 * Remembers since when there was nothing but failures. On a good day it writes nothing; and it locks in one order,
 * because two workers may have news of the same endpoints.
 */
export const recordHealth = (tx: Tx, healths: readonly Health[]) =>
  tx.run(sql`
    with changed as (
      select e.id, news.is_well
        from webhook_endpoints e
        join unnest(${healths.map(({ endpointId }) => endpointId)}::uuid[],
                    ${healths.map(({ isWell }) => isWell)}::boolean[]) as news (id, is_well) using (id)
       where not news.is_well or e.failing_since is not null
       order by e.id
         for update of e
    )
    update webhook_endpoints e
       set failing_since = case
             when changed.is_well then null
             when e.failed_at > clock_now() - make_interval(days => ${STORY_ENDS_AFTER_DAYS})
             then coalesce(e.failing_since, clock_now())
             else clock_now() end,
           failed_at = case when changed.is_well then e.failed_at else clock_now() end
      from changed
     where e.id = changed.id`)

/** Those that are disabled by this. */
export const disable = (tx: Tx, ids: readonly string[], reason: string) =>
  tx.run(sql`
    update webhook_endpoints
       set enabled = false, disabled_reason = ${reason}
     where id = any(${ids}::uuid[])
       and enabled`)

export const disableHopeless = (tx: Tx, ids: readonly string[], days: number, reason: string) =>
  tx.run(sql`
    update webhook_endpoints
       set enabled = false, disabled_reason = ${reason}
     where id = any(${ids}::uuid[])
       and enabled
       and failing_since < clock_now() - make_interval(days => ${days})`)
