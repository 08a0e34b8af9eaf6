import { encodeId } from '../../../core/ids.ts'
import type { Consent, ConsentView, SmsSuppressionView, Suppression } from './schema.ts'

const ref = (phoneHmac: Buffer): string => phoneHmac.toString('hex', 0, 8)

export const consentView = (row: Consent): ConsentView => ({
  id: encodeId('smscn', row.id),
  phoneMasked: row.masked,
  recipientRef: ref(row.phoneHmac),
  programId: encodeId('smspg', row.programId),
  type: row.type,
  action: row.action,
  method: row.method,
  capturedAt: row.capturedAt.toISOString(),
  recordedAt: row.recordedAt.toISOString(),
  recordedByKeyId: row.recordedBy && encodeId('key', row.recordedBy),
  evidencePresent: row.evidence !== null,
  evidenceSha256: row.evidenceSha256?.toString('hex') ?? null,
  recipientTimezone: row.recipientTimezone,
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

export const suppressionView = (row: Suppression): SmsSuppressionView => ({
  id: encodeId('smssp', row.id),
  toMasked: row.masked,
  recipientRef: ref(row.phoneHmac),
  scope: row.scope,
  programId: row.programId && encodeId('smspg', row.programId),
  origin: row.origin,
  reason: row.reason,
  note: row.note,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  liftedAt: row.liftedAt?.toISOString() ?? null,
  liftedBy: row.liftedBy,
})
