import type { ProjectId, ReceivingDomainId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { ReceivingDomain, ReceivingDomainType, ReceivingStatus } from '../schema.ts'

const columns = sql`
  id, project_id as "projectId", type, name, status, seen, created_at as "createdAt", verified_at as "verifiedAt",
  last_checked_at as "lastCheckedAt", clock_now()::text as "readAt"`

export const list = (
  db: Db,
  project: ProjectId,
  name: string | undefined,
  status: ReceivingStatus | undefined,
  { limit, after }: PageRequest,
) =>
  db.all(sql<ReceivingDomain>`
    select ${columns}
      from receiving_domains
     where project_id = ${project}
       and removed_at is null
       and name = coalesce(${name}, name)
       and status = coalesce(${status}, status)
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export const find = (db: Db, project: ProjectId, id: ReceivingDomainId) =>
  db.maybeOne(sql<ReceivingDomain>`
    select ${columns} from receiving_domains where project_id = ${project} and id = ${id} and removed_at is null`)

/** Also one that is removed: what came in for it is still there. */
export const everExisted = async (db: Db, project: ProjectId, id: ReceivingDomainId): Promise<boolean> =>
  (await db.maybeOne(sql`select from receiving_domains where project_id = ${project} and id = ${id}`)) !== undefined

export const findByName = (db: Db, project: ProjectId, name: string) =>
  db.maybeOne(sql<{ id: ReceivingDomainId }>`
    select id from receiving_domains where project_id = ${project} and name = ${name} and removed_at is null`)

/** Whether another project of the installation has the name verified. */
export const isTaken = async (db: Db, project: ProjectId, name: string): Promise<boolean> => {
  const holders = await db.all(sql`
    select from receiving_domains
     where project_id <> ${project} and name = ${name} and status = 'verified' and removed_at is null`)
  return holders.length > 0
}

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

/** Those whose time has come, each for one asker: it is not due again until its look is recorded, or in five minutes. */
export const claimDue = (db: Db, most: number) =>
  db.all(sql<ReceivingDomain>`
    update receiving_domains
       set next_check_at = clock_now() + interval '5 minutes'
     where id = any(array(
             select id from receiving_domains
              where next_check_at <= clock_now() and removed_at is null
              order by next_check_at
              limit ${most}
                for update skip locked))
    returning ${columns}`)

/**
 * What a look means. Complete: verified, whatever it was. Incomplete: a verified one fails when that has been so for a
 * day, any other stays what it is. Unanswered: nothing changes but the time. False when the domain is gone, or a look
 * that began later is recorded already.
 */
export const recordCheck = async (
  tx: Tx,
  { projectId, id, readAt }: ReceivingDomain,
  verdict: 'complete' | 'incomplete' | 'unanswered',
  seen: ReceivingDomain['seen'],
): Promise<boolean> => {
  const recorded = await tx.run(sql`
    update receiving_domains d
       set seen = ${JSON.stringify(seen)},
           last_checked_at = ${readAt}::timestamptz,
           verified_at = case when ${verdict} = 'complete' then coalesce(verified_at, clock_now()) else verified_at end,
           (status, missing_since, next_check_at) = (
             select next.status,
                    case when next.status = 'verified' then next.missing_since end,
                    clock_now() + case when next.missing_since is not null or d.watched_until > clock_now()
                                       then interval '5 minutes' else interval '1 day' end
               from (select case
                              when ${verdict} = 'complete' then 'verified'
                              when ${verdict} = 'incomplete' and d.missing_since <= clock_now() - interval '24 hours'
                                then 'failed'
                              else d.status
                            end,
                            case
                              when ${verdict} = 'complete' then null
                              when ${verdict} = 'incomplete' and d.status = 'verified'
                                then coalesce(d.missing_since, clock_now())
                              else d.missing_since
                            end) as next (status, missing_since))
     where project_id = ${projectId}
       and id = ${id}
       and removed_at is null
       and (last_checked_at is null or last_checked_at <= ${readAt}::timestamptz)`)
  return recorded === 1
}

export const remove = (tx: Tx, project: ProjectId, id: ReceivingDomainId) =>
  tx.maybeOne(sql<{ name: string }>`
    update receiving_domains set removed_at = clock_now()
     where project_id = ${project} and id = ${id} and removed_at is null
    returning name`)
