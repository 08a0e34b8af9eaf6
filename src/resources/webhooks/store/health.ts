import type { ProjectId, WebhookId } from '../../../core/ids.ts'
import type { Db } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import { MAX_COUNTED } from '../limits.ts'
import type { Attempt } from '../schema.ts'

/** The endpoint, if the project has it. */
const ofProject = (project: ProjectId, endpoint: WebhookId) => sql`
  select id from webhook_endpoints where project_id = ${project} and id = ${endpoint}`

export const present = (db: Db, project: ProjectId, endpoint: WebhookId) =>
  db.one(sql<{ failingSince: Date | null; pending: number }>`
    select (select failing_since from webhook_endpoints where project_id = ${project} and id = ${endpoint}) as "failingSince",
           count(*) as pending
      from (select from webhook_deliveries
             where endpoint_id = (${ofProject(project, endpoint)})
             limit ${MAX_COUNTED}) waiting`)

/** So many of the newest deliveries are looked at: among those that are over, and among those that are not. */
const MAX_LOOKED = 1_000

const newest = (endpoint: WebhookId) => sql`
  select state, ended_at, log from webhook_log where endpoint_id = ${endpoint} order by id desc limit ${MAX_LOOKED}`

export const lastDelivered = (db: Db, project: ProjectId, endpoint: WebhookId) =>
  db.one(sql<{ at: Date | null }>`
    select max(ended_at) as at
      from (${newest(endpoint)}) newest
     where state = 'delivered'
       and exists (${ofProject(project, endpoint)})`)

/** Of a delivery that is tried again and again each attempt counts: while an endpoint is down nothing ends. */
export const recentAttempts = (db: Db, project: ProjectId, endpoint: WebhookId) =>
  db.all(sql<{ attempt: Attempt }>`
    select attempt
      from ((select log from (${newest(endpoint)}) newest)
            union all
            (select log from webhook_deliveries where endpoint_id = ${endpoint} order by id desc limit ${MAX_LOOKED})) looked
     cross join lateral jsonb_array_elements(log) as attempts (attempt)
     where (attempt ->> 'at')::timestamptz > clock_now() - interval '24 hours'
       and exists (${ofProject(project, endpoint)})`)
