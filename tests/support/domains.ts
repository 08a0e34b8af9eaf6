import { onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import type { WorkspaceId } from '../../src/core/ids.ts'
import type { ZoneDns } from '../../src/net/dns.ts'
import { Domains } from '../../src/resources/domains/index.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from './client.ts'
import { startDnsServer, type DnsServer, type Zones } from './dns-server.ts'
import { created, world, type World } from './world.ts'

export interface ShownRecord {
  purpose: string
  type: 'TXT' | 'MX' | 'CNAME'
  name: string
  host: string
  value: string
  priority: number | null
  ttl: number
  required: boolean
  status: string
  observed: string[]
  hint: string | null
  askedAt: string | null
  askedOf: string | null
  ttlLeft: number | null
}

export interface ShownDomain {
  id: string
  projectId: string
  name: string
  status: string
  records: ShownRecord[]
  tracking: { opens: boolean; clicks: boolean; host: string | null }
  dns: { provider: string | null; nameServers: string[] }
  dkim: { selector: string; algorithm: string; state: string; createdAt: string; keepUntil: string | null }[]
  dmarc: { record: string; policy: string | null; parts: object[] } | null
  createdAt: string
  verifiedAt: string | null
  lastCheckedAt: string | null
  nextCheckAt: string
}

export const SMTP_HOSTNAME = 'mx.posthouse.test'
export const LINK_HOST = 'links.posthouse.test'

/** An installation that asks a DNS server of ours. */
export async function worldWithDns(more: { env?: Record<string, string> } = {}): Promise<World & { dns: DnsServer }> {
  // What the operator of an installation publishes.
  const dns = await startDnsServer({
    [`_spf.${SMTP_HOSTNAME}`]: { TXT: ['v=spf1 ip4:192.0.2.1 -all'] },
    [`*._report._dmarc.${SMTP_HOSTNAME}`]: { TXT: ['v=DMARC1'] },
  })
  onTestFinished(() => dns.stop())
  const env = { DNS_SERVERS: dns.address, SMTP_HOSTNAME, PUBLIC_URL: `https://${LINK_HOST}`, ...more.env }
  return { ...(await world({ env })), dns }
}

/** What somebody at a DNS panel does with the records that they are shown, long values in strings of this length. */
export function publish(zones: Zones, records: readonly ShownRecord[], stringLength = 255): void {
  for (const { type, name, value, priority } of records) {
    const zone = (zones[name] ??= {})
    if (type === 'CNAME') zone.CNAME = value
    if (type === 'MX') zone.MX = [...(zone.MX ?? []), `${priority} ${value}`]
    if (type === 'TXT') {
      zone.TXT = [...(zone.TXT ?? []), value.match(new RegExp(`.{1,${stringLength}}`, 'g')) ?? '']
    }
  }
}

export const createDomain = async (client: Client, name: string, more: object = {}): Promise<ShownDomain> =>
  created(await client.post<ShownDomain>('domains', { name, ...more }))

export async function verifiedDomain(
  client: Client,
  { zones }: DnsServer,
  name: string,
  more: object = {},
): Promise<ShownDomain> {
  const { id, records } = await createDomain(client, name, more)
  publish(zones, records)
  const { body, text } = await client.post<ShownDomain>(`domains/${id}/verify`)
  if (body.status !== 'verified') throw new Error(`${name} is not verified: ${text}`)
  return body
}

export const recordOf = ({ records }: Pick<ShownDomain, 'records'>, purpose: string): ShownRecord =>
  records.find((record) => record.purpose === purpose)!

/** As one more process on the same database has them: it remembers nothing of what the others do. */
export const domainsElsewhere = ({ db, services }: World, dns: ZoneDns = services.dns): Domains =>
  new Domains({
    db,
    dns,
    secrets: () => services.vault.secrets,
    hosts: { smtpHostname: SMTP_HOSTNAME, linkHost: LINK_HOST },
    clock: systemClock,
    mostDomains: 1_000,
    keysAhead: 0,
  })

export const workspaceOf = async ({ db }: Pick<World, 'db'>): Promise<WorkspaceId> =>
  (await db.one(sql<{ id: WorkspaceId }>`select id from workspaces`)).id
