import type { ProjectStatus } from '../../../core/caller.ts'
import type { PersonId, ProjectId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'

export interface Account {
  id: PersonId
  name: string
  email: string
  locale: string | null
  timeZone: string | null
  singleKeys: boolean
  preferences: Record<string, unknown>
  hasPassword: boolean
  hasTotp: boolean
}

const columns = sql`
  id, name, email, locale, time_zone as "timeZone", single_keys as "singleKeys", preferences,
  password is not null as "hasPassword", totp_since is not null as "hasTotp"`

export const find = (db: Db, workspace: WorkspaceId, id: PersonId) =>
  db.maybeOne(sql<Account>`
    select ${columns} from people where workspace_id = ${workspace} and id = ${id} and removed_at is null`)

export interface AccountChange {
  name?: string
  locale?: string | null
  timeZone?: string | null
  singleKeys?: boolean
  preferences?: Record<string, unknown>
}

export const update = (tx: Tx, workspace: WorkspaceId, id: PersonId, change: AccountChange) =>
  tx.run(sql`
    update people
       set name = coalesce(${change.name}, name),
           locale = case when ${change.locale !== undefined} then ${change.locale ?? null} else locale end,
           time_zone = case when ${change.timeZone !== undefined} then ${change.timeZone ?? null} else time_zone end,
           single_keys = coalesce(${change.singleKeys}, single_keys),
           preferences = coalesce(${change.preferences && JSON.stringify(change.preferences)}::jsonb, preferences)
     where workspace_id = ${workspace} and id = ${id} and removed_at is null`)

export interface ProjectOfAccount {
  id: ProjectId
  name: string
  status: ProjectStatus
}

/** All projects, or those of these ids. */
export const projects = (db: Db, workspace: WorkspaceId, ids: readonly ProjectId[] | null) =>
  db.all(sql<ProjectOfAccount>`
    select id, name, status from projects
     where workspace_id = ${workspace} and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
     order by name, id`)
