/** Who hosts the zone of a domain, as far as the names of its servers tell. */
import type { ZoneDns } from '../../net/dns.ts'
import { zoneOf } from './records.ts'
import type { DnsHost } from './schema.ts'

const known: Readonly<Record<Exclude<DnsHost, 'other'>, RegExp>> = {
  cloudflare: /\.ns\.cloudflare\.com$/,
  route53: /^ns-\d+\.awsdns-\d+\.(com|net|org|co\.uk)$/,
  hetzner: /(\.ns\.hetzner\.(com|de)|(^|\.)(first-ns|second-ns|robotns\d)\.(de|com))$/,
  ovh: /\.(ovh\.(net|com|ca)|anycast\.me)$/,
  ionos: /\.(ui-dns\.(com|de|org|biz)|1and1\.(com|de|fr|es|co\.uk))$/,
  godaddy: /\.domaincontrol\.com$/,
  namecheap: /\.(registrar-servers|namecheaphosting)\.com$/,
  gandi: /\.gandi\.net$/,
  google: /\.(googledomains|google)\.com$/,
  azure: /\.azure-dns\.(com|net|org|info)$/,
  digitalocean: /\.digitalocean\.com$/,
  desec: /^ns\d+\.desec\.(io|org)$/,
}

/** Null for a zone that was not looked for, or that has no servers. */
export function hostOf(nameServers: readonly string[] | null): DnsHost | null {
  if (nameServers === null || nameServers.length === 0) return null
  const isOf = (pattern: RegExp): boolean => nameServers.some((server) => pattern.test(server))
  const found = Object.entries(known).find(([, pattern]) => isOf(pattern))
  return found === undefined ? 'other' : (found[0] as DnsHost)
}

const MAX_LEVELS = 4
const MAX_SERVERS = 16

/**
 * The servers of the zone that a name is in: the name may be delegated, and usually is not. Undefined when no server answered:
 * then what was known before still stands.
 */
export async function nameServersOf(name: string, dns: ZoneDns): Promise<string[] | undefined> {
  for (const level of levelsOf(name)) {
    const answer = await dns.ns(level, { fresh: true })
    if (answer.kind === 'temporary') return undefined
    if (answer.kind === 'found') return answer.records.toSorted().slice(0, MAX_SERVERS).map(printable)
  }
  return []
}

/** From the name up to the zone that was registered, which is always among them. */
function levelsOf(name: string): string[] {
  const zone = zoneOf(name)
  const below = name === zone ? [] : name.slice(0, -zone.length - 1).split('.')
  const levels = below.map((_, place) => [...below.slice(place), zone].join('.'))
  return [...levels.slice(0, MAX_LEVELS - 1), zone]
}

/** A name comes from strangers, and may have any byte in it. */
const printable = (name: string): string => name.slice(0, 253).replaceAll(/[^\w.-]/g, '\ufffd')
