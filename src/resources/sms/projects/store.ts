import type { ProjectStatus } from '../../../core/caller.ts'
import type { ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export interface Gates {
  id: ProjectId
  workspaceId: WorkspaceId
  name: string
  status: ProjectStatus
  isInvited: boolean
  isLive: boolean
  /** Where live messages may go; null for the sender's own country. */
  countries: string[] | null
  now: Date
}

export const gates = (db: Db, project: ProjectId) =>
  db.maybeOne(sql<Gates>`
    select p.id, p.workspace_id as "workspaceId", p.name, p.status, p.sms_invited as "isInvited", p.sms_live as "isLive",
           s.countries, clock_now() as now
      from projects p
      left join sms_projects s on s.project_id = p.id
     where p.id = ${project}`)

export const phoneKey = (db: Db, project: ProjectId) =>
  db.maybeOne(sql<{ sealed: Buffer }>`select phone_key as sealed from sms_projects where project_id = ${project}`)

/** Undefined when there is no such project, or it is archived. */
export const setInvited = (tx: Tx, workspace: WorkspaceId, project: ProjectId, isInvited: boolean) =>
  tx.maybeOne(sql<{ id: ProjectId }>`
    update projects
       set sms_invited = ${isInvited}, updated_at = clock_now()
     where workspace_id = ${workspace}
       and id = ${project}
       and status <> 'archived'
    returning id`)

/** Undefined when there is no such project, or it was not invited. */
export const setLive = (tx: Tx, workspace: WorkspaceId, project: ProjectId, isLive: boolean) =>
  tx.maybeOne(sql<{ id: ProjectId }>`
    update projects
       set sms_live = ${isLive}, updated_at = clock_now()
     where workspace_id = ${workspace}
       and id = ${project}
       and (sms_invited or not ${isLive})
    returning id`)

/** False when it had been invited before: its key, and with it all that is known of its numbers, stays. */
export const join = async (tx: Tx, project: ProjectId, sealedKey: Buffer): Promise<boolean> =>
  (await tx.run(sql`
    insert into sms_projects (project_id, phone_key) values (${project}, ${sealedKey})
    on conflict (project_id) do nothing`)) > 0

export const setCountries = (tx: Tx, project: ProjectId, countries: readonly string[] | null) =>
  tx.run(sql`update sms_projects set countries = ${countries}::text[] where project_id = ${project}`)

export interface Rate {
  id: string
  base: number
  carrierFee: number
  currency: string
}

/** The newest that has begun; one for the category before one for all. */
export const rate = (db: Db, country: string, senderType: string, category: string) =>
  db.maybeOne(sql<Rate>`
    select id, base_micros as base, carrier_fee_micros as "carrierFee", currency
      from sms_rates
     where country = ${country}
       and sender_type = ${senderType}
       and (category is null or category = ${category})
       and effective_from <= clock_now()
     order by category is null, effective_from desc
     limit 1`)

export interface NewRate {
  country: string
  senderType: string
  category: string | null
  base: bigint
  carrierFee: bigint
  currency: string
  refundUndelivered: boolean
  effectiveFrom: Date
}

/** How many are new: a row that is there already stays as it is, because messages name it. */
export const addRates = (tx: Tx, rates: readonly NewRate[]) =>
  tx.run(sql`
    insert into sms_rates
      (id, country, sender_type, category, base_micros, carrier_fee_micros, currency, refund_undelivered, effective_from)
    select gen_random_uuid(), *
      from unnest(${rates.map((r) => r.country)}::text[], ${rates.map((r) => r.senderType)}::text[],
                  ${rates.map((r) => r.category)}::text[], ${rates.map((r) => r.base)}::bigint[],
                  ${rates.map((r) => r.carrierFee)}::bigint[], ${rates.map((r) => r.currency)}::text[],
                  ${rates.map((r) => r.refundUndelivered)}::boolean[],
                  ${rates.map((r) => r.effectiveFrom)}::timestamptz[])
    on conflict do nothing`)
