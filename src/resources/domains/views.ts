import { encodeId } from '../../core/ids.ts'
import { parseDmarcRecord } from '../../mail/dmarc-record.ts'
import { isDmarc } from './check.ts'
import { hostOf } from './dns-hosts.ts'
import type { DmarcView, Domain, DomainView, RecordView } from './schema.ts'

export const domainView = (domain: Domain, records: RecordView[]): DomainView => ({
  id: encodeId('dom', domain.id),
  projectId: encodeId('prj', domain.projectId),
  name: domain.name,
  status: domain.status,
  records,
  tracking: { opens: domain.trackOpens, clicks: domain.trackClicks, host: domain.trackingHost },
  dns: { provider: hostOf(domain.nameServers), nameServers: domain.nameServers ?? [] },
  dkim: domain.keys.map(({ selector, algorithm, state, createdAt, keepUntil }) => ({
    selector,
    algorithm,
    state,
    createdAt: new Date(createdAt).toISOString(),
    keepUntil: keepUntil === null ? null : new Date(keepUntil).toISOString(),
  })),
  dmarc: dmarcView(records),
  createdAt: domain.createdAt.toISOString(),
  verifiedAt: domain.verifiedAt?.toISOString() ?? null,
  lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
  nextCheckAt: domain.nextCheckAt.toISOString(),
})

/** Of the one that was seen. Two are as good as none for receivers (RFC 7489 §6.6.3). */
function dmarcView(records: readonly RecordView[]): DmarcView | null {
  const observed = records.find(({ purpose }) => purpose === 'dmarc')?.observed ?? []
  const [record, ...others] = observed.filter(isDmarc)
  return record === undefined || others.length > 0 ? null : { record, ...parseDmarcRecord(record) }
}
