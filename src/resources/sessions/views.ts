import { encodeId } from '../../core/ids.ts'
import type { SessionRow, SessionView } from './schema.ts'

export const sessionView = ({ id, device, address, createdAt, lastSeenAt }: SessionRow): SessionView => ({
  id: encodeId('ses', id),
  device,
  address,
  createdAt: createdAt.toISOString(),
  lastSeenAt: lastSeenAt.toISOString(),
})
