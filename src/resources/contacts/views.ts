import { encodeId } from '../../core/ids.ts'
import type { ContactView, Import, ImportView, ShownContact } from './schema.ts'

export const contactView = (contact: ShownContact): ContactView => ({
  id: encodeId('con', contact.id),
  audienceId: encodeId('aud', contact.audienceId),
  email: contact.email,
  firstName: contact.firstName,
  lastName: contact.lastName,
  subscribed: contact.subscribed,
  properties: contact.properties,
  tags: contact.tags,
  consent: contact.consent && {
    ...contact.consent,
    at: contact.consent.at && new Date(contact.consent.at).toISOString(),
  },
  createdAt: contact.createdAt.toISOString(),
  updatedAt: contact.updatedAt.toISOString(),
  unsubscribedAt: contact.unsubscribedAt?.toISOString() ?? null,
})

export const importView = (one: Import): ImportView => ({
  id: encodeId('imp', one.id),
  audienceId: encodeId('aud', one.audienceId),
  format: one.format,
  map: one.map,
  status: one.status,
  problem: one.problem,
  bytes: one.bytes,
  processedBytes: one.processedBytes,
  rows: { processed: one.processedRows, created: one.created, updated: one.updated, refused: one.refused },
  createdAt: one.createdAt.toISOString(),
  startedAt: one.startedAt?.toISOString() ?? null,
  finishedAt: one.finishedAt?.toISOString() ?? null,
})
