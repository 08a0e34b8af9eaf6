import { getDomain } from 'tldts'
import type { Dns } from '../../net/dns.ts'
import { policies } from './kinds.ts'
import type { Policy } from './schema.ts'

/**
 * The policy that receivers find for a domain: of its own record or else of its zone's (RFC 9989). `observed` is what was
 * last seen, for when the DNS gives no answer now.
 */
export async function policyOf(name: string, observed: readonly string[], dns: Dns): Promise<Policy | null> {
  // Whoever looks at the advice may just have changed the record.
  const own = await dns.txt(`_dmarc.${name}`, { fresh: true })
  const texts = own.kind === 'found' ? own.records : own.kind === 'temporary' ? observed : []
  const ownPolicy = policyIn(texts, ['p'])
  const zone = getDomain(name, { allowPrivateDomains: true }) ?? name
  if (ownPolicy !== null || zone === name) return ownPolicy
  const above = await dns.txt(`_dmarc.${zone}`)
  return policyIn(above.kind === 'found' ? above.records : [], ['sp', 'p'])
}

/** The first of these tags that the record has. Several records are none, as receivers see it. */
function policyIn(texts: readonly string[], tags: readonly string[]): Policy | null {
  const records = texts.filter((text) => /^\s*v\s*=\s*DMARC1\s*(?:;|$)/.test(text))
  const [record] = records
  if (record === undefined || records.length > 1) return null
  const values = new Map(
    record.split(';').map((tag) => {
      const [key = '', value = ''] = tag.split('=')
      return [key.trim().toLowerCase(), value.trim().toLowerCase()]
    }),
  )
  const word = tags.map((tag) => values.get(tag)).find((value) => value !== undefined)
  // RFC 9989: a record whose policy is missing or unknown asks for nothing but reports.
  return policies.find((policy) => policy === word) ?? 'none'
}

/** One step at a time, and none before receivers have reported what it would do. */
export function nextPolicy(policy: Policy | null, hasReports: boolean): Policy | null {
  if (policy === null) return 'none'
  if (policy === 'reject') return null
  if (!hasReports) return policy
  return policy === 'none' ? 'quarantine' : 'reject'
}
