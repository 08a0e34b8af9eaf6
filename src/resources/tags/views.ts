import { encodeId } from '../../core/ids.ts'
import type { Tag, TagView } from './schema.ts'

export const tagView = ({ id, name, contactCount, createdAt }: Tag): TagView => ({
  id: encodeId('tag', id),
  name,
  contactCount,
  createdAt: createdAt.toISOString(),
})
