import { DomainError, notFound } from '../core/errors.ts'
import type { ProjectContext } from '../core/caller.ts'
import { encodeId } from '../core/ids.ts'
import type { Identity } from './authenticate.ts'
import type { ContextKind, Method } from './route.ts'

export const PROJECT_HEADER = 'x-service-project-id'

/**
 * The project of a call from its key and header, before the body is looked at. A header is checked wherever it is
 * sent, so that it also works as a guard on calls that do not need it.
 */
export function projectOfCall(
  { caller, project }: Identity,
  header: string | undefined,
  context: Exclude<ContextKind, 'none'>,
  method: Method,
): ProjectContext | undefined {
  if (caller.projectId !== null) {
    if (header !== undefined && header !== encodeId('prj', caller.projectId))
      throw notAllowed('This key is bound to another project.')
    if (project?.status === 'archived') throw archived()
  } else if (header !== undefined && project === undefined) {
    throw notFound('project')
  }
  if (context === 'workspace') return undefined
  if (project === undefined && context === 'project') throw required()
  if (project?.status === 'archived' && method !== 'GET') throw archived()
  return project
}

/**
 * The project of a send. The verified domain in `from` decides; a key or header that says otherwise is refused rather
 * than obeyed. Without a domain (the sandbox sender) only the key or the header can tell.
 */
export function projectOfSender(
  named: ProjectContext | undefined,
  sender: { kind: 'sandbox' } | { kind: 'domain'; name: string; project: ProjectContext | undefined },
): ProjectContext {
  if (sender.kind === 'sandbox') {
    if (named === undefined) throw required()
    return named
  }
  if (sender.project === undefined) {
    throw new DomainError('domain_not_verified', `${sender.name} is not a verified sending domain.`)
  }
  if (named !== undefined && named.id !== sender.project.id) {
    throw notAllowed("The named project is not the sender domain's.")
  }
  if (sender.project.status === 'archived') throw archived()
  return sender.project
}

const required = (): DomainError =>
  new DomainError('project_required', 'Name the project in the header X-Service-Project-ID.')

const notAllowed = (sentence: string): DomainError => new DomainError('project_not_allowed', sentence)

const archived = (): DomainError => new DomainError('project_archived', 'The project is archived.')
