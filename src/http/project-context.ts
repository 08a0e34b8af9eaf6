import type { Identity, ProjectContext, Session } from '../core/caller.ts'
import { DomainError, notFound, projectArchived } from '../core/errors.ts'
import { encodeId } from '../core/ids.ts'
import type { ApiContext, Method } from './route.ts'

export const PROJECT_HEADER = 'x-service-project-id'

/**
 * The project of a call from its key and header, before the body is looked at. A header is checked wherever it is
 * sent, so that it also works as a guard on calls that do not need it.
 */
export function projectOfCall(
  { caller, project }: Identity,
  header: string | undefined,
  context: ApiContext,
  method: Method,
): ProjectContext | undefined {
  if (caller.projectId !== null) {
    if (header !== undefined && header !== encodeId('prj', caller.projectId))
      throw notAllowed(
        'This key is bound to another project: leave out the header X-Service-Project-ID, or use a key of that project.',
      )
    if (project?.status === 'archived') throw projectArchived()
  } else if (header !== undefined && project === undefined) {
    throw notFound('project')
  }
  if (context === 'workspace') return undefined
  if (project === undefined && context === 'project') throw required()
  if (project?.status === 'archived' && method !== 'GET') throw projectArchived()
  return project
}

/** A person names the project in every call that is about one; that their role reaches it has been checked. */
export function projectOfPerson({ project }: Session, context: ApiContext, method: Method): ProjectContext | undefined {
  if (context === 'workspace') return undefined
  if (project === undefined) {
    throw new DomainError('project_required', 'Name the project in the header X-Service-Project-ID.')
  }
  if (project.status === 'archived' && method !== 'GET') throw projectArchived()
  return project
}

const required = (): DomainError =>
  new DomainError(
    'project_required',
    'This key is not bound to a project: name one in the header X-Service-Project-ID.',
  )

const notAllowed = (sentence: string): DomainError => new DomainError('project_not_allowed', sentence)
