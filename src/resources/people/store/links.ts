import type { PersonId, WorkspaceId } from '../../../core/ids.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { LinkMark } from '../schema.ts'

export interface Link {
  workspaceId: WorkspaceId
  personId: PersonId | null
  withoutSecondFactor: boolean
  wasMailed: boolean
}

export interface NewLink extends LinkMark {
  kind: 'setup' | 'recovery'
  workspaceId: WorkspaceId
  personId: PersonId | null
  withoutSecondFactor: boolean
  /** The owner who made it for another person. */
  madeBy?: PersonId
}

const columns = sql`
  workspace_id as "workspaceId", person_id as "personId", without_second_factor as "withoutSecondFactor",
  email_id is not null as "wasMailed"`

/**
 * A new link takes the place of those before it that were for the same. One that is mailed replaces mailed ones only:
 * any visitor can ask for a mail, and must not end the link that an owner or the operator has just handed over.
 */
export async function replace(tx: Tx, link: NewLink, hours: number): Promise<{ expiresAt: Date }> {
  await tx.run(sql`
    delete from one_time_links
     where workspace_id = ${link.workspaceId} and kind = ${link.kind} and person_id is not distinct from ${link.personId}
       and (${link.emailId}::uuid is null or email_id is not null)`)
  return tx.one(sql<{ expiresAt: Date }>`
    insert into one_time_links (workspace_id, kind, person_id, token_hash, email_id, without_second_factor, made_by,
                                expires_at)
    values (${link.workspaceId}, ${link.kind}, ${link.personId}, ${link.tokenHash}, ${link.emailId},
            ${link.withoutSecondFactor}, ${link.madeBy ?? null}, clock_now() + make_interval(hours => ${hours}))
    returning expires_at as "expiresAt"`)
}

/** Ends the unused links by which this person could get back in. */
export const endThoseFor = (tx: Tx, workspace: WorkspaceId, person: PersonId) =>
  tx.run(sql`
    delete from one_time_links
     where workspace_id = ${workspace} and kind = 'recovery' and person_id = ${person} and used_at is null`)

/** Ends the unused links that this person made for others. */
export const endThoseOf = (tx: Tx, workspace: WorkspaceId, person: PersonId) =>
  tx.run(sql`
    delete from one_time_links where workspace_id = ${workspace} and made_by = ${person} and used_at is null`)

const isGood = (kind: NewLink['kind'], { tokenHash, emailId }: LinkMark) => sql`
  kind = ${kind} and (token_hash = ${tokenHash} or email_id = ${emailId}) and used_at is null and expires_at > clock_now()`

export const find = (db: Db, kind: NewLink['kind'], mark: LinkMark) =>
  db.maybeOne(sql<Link>`select ${columns} from one_time_links where ${isGood(kind, mark)}`)

/** Undefined when it was used or replaced, or is too old. */
export const use = (tx: Tx, kind: NewLink['kind'], mark: LinkMark) =>
  tx.maybeOne(sql<Link>`
    update one_time_links set used_at = clock_now() where ${isGood(kind, mark)} returning ${columns}`)

/** Whether the job may mail a link to the person now; if so, no other job may for so many minutes. */
export const mayMail = async (
  db: Db,
  workspace: WorkspaceId,
  person: PersonId,
  job: string,
  everyMinutes: number,
): Promise<boolean> =>
  (await db.run(sql`
    update people
       set link_mailed_at = clock_now(), link_mailed_by = ${job}
     where workspace_id = ${workspace}
       and id = ${person}
       and (link_mailed_at is null or link_mailed_at < clock_now() - make_interval(mins => ${everyMinutes})
            or link_mailed_by = ${job})`)) === 1

export const forget = (db: Db, days: number) =>
  db.run(sql`delete from one_time_links where expires_at < clock_now() - make_interval(days => ${days})`)
