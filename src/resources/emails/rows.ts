import { newId, type BatchId, type DomainId, type EmailId, type ProjectId, type TemplateId } from '../../core/ids.ts'
import type { NewEvent } from '../../events/publish.ts'
import { addressKey } from '../../mail/address.ts'
import { formatContentType } from '../../mail/content-type.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Suppression } from '../suppressions/index.ts'
import { mailbox } from './address-book.ts'
import type { PreparedEmail } from './prepare.ts'
import type { MailSource } from './states.ts'

/** An email that is accepted. */
export interface AcceptedEmail {
  id: EmailId
  email: PreparedEmail
  createdAt: Date
  isScheduled: boolean
}

export interface OwnedEmail extends AcceptedEmail {
  batchId: BatchId | null
  contentId: string
}

export const contentRow = ({ contentId, email }: OwnedEmail) => ({
  id: contentId,
  projectId: email.project.id,
  headers: email.request.headers,
  variables: email.request.variables,
  ...email.content,
})

export const emailRow = ({ id, email, batchId, contentId, createdAt }: OwnedEmail) => {
  const { from, replyTo, recipients, tags, metadata, inReplyTo, sendAt } = email.request
  return {
    id,
    projectId: email.project.id,
    contentId,
    domainId: email.domainId,
    batchId,
    keyId: email.keyId,
    personId: email.personId,
    sender: addressKey(from),
    addresses: {
      from: mailbox(from),
      replyTo: replyTo.map(mailbox),
      recipients: recipients.map(({ kind, address }) => ({ ...mailbox(address), kind })),
    },
    tags,
    options: {
      metadata,
      tracking: email.tracking,
      inReplyTo: inReplyTo ?? null,
      ...(email.resentFrom === undefined ? {} : { resentFrom: email.resentFrom }),
      ...(email.accountLink === undefined ? {} : { accountLink: email.accountLink }),
    },
    sendAt: sendAt ?? null,
    createdAt,
  }
}

/** A recipient of an accepted email, as it is counted. */
export interface CountedRecipient {
  projectId: ProjectId
  at: Date
  domainId: DomainId | null
  source: MailSource
  templateId: TemplateId | null
  /** As `name:value`. */
  tags: readonly string[]
  /** The domain of the recipient's address. */
  domain: string
}

/** Must begin with its statement, as everything that is written with the emails. */
export type CountAccepted = (tx: Tx, recipients: readonly CountedRecipient[]) => Promise<void>

/** Recipients that are suppressed are accepted, too: what became of them is counted beside it. */
export function countedRows({ email, createdAt }: OwnedEmail): CountedRecipient[] {
  const { project, request, domainId, content } = email
  const tags = Object.entries(request.tags).map(([name, value]) => `${name}:${value}`)
  const { templateId } = content
  return request.recipients.map(({ address: { domain } }) => ({
    projectId: project.id,
    at: createdAt,
    domainId,
    source: 'transactional',
    templateId,
    tags,
    domain,
  }))
}

export const tagRows = ({ id, email: { project, request } }: OwnedEmail) =>
  Object.entries(request.tags).map(([name, value]) => ({ projectId: project.id, emailId: id, name, value }))

/** Where each recipient's mail goes and since when they must not be mailed, as far as that is known. */
export interface Knowledge {
  destinationOf(domain: string): string | undefined
  suppressionOf(recipient: string): Suppression | undefined
}

export type RecipientRow = ReturnType<typeof recipientRows>[number]

export const recipientRows = (
  { id: emailId, email, createdAt, isScheduled }: OwnedEmail,
  { destinationOf, suppressionOf }: Knowledge,
) =>
  email.request.recipients.map(({ key, address }, position) => ({
    id: newId<'em'>(),
    projectId: email.project.id,
    workspaceId: email.project.workspaceId,
    emailId,
    position,
    recipient: key,
    address: address.email,
    domain: address.domain,
    destination: destinationOf(address.domain) ?? null,
    dueAt: isScheduled ? (email.request.sendAt ?? createdAt) : createdAt,
    state: isScheduled ? ('waiting' as const) : ('ready' as const),
    suppression: suppressionOf(key),
  }))

export const suppressedEvent = ({ suppression, ...row }: RecipientRow): NewEvent => ({
  projectId: row.projectId,
  workspaceId: row.workspaceId,
  kind: 'email.suppressed',
  messageId: row.emailId,
  position: row.position,
  recipient: row.address,
  detail: `On the suppression list (${suppression?.reason ?? 'manual'}); not sent.`,
})

/** Stores the bytes; the caller has to wait for that before anything else is written. */
export const attachmentRows = (tx: Tx, { email, contentId }: OwnedEmail) =>
  Promise.all(
    email.request.attachments.map(async (attachment, position) => {
      const blob = await email.blobs[position]?.put(tx)
      if (blob === undefined) throw new Error('an attachment was not staged')
      const { filename, contentType, contentId: cid = null, disposition, content } = attachment
      const file = { filename, contentType: formatContentType(contentType), cid, disposition, size: content.length }
      return { contentId, projectId: email.project.id, position, ...file, blob }
    }),
  )
