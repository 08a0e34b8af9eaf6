import type { Caller } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'

/**
 * What counts for the whole installation is for owners and admins of the workspace, never for a role in a project, however
 * wide. Of keys only those count that may do everything in all projects: a key for the queue alone is a project's tool.
 */
export function requireInstallation(caller: Caller): void {
  const isBound = caller.projectIds !== null
  if (!isBound && caller.fullAccess) return
  throw new DomainError(
    'insufficient_scope',
    'This counts for the whole installation: it needs the workspace role owner or admin, or a workspace key with full access.',
    { requiredScope: 'queue:write' },
  )
}
