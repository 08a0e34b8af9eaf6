import type { Session } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'
import { encodeId } from '../../core/ids.ts'
import { holds, roleGrants, type Held } from '../../core/roles.ts'
import { scopes, type Scope } from '../../core/scopes.ts'
import type { Database } from '../../storage/postgres.ts'
import type { Sessions } from '../sessions/index.ts'
import * as accounts from './store/account.ts'
import { list, type PasskeyRow } from './store/passkeys.ts'
import * as workspaces from './store/workspace.ts'

/** All that a person's own pages show of them, and what they may do where. */
export class Descriptions {
  readonly #db: Database
  readonly #sessions: Sessions

  constructor(db: Database, sessions: Sessions) {
    this.#db = db
    this.#sessions = sessions
  }

  async session(session: Session) {
    const { workspaceId, sessionId, workspaceRole, projectRoles } = session
    const db = this.#db.reads
    const [person, workspace, projects, times] = await Promise.all([
      this.#person(session),
      workspaces.find(db, workspaceId),
      accounts.projects(db, workspaceId, workspaceRole === null ? [...projectRoles.keys()] : null),
      this.#sessions.times(sessionId),
    ])
    return {
      person,
      workspace: { id: encodeId('acc', workspace.id), name: workspace.name },
      roles: {
        workspace: workspaceRole,
        projects: [...projectRoles].map(([id, role]) => ({ projectId: encodeId('prj', id), role })),
      },
      projects: projects.map(({ id, name, status }) => ({
        id: encodeId('prj', id),
        name,
        status,
        ...abilities(heldIn(session, id)),
      })),
      lacksSecondFactor: session.lacksSecondFactor,
      confirmedUntil: times.confirmedUntil.toISOString(),
      expiresAt: times.expiresAt.toISOString(),
    }
  }

  async #person({ workspaceId, personId }: Session) {
    const [account, passkeys] = await Promise.all([
      accounts.find(this.#db.reads, workspaceId, personId),
      list(this.#db.reads, personId),
    ])
    if (account === undefined) throw new DomainError('unauthorized', 'Your session has ended: sign in again.')
    const { id, hasTotp, ...shown } = account
    return { id: encodeId('per', id), ...shown, passkeys: passkeys.map(passkeyView), totp: hasTotp }
  }
}

export const passkeyView = ({ id, name, createdAt, lastUsedAt }: PasskeyRow) => ({
  id: encodeId('psk', id),
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

const heldIn = ({ workspaceRole, projectRoles }: Session, project: accounts.ProjectOfAccount['id']): Held[] => {
  const role = projectRoles.get(project)
  return [
    ...(workspaceRole === null ? [] : [{ role: workspaceRole, isWorkspace: true }]),
    ...(role === undefined ? [] : [{ role, isWorkspace: false }]),
  ]
}

/** What may be changed, what may only be read, and whether anything may be sent. */
function abilities(held: readonly Held[]): { can: Scope[]; reads: Scope[]; maySend: boolean } {
  const can = scopes.filter((scope) => held.some((each) => holds(each, scope, false)))
  const readable = scopes.filter((scope) => held.some((each) => holds(each, scope, true)))
  return {
    can,
    reads: readable.filter((scope) => !can.includes(scope)),
    maySend: held.some(({ role }) => roleGrants[role].maySend),
  }
}
