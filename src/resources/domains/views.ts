import { encodeId } from '../../core/ids.ts'
import type { Domain, DomainView, RecordView } from './schema.ts'

export const domainView = (domain: Domain, records: RecordView[]): DomainView => ({
  id: encodeId('dom', domain.id),
  projectId: encodeId('prj', domain.projectId),
  name: domain.name,
  status: domain.status,
  records,
  tracking: { opens: domain.trackOpens, clicks: domain.trackClicks, host: domain.trackingHost },
  createdAt: domain.createdAt.toISOString(),
  verifiedAt: domain.verifiedAt?.toISOString() ?? null,
  lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
  nextCheckAt: domain.nextCheckAt.toISOString(),
})
