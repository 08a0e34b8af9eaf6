import { encodeId } from '../../core/ids.ts'
import type { StoredEvent } from '../../events/publish.ts'
import { domainOf } from '../../mail/address.ts'
import { messageId } from '../../mail/message-id.ts'
import { shown, shownOfKind } from './address-book.ts'
import type { Seen } from './content-access.ts'
import type { EmailSummary, EmailView } from './schema.ts'
import { recipientStates, type RecipientState } from './states.ts'
import type { AttachmentRow, EmailRow, RecipientRow, SummaryRow } from './store/read.ts'

export const emailSummary = (email: Seen<SummaryRow>): EmailSummary => ({
  id: encodeId('em', email.id),
  projectId: encodeId('prj', email.projectId),
  status: email.status,
  from: shown(email.addresses.from),
  to: shownOfKind(email.addresses, 'to'),
  subject: email.subject,
  contentHidden: email.contentHidden,
  tags: email.tags,
  sendAt: email.sendAt?.toISOString() ?? null,
  createdAt: email.createdAt.toISOString(),
  batchId: email.batchId && encodeId('bat', email.batchId),
})

export const emailView = (
  email: Seen<EmailRow>,
  recipients: readonly RecipientRow[],
  attachments: readonly AttachmentRow[],
  events: readonly StoredEvent[],
): EmailView => ({
  ...emailSummary(email),
  status: recipients[0]?.emailStatus ?? email.status,
  cc: shownOfKind(email.addresses, 'cc'),
  bcc: shownOfKind(email.addresses, 'bcc'),
  replyTo: email.addresses.replyTo.map(shown),
  html: email.html,
  text: email.text,
  templateId: email.templateId && encodeId('tpl', email.templateId),
  templateVersion: email.templateVersion,
  variables: email.variables,
  headers: email.headers,
  metadata: email.options.metadata,
  tracking: email.options.tracking,
  inReplyTo: email.options.inReplyTo,
  counts: countsOf(recipients.map(({ state }) => state)),
  sentAt: firstDelivery(recipients)?.toISOString() ?? null,
  messageIdHeader: messageIdOf(email),
  recipients: recipients.map(({ position, state, attempts, nextAttemptAt, updatedAt }) => ({
    email: email.addresses.recipients[position]?.email ?? '',
    kind: email.addresses.recipients[position]?.kind ?? 'to',
    status: state,
    attempts,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
  })),
  events: events.map((event) => eventView(event, email.contentHidden)),
  attachments: (email.contentHidden ? [] : attachments).map(({ id, filename, contentType, size, contentId }) => ({
    id: encodeId('att', id),
    filename,
    contentType,
    size,
    contentId,
  })),
  broadcastId: email.broadcastId && encodeId('brd', email.broadcastId),
  automationRunId: email.runId && encodeId('run', email.runId),
  resentFrom: email.options.resentFrom === undefined ? null : encodeId('em', email.options.resentFrom),
  sentBy: sentBy(email),
  contentPurgedAt: email.purgedAt?.toISOString() ?? null,
})

function sentBy({ keyId, personId, senderName: name }: EmailRow): EmailView['sentBy'] {
  if (keyId !== null) return { type: 'key', id: encodeId('key', keyId), name }
  return personId && { type: 'person', id: encodeId('per', personId), name }
}

/** The same on every attempt and for every recipient. */
export const messageIdOf = ({ id, addresses }: Pick<EmailRow, 'id' | 'addresses'>): string =>
  messageId(encodeId('em', id), domainOf(addresses.from.email))

const countsOf = (states: readonly RecipientState[]): Record<string, number> =>
  Object.fromEntries(
    recipientStates.flatMap((state) => {
      const count = states.filter((one) => one === state).length
      return count === 0 ? [] : [[state, count]]
    }),
  )

const firstDelivery = (recipients: readonly RecipientRow[]): Date | undefined =>
  recipients
    .filter(({ state }) => state === 'delivered' || state === 'quarantined')
    .map(({ updatedAt }) => updatedAt)
    .toSorted((a, b) => a.getTime() - b.getTime())[0]

const eventView = (
  { id, kind, recipient, detail, smtp, at }: StoredEvent,
  contentHidden: boolean,
): EmailView['events'][number] => ({
  id: encodeId('evt', id),
  type: kind,
  recipient,
  timestamp: at.toISOString(),
  // The target of a link is content of the email: it may be a link that sets a password.
  detail: contentHidden && kind === 'email.clicked' ? '' : detail,
  smtp: smtp && {
    code: smtp.code ?? null,
    enhanced: smtp.enhanced ?? null,
    host: smtp.host ?? null,
    tls: smtp.tls ?? null,
  },
})
