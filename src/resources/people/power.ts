/** Who may change whom. Only the roles owner and admin of the workspace change people at all: see `core/roles.ts`. */
import type { Caller } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'
import type { WorkspaceId } from '../../core/ids.ts'
import { holds, isWider, type Role } from '../../core/roles.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Roles } from './schema.ts'
import * as store from './store/people.ts'

/** The operator at the command line may do everything. */
export interface OperatorOfPeople {
  type: 'operator'
  workspaceId: WorkspaceId
}

export type ChangerOfPeople = OperatorOfPeople | Caller

/** A key acts like an admin: it neither makes nor changes owners. */
const ROLE_OF_KEYS: Role = 'admin'

/** People belong to the workspace: to a key that is bound to a project there are none. */
export const isBound = (changer: ChangerOfPeople): boolean => changer.type !== 'operator' && changer.projectIds !== null

export function requireWorkspace(changer: ChangerOfPeople): void {
  if (!isBound(changer)) return
  throw new DomainError(
    'project_not_allowed',
    'People belong to the workspace: use a workspace key, or ask an admin of the workspace.',
  )
}

/**
 * The role that the changer has at this moment. To be asked with the workspace locked: a person who was lowered while their
 * request waited does no more than their new role allows.
 */
export async function powerIn(tx: Tx, changer: ChangerOfPeople): Promise<Role> {
  switch (changer.type) {
    case 'operator':
      return 'owner'
    case 'key':
      if (await store.isLiveKey(tx, changer.keyId)) return ROLE_OF_KEYS
      throw new DomainError('unauthorized', 'This key was revoked.')
    case 'person': {
      const now = await store.roleOfActor(tx, changer.sessionId)
      if (now === undefined) throw new DomainError('unauthorized', 'Your session has ended: sign in again.')
      if (now.role !== null && holds({ role: now.role, isWorkspace: true }, 'people:write', false)) return now.role
      throw new DomainError('insufficient_scope', 'Your role does not include the scope people:write.', {
        requiredScope: 'people:write',
      })
    }
  }
}

/** A person gives, takes away and withdraws no role that is wider than their own. */
export function refuseWider(power: Role, ...all: readonly Roles[]): void {
  const wider = all
    .flatMap(({ workspace, projects }) => [workspace, ...projects.map(({ role }) => role)])
    .find((role) => role !== null && isWider(role, power))
  if (wider === undefined) return
  throw new DomainError(
    'insufficient_scope',
    `The role ${wider} is wider than yours (${power}): ask a person who has it.`,
  )
}
