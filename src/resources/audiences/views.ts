import { encodeId } from '../../core/ids.ts'
import type { Audience, AudienceView } from './schema.ts'

export const audienceView = ({ id, name, description, total, subscribed, createdAt }: Audience): AudienceView => ({
  id: encodeId('aud', id),
  name,
  description,
  counts: { total, subscribed, unsubscribed: total - subscribed },
  createdAt: createdAt.toISOString(),
})
