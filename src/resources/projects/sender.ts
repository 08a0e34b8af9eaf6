import type { ProjectContext } from '../../core/caller.ts'
import { DomainError, projectArchived, type Problem } from '../../core/errors.ts'

/**
 * The project of a send. The verified domain in `from` decides; a header that says otherwise is refused rather than
 * obeyed. Without a domain (the sandbox sender) only the key or the header can tell. A domain that no project has is
 * refused at once only where nothing else names a project: a repeated request must still get its first answer. The
 * caller passes no project that the client may not see: its domains are answered like those that no project has.
 */
export function projectOfSender(
  named: ProjectContext | undefined,
  sender: { kind: 'sandbox' } | { kind: 'domain'; name: string; project: ProjectContext | undefined },
): ProjectContext {
  const project = sender.kind === 'sandbox' ? named : (sender.project ?? named)
  if (project === undefined) throw sender.kind === 'sandbox' ? sandboxNeedsProject() : domainNotVerified(sender.name)
  if (named !== undefined && named.id !== project.id) throw senderNotAllowed()
  if (project.status === 'archived') throw projectArchived()
  return project
}

export const domainNotVerified = (name: string): DomainError =>
  new DomainError(
    'domain_not_verified',
    `${name} is not a verified sending domain: add it with POST /domains, then verify it.`,
  )

/** `details` names the emails of a batch that are meant. */
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
