import { DomainError, notFound, type Problem } from '../core/errors.ts'
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
      throw notAllowed(
        'This key is bound to another project: leave out the header X-Service-Project-ID, or use a key of that project.',
      )
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
 * The project of a send. The verified domain in `from` decides; a header that says otherwise is refused rather than
 * obeyed. Without a domain (the sandbox sender) only the key or the header can tell. A domain that is nobody's is
 * refused at once only where nothing else names a project: a repeated request must still get its first answer. Whoever
 * calls this passes no project that the caller may not see: its domains are answered like those that are nobody's.
 */
export function projectOfSender(
  named: ProjectContext | undefined,
  sender: { kind: 'sandbox' } | { kind: 'domain'; name: string; project: ProjectContext | undefined },
): ProjectContext {
  const project = sender.kind === 'sandbox' ? named : (sender.project ?? named)
  if (project === undefined) throw sender.kind === 'sandbox' ? sandboxNeedsProject() : domainNotVerified(sender.name)
  if (named !== undefined && named.id !== project.id) throw senderNotAllowed()
  if (project.status === 'archived') throw archived()
  return project
}

export const domainNotVerified = (name: string): DomainError =>
  new DomainError(
    'domain_not_verified',
    `${name} is not a verified sending domain: add it with POST /domains, then verify it.`,
  )

/** Where several emails were sent, with the places of those that are meant. */
export const senderNotAllowed = (details?: readonly Problem[]): DomainError =>
  new DomainError(
    'project_not_allowed',
    "The header X-Service-Project-ID names another project than the sender domain's. Name that one, or leave the header out.",
    details && { details },
  )

const sandboxNeedsProject = (): DomainError =>
  new DomainError(
    'project_required',
    'The sandbox sender belongs to no project. Name one in the header X-Service-Project-ID.',
  )

const required = (): DomainError =>
  new DomainError(
    'project_required',
    'This key is not bound to a project: name one in the header X-Service-Project-ID.',
  )

const notAllowed = (sentence: string): DomainError => new DomainError('project_not_allowed', sentence)

const archived = (): DomainError =>
  new DomainError(
    'project_archived',
    'The project is archived: what is in it can be read with a workspace key, and nothing can be written.',
  )
