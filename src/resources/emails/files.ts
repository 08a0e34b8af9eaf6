import { invalid, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { encodeId, type AttachmentId } from '../../core/ids.ts'
import { encodeReference, type MailReference } from '../../core/mail-reference.ts'
import { addressKey, parseAddress } from '../../mail/address.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/postgres.ts'
import { dueOf, isKeyRotated, type DueDelivery } from './store/deliver.ts'
import { attachmentsOf, type EmailRow } from './store/read.ts'
import { findIn, findWhole, type Viewer } from './viewer.ts'
import { seenBy } from './content-access.ts'

interface EmailFilesOptions {
  db: Database
  blobs: Blobs
  /** The message for one recipient, as delivery composes and signs it. */
  compose(due: DueDelivery): Promise<Buffer>
}

export interface RawEmail {
  file: FileContent
  /** Whether the key that signs by now is another one than that of the message when it left. */
  isKeyRotated: boolean
}

/** What can be downloaded of an email. */
export class EmailFiles {
  readonly #options: EmailFilesOptions

  constructor(options: EmailFilesOptions) {
    this.#options = options
  }

  /** The bytes as they left, or will leave: everything in them follows from what was accepted. */
  async raw(viewer: Viewer, reference: MailReference, recipient: string | undefined): Promise<RawEmail> {
    const { db, compose } = this.#options
    const email = await findWhole(db.reads, viewer, reference)
    const position = recipient === undefined ? reference.position : positionOf(email, recipient)
    const due = await dueOf(db.reads, email.projectId, email.id, position)
    if (due === undefined) throw notFound('email')
    const content = await compose(due)
    const filename = `${encodeReference({ emailId: email.id, position })}.eml`
    return {
      file: { type: 'message/rfc822', filename, content },
      isKeyRotated: await isKeyRotated(db.reads, email.projectId, email.id, position),
    }
  }

  async attachment(viewer: Viewer, reference: MailReference, id: AttachmentId): Promise<FileContent> {
    const { db, blobs } = this.#options
    const email = await findIn(db.reads, viewer, reference)
    const attachments = await attachmentsOf(db.reads, email.projectId, email.contentId)
    const found = attachments.find((one) => one.id === id)
    // A list of attachments that may not be seen is shown as an empty one.
    if (found === undefined || seenBy(viewer, email).contentHidden) throw notFound('attachment')
    const content = await blobs.get(found.blob)
    if (content === undefined) throw new Error(`the bytes of ${encodeId('att', id)} are gone`)
    return { type: found.contentType, filename: found.filename, content }
  }
}

function positionOf({ addresses }: EmailRow, recipient: string): number {
  const parsed = parseAddress(recipient)
  if (!parsed.ok) throw invalid([{ path: '/query/recipient', message: parsed.problem }])
  const key = addressKey(parsed.value)
  const position = addresses.recipients.findIndex((one) => addressKey(one) === key)
  if (position === -1) throw notFound('recipient of this email')
  return position
}
