import type { Actor, Visitor } from '../../core/caller.ts'
import { DomainError, linkUsed, notFound } from '../../core/errors.ts'
import { encodeId, newId, type InvitationId, type WorkspaceId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { hashToken, newSecretToken } from '../../core/secret-token.ts'
import { recordAudit, type AuditAction } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Sessions, StartedSession } from '../sessions/index.ts'
import { joinIn, readEmailAddress } from './new-person.ts'
import { isBound, powerIn, refuseWider, requireWorkspace, type ChangerOfPeople } from './power.ts'
import { readRoles } from './role-input.ts'
import type {
  CreateInvitation,
  Invitation,
  InvitationView,
  NewInvitationView,
  Roles,
  WithdrawnInvitationView,
} from './schema.ts'
import { projects as projectsOf } from './store/account.ts'
import * as store from './store/invitations.ts'
import * as people from './store/people.ts'
import { find as findWorkspace } from './store/workspace.ts'
import { invitationMail, markOf, type SystemMailer } from './system-mail.ts'
import { invitationView, rolesView } from './views.ts'
import type { ChosenWay, WaysIn } from './ways-in.ts'

const INVITATION_DAYS = 7

interface InvitationsOptions {
  db: Database
  sessions: Sessions
  waysIn: WaysIn
  publicUrl: string
  mailer: SystemMailer
}

export interface Joining extends ChosenWay {
  token: string
  name: string
}

/**
 * open → accepted, replaced or withdrawn; or it runs out after seven days. Its link is good once and proves nothing but
 * itself: whoever follows it joins, with the roles that it was made for.
 */
export class Invitations {
  readonly #options: InvitationsOptions

  constructor(options: InvitationsOptions) {
    this.#options = options
  }

