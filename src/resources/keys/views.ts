import { encodeId } from '../../core/ids.ts'
import { keySecretPrefix } from '../../core/key-secret.ts'
import type { Key, KeyView } from './schema.ts'

export const keyView = (key: Key): KeyView => ({
  id: encodeId('key', key.id),
  name: key.name,
  fullAccess: key.fullAccess,
  scopes: key.fullAccess ? ['*'] : key.scopes,
  contentAccess: key.contentAccess,
  projectId: key.projectId && encodeId('prj', key.projectId),
  prefix: keySecretPrefix,
  last4: key.last4,
  createdBy: makerOf(key),
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
})

/** Null where the operator made it at the command line. */
const makerOf = ({ createdBy, createdByPerson }: Key): string | null => {
  if (createdByPerson !== null) return encodeId('per', createdByPerson)
  return createdBy && encodeId('key', createdBy)
}
