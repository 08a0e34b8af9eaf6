import { encodeId } from '../../core/ids.ts'
import { traceField, traceValue, type InboundTransport } from '../../mail/parse/trace.ts'
import type {
  Auth,
  AttachmentRow,
  AttachmentView,
  ReceivedRow,
  ReceivedSummary,
  ReceivedView,
  WholeReceivedRow,
  ReceivingDomain,
  ReceivingDomainView,
  ReceivingRecordView,
} from './schema.ts'

export const receivingDomainView = (domain: ReceivingDomain, records: ReceivingRecordView[]): ReceivingDomainView => ({
  id: encodeId('rdm', domain.id),
  projectId: encodeId('prj', domain.projectId),
  type: domain.type,
  name: domain.name,
  status: domain.status,
  records,
  createdAt: domain.createdAt.toISOString(),
  verifiedAt: domain.verifiedAt?.toISOString() ?? null,
  lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
})

export const attachmentView = ({ blob, ...row }: AttachmentRow): AttachmentView => ({
  ...row,
  id: encodeId('att', row.id),
  sha256: blob,
})

const unchecked: Auth = { spf: null, dkim: null, dmarc: null, arc: null }

export const receivedSummary = (row: ReceivedRow): ReceivedSummary => ({
  id: encodeId('rcv', row.id),
  domainId: encodeId('rdm', row.domainId),
  from: row.letter?.from ?? null,
  to: [...(row.letter?.to ?? [])],
  subject: row.letter?.subject ?? null,
  messageIdHeader: row.letter?.messageId ?? null,
  receivedAt: row.receivedAt.toISOString(),
  size: row.size + traceOf(row).length,
  attachmentCount: row.attachments,
  auth: { ...unchecked, ...row.auth },
  spam: row.spam,
})

export const receivedView = (row: WholeReceivedRow): ReceivedView => ({
  ...receivedSummary(row),
  cc: [...(row.letter?.cc ?? [])],
  replyTo: [...(row.letter?.replyTo ?? [])],
  envelope: { from: row.envelopeFrom, to: row.recipient },
  transport: {
    remoteAddress: row.session.address,
    helo: row.session.helo,
    tls: tlsOf(row.session),
    receivedAt: row.receivedAt.toISOString(),
  },
  headers: [...traceHeader(row), ...(row.headers ?? [])],
  html: row.html,
  text: row.text,
  strippedText: row.strippedText ?? row.text?.trim() ?? null,
  inReplyTo: row.letter?.inReplyTo ?? null,
  references: [...(row.letter?.references ?? [])],
})

function tlsOf({ tls }: InboundTransport): ReceivedView['transport']['tls'] {
  if (tls === null) return null
  const [version = '', cipher = ''] = tls.split(' ')
  return { version, cipher }
}

const traceOf = ({ session, id, receivedAt }: ReceivedRow): string =>
  traceField(session, encodeId('rcv', id), receivedAt)

function traceHeader(row: ReceivedRow): ReceivedView['headers'] {
  const field = traceOf(row)
  return field === '' ? [] : [{ name: 'Received', value: traceValue(field) }]
}