  async list(reader: ChangerOfPeople, request: PageRequest): Promise<Page<InvitationView>> {
    const rows = isBound(reader) ? [] : await store.list(this.#options.db.reads, reader.workspaceId, request)
    return page(rows, request, invitationView)
  }

  /** A new invitation takes the place of those that the address had. */
  async create(changer: ChangerOfPeople, actor: Actor, fields: CreateInvitation): Promise<NewInvitationView> {
    requireWorkspace(changer)
    const email = readEmailAddress(fields.email)
    const token = newSecretToken('pi_')
    const { workspaceId } = changer
    const made = await this.#changing(changer, async (tx, refuse) => {
      const roles = await readRoles(tx, workspaceId, fields, { workspace: null, projects: [] })
      refuse(roles)
      const known = await people.findByEmail(tx, workspaceId, email)
      if (known !== undefined) throw isHere(encodeId('per', known.id))
      for (const before of await store.openFor(tx, workspaceId, email)) {
        refuse(before.roles)
        await store.end(tx, workspaceId, before.id)
      }
      const invitedBy = actor.type === 'person' ? actor.personId : null
      const id = newId<'inv'>()
      const invitation = await store.insert(
        tx,
        { id, workspaceId, email, roles, tokenHash: hashToken(token), invitedBy },
        INVITATION_DAYS,
      )
      await audit(tx, actor, 'person.invited', invitation, rolesView(roles))
      return invitation
    })
    return this.#handedOver(made, token)
  }

  /** The link before is worth nothing from then on. */
  async renew(changer: ChangerOfPeople, actor: Actor, id: InvitationId): Promise<NewInvitationView> {
    const token = newSecretToken('pi_')
    const { workspaceId } = changer
    const renewed = await this.#changing(changer, async (tx, refuse) => {
      refuse((await findIn(tx, workspaceId, id)).roles)
      const invitation = await store.renew(tx, workspaceId, id, hashToken(token), INVITATION_DAYS)
      await audit(tx, actor, 'invitation.renewed', invitation)
      return invitation
    })
    return this.#handedOver(renewed, token)
  }

  withdraw(changer: ChangerOfPeople, actor: Actor, id: InvitationId): Promise<WithdrawnInvitationView> {
    const { workspaceId } = changer
    return this.#changing(changer, async (tx, refuse) => {
      const invitation = await findIn(tx, workspaceId, id)
      refuse(invitation.roles)
      await store.end(tx, workspaceId, id)
      await audit(tx, actor, 'invitation.withdrawn', invitation)
      return { id: encodeId('inv', id), deleted: true }
    })
  }

  /** What an invitation offers, shown before it is accepted. */
  async read(token: string) {
    const { db, mailer } = this.#options
    const invitation = await store.findByMark(db, markOf(mailer, 'invitation', token))
    if (invitation === undefined) throw linkUsed()
    const { role, projects } = rolesView(invitation.roles)
    const ids = invitation.roles.projects.map(({ projectId }) => projectId)
    const known = await projectsOf(db.reads, invitation.workspaceId, ids)
    const names = new Map(known.map(({ id, name }) => [encodeId('prj', id), name]))
    return {
      email: invitation.email,
      workspace: invitation.workspaceName,
      role,
      projects: projects.map((held) => ({ ...held, name: names.get(held.projectId) ?? '' })),
      invitedBy: invitation.inviter,
      expiresAt: invitation.expiresAt.toISOString(),
    }
  }

  async accept(visitor: Visitor, { token, name, ...chosen }: Joining): Promise<StartedSession> {
    const { db, sessions, waysIn, mailer } = this.#options
    const { email } = await this.read(token)
    const { password, passkey } = await waysIn.prepare(chosen, { name, email })
    return db.transaction(async (tx) => {
      const mark = markOf(mailer, 'invitation', token)
      const invitation = await store.accept(tx, mark)
      if (invitation === undefined) throw linkUsed()
      const { workspaceId, roles } = invitation
      const person = { workspaceId, name, email, emailVerified: mark.emailId !== null, password, passkey, roles }
      return joinIn(tx, sessions, visitor, person)
    })
  }

  async #changing<T>(
    changer: ChangerOfPeople,
    work: (tx: Tx, refuse: (roles: Roles) => void) => Promise<T>,
  ): Promise<T> {
    if (isBound(changer)) throw notFound('invitation')
    return this.#options.db.transaction(async (tx) => {
      await people.lock(tx, changer.workspaceId)
      const power = await powerIn(tx, changer)
      return work(tx, (roles) => refuseWider(power, roles))
    })
  }

  /** The mail has a link of its own: who follows it has the address, which whoever sees the other link need not have. */
  async #handedOver(invitation: Invitation, token: string): Promise<NewInvitationView> {
    const { db, mailer, publicUrl } = this.#options
    const page = `${publicUrl}/invitation`
    const { name } = await findWorkspace(db.reads, invitation.workspaceId)
    const inviter =
      invitation.invitedBy && (await people.find(db.reads, invitation.workspaceId, invitation.invitedBy))?.name
    const mail = invitationMail(invitation.email, name, inviter ?? null, page)
    const email = await mailer.send(invitation.workspaceId, mail)
    const shown = email && (await store.markMailed(db, invitation, hashToken(token), email))
    return { ...invitationView(shown ?? invitation), link: `${page}#${token}` }
  }
}

async function findIn(tx: Tx, workspace: WorkspaceId, id: InvitationId): Promise<Invitation> {
  const invitation = await store.find(tx, workspace, id)
  if (invitation === undefined) throw notFound('invitation')
  return invitation
}

const isHere = (existingId: string): DomainError =>
  new DomainError('already_exists', 'There is a person with this address already.', { existingId })

const audit = (
  tx: Tx,
  actor: Actor,
  action: AuditAction,
  { id, workspaceId }: Invitation,
  details: Readonly<Record<string, unknown>> = {},
): Promise<void> =>
  recordAudit(tx, actor, { workspaceId, projectId: null, action, subject: encodeId('inv', id), details })
