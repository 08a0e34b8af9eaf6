import type { ProjectId, ReceivingDomainId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { ReceivingDomain, ReceivingDomainType } from '../schema.ts'

const columns = sql`
  id, project_id as "projectId", type, name, status, seen, report_token as "reportToken", created_at as "createdAt", verified_at as "verifiedAt",
  last_checked_at as "lastCheckedAt", clock_now()::text as "readAt"`

/** A domain that lacks a record goes on receiving for a day, and is called verified. */
export const table = {
  name: 'receiving_domains',
  columns,
  missingSince: 'missing_since',
  statusWhileMissing: 'verified',
  oneHolder: 'receiving_domains_one_holder',
}

/** Also one that is removed: what came in for it is still there. */
export const everExisted = async (db: Db, project: ProjectId, id: ReceivingDomainId): Promise<boolean> =>
  (await db.maybeOne(sql`select from receiving_domains where project_id = ${project} and id = ${id}`)) !== undefined

/** A managed one is verified from the start. Undefined when the project has the name already. */
export const insert = (
  tx: Tx,
  project: ProjectId,
  { id, type, name }: { id: ReceivingDomainId; type: ReceivingDomainType; name: string },
) =>
  tx.maybeOne(sql<ReceivingDomain>`
    insert into receiving_domains (id, project_id, type, name, status, verified_at, next_check_at)
    select ${id}, ${project}, ${type}, ${name},
           case when ${type} = 'managed' then 'verified' else 'pending' end,
           case when ${type} = 'managed' then clock_now() end,
           case when ${type} = 'managed' then null else clock_now() + interval '5 minutes' end
    on conflict (project_id, name) where removed_at is null do nothing
    returning ${columns}`)
