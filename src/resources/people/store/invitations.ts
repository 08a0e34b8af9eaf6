import type { EmailId, InvitationId, PersonId, WorkspaceId } from '../../../core/ids.ts'
import type { PageRequest } from '../../../core/page.ts'
import type { Db, Tx } from '../../../storage/postgres.ts'
import { sql } from '../../../storage/sql.ts'
import type { Invitation, LinkMark, Roles } from '../schema.ts'

const columns = sql`
  id, workspace_id as "workspaceId", email, roles, invited_by as "invitedBy", email_id is not null as mailed, created_at as "createdAt",
  expires_at as "expiresAt"`

const isOpen = sql`ended_at is null and expires_at > clock_now()`

export const list = (db: Db, workspace: WorkspaceId, { limit, after }: PageRequest) =>
  db.all(sql<Invitation>`
    select ${columns}
      from invitations
     where workspace_id = ${workspace}
       and ${isOpen}
       and (${after}::uuid is null or id < ${after}::uuid)
     order by id desc
     limit ${limit + 1}`)

export interface NewInvitation {
  id: InvitationId
  workspaceId: WorkspaceId
  email: string
  roles: Roles
  tokenHash: Buffer
  invitedBy: PersonId | null
}

export const insert = (tx: Tx, invitation: NewInvitation, days: number) =>
  tx.one(sql<Invitation>`
    insert into invitations (id, workspace_id, email, roles, token_hash, invited_by, expires_at)
    values (${invitation.id}, ${invitation.workspaceId}, ${invitation.email}, ${JSON.stringify(invitation.roles)},
            ${invitation.tokenHash}, ${invitation.invitedBy}, clock_now() + make_interval(days => ${days}))
    returning ${columns}`)

/** One that was neither accepted nor withdrawn; it may have run out, and can then be renewed. */
export const find = (tx: Tx, workspace: WorkspaceId, id: InvitationId) =>
  tx.maybeOne(sql<Invitation>`
    select ${columns} from invitations
     where workspace_id = ${workspace} and id = ${id} and ended_at is null
       for update`)

/** What the address is invited to so far. */
export const openFor = (tx: Tx, workspace: WorkspaceId, email: string) =>
  tx.all(sql<Invitation>`
    select ${columns} from invitations
     where workspace_id = ${workspace} and lower(email) = lower(${email}) and ended_at is null
       for update`)

export const renew = (tx: Tx, workspace: WorkspaceId, id: InvitationId, tokenHash: Buffer, days: number) =>
  tx.one(sql<Invitation>`
    update invitations
       set token_hash = ${tokenHash}, email_id = null, expires_at = clock_now() + make_interval(days => ${days})
     where workspace_id = ${workspace} and id = ${id} and ended_at is null
    returning ${columns}`)

/** Undefined when it has ended or was renewed meanwhile. */
export const markMailed = (db: Db, invitation: Invitation, tokenHash: Buffer, email: EmailId) =>
  db.maybeOne(sql<Invitation>`
    update invitations set email_id = ${email}
     where workspace_id = ${invitation.workspaceId}
       and id = ${invitation.id}
       and token_hash = ${tokenHash}
       and ended_at is null
    returning ${columns}`)

export const end = async (tx: Tx, workspace: WorkspaceId, id: InvitationId): Promise<boolean> =>
  (await tx.run(sql`
    update invitations set ended_at = clock_now()
     where workspace_id = ${workspace} and id = ${id} and ended_at is null`)) === 1

/** Ends the open invitations that this person sent. */
export const endThoseOf = (tx: Tx, workspace: WorkspaceId, person: PersonId) =>
  tx.run(sql`
    update invitations set ended_at = clock_now()
     where workspace_id = ${workspace} and invited_by = ${person} and ended_at is null`)

const isMarked = ({ tokenHash, emailId }: LinkMark) =>
  sql`(token_hash = ${tokenHash} or email_id = ${emailId}) and ${isOpen}`

export const findByMark = (db: Db, mark: LinkMark) =>
  db.maybeOne(sql<Invitation & { inviter: string | null; workspaceName: string }>`
    select ${columns},
           (select name from people where people.id = invited_by) as inviter,
           (select name from workspaces where workspaces.id = workspace_id) as "workspaceName"
      from invitations
     where ${isMarked(mark)}`)

/** Undefined when the link was used, replaced or withdrawn, or is too old. */
export const accept = (tx: Tx, mark: LinkMark) =>
  tx.maybeOne(sql<Invitation>`
    update invitations set ended_at = clock_now() where ${isMarked(mark)} returning ${columns}`)

export const forget = (db: Db, days: number) =>
  db.run(sql`
    delete from invitations
     where ended_at < clock_now() - make_interval(days => ${days})
        or expires_at < clock_now() - make_interval(days => ${days})`)
