import { encodeId } from '../../core/ids.ts'
import type { Suppression, SuppressionView } from './schema.ts'

export const suppressionView = (suppression: Suppression): SuppressionView => ({
  id: encodeId('sup', suppression.id),
  email: suppression.email,
  reason: suppression.reason,
  messageId: suppression.messageId && encodeId('em', suppression.messageId),
  note: suppression.note,
  createdAt: suppression.createdAt.toISOString(),
})
