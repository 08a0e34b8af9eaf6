import { getDomain } from 'tldts'
import { dmarcPolicies, parseDmarcRecord, type DmarcPolicy, type DmarcRecord } from '../../mail/dmarc-record.ts'
import type { Dns } from '../../net/dns.ts'
import type { DmarcStep } from './schema.ts'

export interface FoundPolicy {
  policy: DmarcPolicy | null
  parts: DmarcRecord['parts']
}

/**
 * The policy that receivers find for a domain: of its own record or else of its zone's (RFC 9989). `observed` is what was
 * last seen, for when the DNS gives no answer now.
 */
export async function policyOf(name: string, observed: readonly string[], dns: Dns): Promise<FoundPolicy> {
  // Whoever looks at the advice may just have changed the record.
  const own = await dns.txt(`_dmarc.${name}`, { fresh: true })
  const record = recordIn(own.kind === 'found' ? own.records : own.kind === 'temporary' ? observed : [])
  const zone = getDomain(name, { allowPrivateDomains: true }) ?? name
  if (record !== undefined || zone === name) return record ?? nothing
  const above = await dns.txt(`_dmarc.${zone}`)
  const inherited = recordIn(above.kind === 'found' ? above.records : [])
  if (inherited === undefined || inherited.policy === null) return nothing
  const below = goodPart(inherited, 'sp')?.value.toLowerCase()
  return { ...inherited, policy: dmarcPolicies.find((policy) => policy === below) ?? inherited.policy }
}

const nothing: FoundPolicy = { policy: null, parts: [] }

/** Several records are none, as receivers see it. */
function recordIn(texts: readonly string[]): DmarcRecord | undefined {
  const [record, ...others] = texts.filter((text) => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/.test(text))
  return record === undefined || others.length > 0 ? undefined : parseDmarcRecord(record)
}

const goodPart = ({ parts }: Pick<DmarcRecord, 'parts'>, tag: string) =>
  parts.find((part) => part.tag === tag && part.problem === null)

/** One step at a time: watch first, then the spam folder, then refuse; none before receivers have reported what it would do. */
export function stepAfter(found: FoundPolicy, hasReports: boolean): DmarcStep {
  const { policy } = found
  if (policy === null) return 'publish'
  const isPartial =
    (goodPart(found, 'pct')?.value ?? '100') !== '100' || goodPart(found, 't')?.value.toLowerCase() === 'y'
  if (policy === 'reject') return isPartial ? 'full' : 'done'
  if (goodPart(found, 'rua') === undefined) return 'reports'
  if (!hasReports) return 'collect'
  if (policy === 'none') return 'quarantine'
  return isPartial ? 'full' : 'reject'
}
