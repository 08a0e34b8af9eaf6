import type { Caller } from '../../core/caller.ts'
import { encodeId } from '../../core/ids.ts'
import { explainOutcome } from '../../mail/replies/outcome-explanation.ts'
import { readerOf, seesContentOf } from '../emails/index.ts'
import type { AddressView, ContactRow, MailRow, ReceivedRow, RunRow, TagRow } from './schema.ts'

export const contactPart = (row: ContactRow): AddressView['contacts'][number] => ({
  id: encodeId('con', row.id),
  audienceId: encodeId('aud', row.audienceId),
  audienceName: row.audienceName,
  firstName: row.firstName,
  lastName: row.lastName,
  subscribed: row.subscribed,
  unsubscribedAt: row.unsubscribedAt?.toISOString() ?? null,
  consent: row.consentRecordedAt && {
    source: row.consentSource,
    at: row.consentAt?.toISOString() ?? null,
    recordedAt: row.consentRecordedAt.toISOString(),
  },
  createdAt: row.createdAt.toISOString(),
})

export const tagPart = ({ id, name }: TagRow): AddressView['tags'][number] => ({ id: encodeId('tag', id), name })

export function mailPart(caller: Caller, row: MailRow): AddressView['emails']['last'][number] {
  const isShown = seesContentOf(readerOf(caller), row.keyId)
  const { name = '', email } = row.from
  return {
    id: encodeId('em', row.id),
    status: row.status,
    from: name === '' ? email : `${name} <${email}>`,
    subject: isShown ? row.subject : '',
    contentHidden: !isShown,
    source: row.broadcastId !== null ? 'broadcast' : row.runId !== null ? 'automation' : 'transactional',
    broadcastId: row.broadcastId && encodeId('brd', row.broadcastId),
    explanation: explainOutcome(row.status, row.detail === null ? undefined : { detail: row.detail, smtp: row.smtp }),
    updatedAt: row.updatedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
  }
}

export const receivedPart = ({ id, to, subject, receivedAt }: ReceivedRow): AddressView['received'][number] => ({
  id: encodeId('rcv', id),
  to,
  subject,
  receivedAt: receivedAt.toISOString(),
})

export const runPart = (row: RunRow): AddressView['runs'][number] => ({
  id: encodeId('run', row.id),
  automationId: encodeId('aut', row.automationId),
  automationName: row.automationName,
  status: row.status,
  startedAt: row.startedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
})
