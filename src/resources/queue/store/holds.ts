import { madeBy, type Actor } from '../../../core/caller.ts'
import { newId, type ProjectId, type WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql, type Query } from '../../../storage/sql.ts'
import type { HoldRow } from '../schema.ts'

/**
 * The words of whoever paused mail of the project to the destination of `q`; null where it is not paused. A part of every claim
 * and of every permission.
 */
export const paused: Query<never> = sql<never>`
  (select coalesce(h.because, '')
     from destination_holds h
    where h.destination = q.destination
      and (h.project_id is null or h.project_id = q.project_id)
    order by h.project_id
    limit 1)`

/** For a process that does not ask. */
export const nobodyPaused: Query<never> = sql<never>`null`

/** Whoever lifts one of these pauses waits for the end of the transaction. */
export const lockPauses = (tx: Tx, deliveries: readonly string[]) =>
  tx.all(sql`
    select h.id
      from destination_holds h
     where exists (select from deliveries q
                    where q.id = any(${deliveries}::uuid[])
                      and q.destination = h.destination
                      and (h.project_id is null or h.project_id = q.project_id))
     order by h.id
       for key share of h`)

export const isPaused = async (db: Db, project: ProjectId, destination: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select from destination_holds
     where destination = ${destination} and (project_id is null or project_id = ${project})
     limit 1`)) !== undefined

/** The pauses that count for a project. Its own comes before that of the installation. */
export const holdsFor = (db: Db, project: ProjectId, destination?: string) =>
  db.all(sql<HoldRow>`
    select h.destination, h.workspace_id as "workspaceId", h.project_id as "projectId", h.key_id as "keyId",
           h.person_id as "personId", h.because, h.since,
           coalesce((select name from api_keys where api_keys.id = h.key_id),
                    (select name from people where people.id = h.person_id)) as name
      from destination_holds h
     where (h.project_id is null or h.project_id = ${project})
       and (${destination ?? null}::text is null or h.destination = ${destination ?? null})
     order by h.project_id nulls last`)

export const countHolds = async (tx: Tx, project: ProjectId | null): Promise<number> =>
  (
    await tx.one(sql<{ count: number }>`
    select count(*) as count
      from destination_holds
     where ${project === null ? sql<never>`project_id is null` : sql<never>`project_id = ${project}`}`)
  ).count

export interface NewHold {
  workspaceId: WorkspaceId
  projectId: ProjectId | null
  destination: string
  because: string | null
}

/** False when it was paused already; the first words stay. */
export const pause = async (tx: Tx, actor: Actor, hold: NewHold): Promise<boolean> => {
  const { keyId, personId } = madeBy(actor)
  return (
    (await tx.run(sql`
    insert into destination_holds (id, workspace_id, project_id, destination, key_id, person_id, because)
    values (${newId()}, ${hold.workspaceId}, ${hold.projectId}, ${hold.destination}, ${keyId}, ${personId},
            ${hold.because})
    on conflict (destination, project_id) do nothing`)) > 0
  )
}

/** False when it was not paused. */
export const resume = async (tx: Tx, project: ProjectId | null, destination: string): Promise<boolean> =>
  (await tx.run(sql`
    delete from destination_holds
     where destination = ${destination} and project_id is not distinct from ${project}::uuid`)) > 0
