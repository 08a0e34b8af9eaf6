import type { Caller, ProjectContext } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import type { MailReference } from '../../core/mail-reference.ts'
import type { Db } from '../../storage/postgres.ts'
import { readerOf, seenBy, type Reader } from './content-access.ts'
import * as store from './store/read.ts'

/** Which emails the caller can look up, and whether the caller sees their content. */
export type Viewer = store.Visibility & Reader

/** An email is looked up in the whole workspace, unless the key or the header names a project. */
export const viewerOf = ({ caller, project }: { caller: Caller; project: ProjectContext | undefined }): Viewer => ({
  workspaceId: caller.workspaceId,
  projectId: project?.id ?? null,
  ...readerOf(caller),
})

/** A recipient that the email does not have names no email. */
export async function findIn(
  db: Db,
  viewer: store.Visibility,
  { emailId, position }: MailReference,
): Promise<store.EmailRow> {
  const email = await store.find(db, viewer, emailId)
  if (email === undefined || position >= email.addresses.recipients.length) throw notFound('email')
  return email
}

/** Finds an email whose content is still there and may be seen: nobody gets the whole of it otherwise. */
export async function findWhole(db: Db, viewer: Viewer, reference: MailReference): Promise<store.EmailRow> {
  const email = await findIn(db, viewer, reference)
  if (email.purgedAt !== null) {
    throw new DomainError('invalid_state', 'What the email says is not kept any more: see contentPurgedAt.', {
      state: 'purged',
    })
  }
  if (email.options.accountLink !== undefined) {
    throw new DomainError(
      'invalid_state',
      'This email holds a link that lets its recipient sign in, so it cannot be downloaded or sent again: make a new link instead.',
      {
        state: 'hidden',
      },
    )
  }
  if (seenBy(viewer, email).contentHidden) {
    throw new DomainError('invalid_state', 'This key may not see what the email says: see its contentAccess.', {
      state: 'hidden',
    })
  }
  return email
}
