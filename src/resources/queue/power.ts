import type { Caller } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'

const SENTENCE =
  'This counts for the whole installation: it needs the workspace role owner or admin, or a workspace key with full access.'

/**
 * What counts for the whole installation is for owners and admins of the workspace, never for a role in a project, however
 * wide. Of keys only those count that may do everything in all projects: a key for the queue alone is a project's tool.
 */
export function requireInstallation(caller: Caller): void {
  if (caller.projectIds !== null) throw new DomainError('project_not_allowed', SENTENCE)
  if (!caller.fullAccess) throw new DomainError('insufficient_scope', SENTENCE, { missingScopes: ['*'] })
}
