import type { WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { UpdateWorkspace, Workspace } from '../schema.ts'

const columns = sql`
  id, name, session_days as "sessionDays", session_idle_hours as "sessionIdleHours",
  second_factor_required as "secondFactorRequired", created_at as "createdAt"`

export const find = (db: Db, id: WorkspaceId) =>
  db.one(sql<Workspace>`select ${columns} from workspaces where id = ${id}`)

export const rename = (tx: Tx, id: WorkspaceId, name: string) =>
  tx.run(sql`update workspaces set name = ${name} where id = ${id}`)

export const update = (tx: Tx, id: WorkspaceId, change: UpdateWorkspace) =>
  tx.one(sql<Workspace>`
    update workspaces
       set name = coalesce(${change.name}, name),
           session_days = case when ${change.sessionDays !== undefined} then ${change.sessionDays ?? null}::smallint
                               else session_days end,
           session_idle_hours = case when ${change.sessionIdleHours !== undefined}
                                     then ${change.sessionIdleHours ?? null}::int else session_idle_hours end,
           second_factor_required = coalesce(${change.secondFactor === undefined ? null : change.secondFactor === 'required'}::boolean,
                                             second_factor_required)
     where id = ${id}
    returning ${columns}`)
