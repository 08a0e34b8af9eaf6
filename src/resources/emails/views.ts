import { encodeId, type EventId } from '../../core/ids.ts'
import type { StoredDialogue } from '../../events/dialogues.ts'
import type { StoredEvent } from '../../events/publish.ts'
import { domainOf } from '../../mail/address.ts'
import { messageId } from '../../mail/message-id.ts'
import { shown, shownOfKind } from './address-book.ts'
import { explanationOf, recipientExplanation } from './explained.ts'
import type { Seen } from './content-access.ts'
import type { EmailSummary, EmailView } from './schema.ts'
import type { DialogueView } from './schema/dialogue.ts'
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

/** What is known beside the rows of the email. */
interface Known {
  /** The events whose dialogue is kept. */
  dialogues: ReadonlySet<EventId>
  /** The destination of mail for a domain, if that is not left to the domain. */
  destinationOf(domain: string): string | undefined
}

export const emailView = (
  email: Seen<EmailRow>,
  recipients: readonly RecipientRow[],
  attachments: readonly AttachmentRow[],
  events: readonly StoredEvent[],
  { dialogues, destinationOf }: Known,
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
  recipients: recipients.map(({ position, state, attempts, nextAttemptAt, updatedAt, destination, site, domain }) => ({
    email: email.addresses.recipients[position]?.email ?? '',
    kind: email.addresses.recipients[position]?.kind ?? 'to',
    status: state,
    attempts,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    updatedAt: updatedAt.toISOString(),
    destination: destination ?? destinationOf(domain) ?? site ?? domain,
    explanation: recipientExplanation({ email: email.addresses.recipients[position]?.email ?? '', state }, events),
  })),
  events: events.map((event) => eventView(event, email.contentHidden, dialogues.has(event.id))),
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

const eventView = (event: StoredEvent, contentHidden: boolean, hasDialogue: boolean): EmailView['events'][number] => ({
  id: encodeId('evt', event.id),
  type: event.kind,
  recipient: event.recipient,
  timestamp: event.at.toISOString(),
  // The target of a link is content of the email: it may be a link that sets a password.
  detail: contentHidden && event.kind === 'email.clicked' ? '' : event.detail,
  smtp: event.smtp && {
    code: event.smtp.code ?? null,
    enhanced: event.smtp.enhanced ?? null,
    host: event.smtp.host ?? null,
    tls: event.smtp.tls ?? null,
  },
  explanation: explanationOf(event),
  dialogueId: hasDialogue ? encodeId('evt', event.id) : null,
})

export const dialogueView = ({ lines, bytes, smtp }: StoredDialogue): DialogueView => ({
  lines: lines.map(({ at, from, text }) => ({ at: new Date(at).toISOString(), from, text })),
  peer: {
    host: smtp?.host ?? null,
    address: smtp?.address ?? null,
    tls: smtp?.tls ?? null,
    source: smtp?.source ?? null,
  },
  bytes,
})
