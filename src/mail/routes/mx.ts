/** Which hosts take the mail of a domain (RFC 5321 §5.1), and which limits those share with others. */
import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { normalName, type Answer, type Dns, type MxRecord } from '../../net/dns.ts'
import { providerOf } from '../replies/providers.ts'
import { ownReply, type Reply } from '../replies/reply.ts'

export interface MailHosts {
  kind: 'hosts'
  /** Hosts are tried in this order. */
  hosts: readonly string[]
  /** Domains whose mail goes to the same hosts in the same order have the same key: they can share connections. */
  key: string
  /** All domains of one provider have the same site: they share its limits. */
  site: string
}

export type MailHostsAnswer =
  | MailHosts
  /** The domain accepts no mail as it is configured. */
  | { kind: 'permanent'; reply: Reply }
  | { kind: 'temporary'; reply: Reply }

/** RFC 5321 §5.1 wants two at least. A domain with a hundred must not keep us busy for an hour. */
const MAX_HOSTS = 10

export async function findMailHosts(domain: string, dns: Dns, random: () => number): Promise<MailHostsAnswer> {
  const literal = addressLiteral(domain)
  if (literal !== undefined) return hostsOf([[literal]], random)
  const name = normalName(domain)
  if (!isHostName(name)) return { kind: 'permanent', reply: noSuchDomain(name) }
  const answer = await dns.mx(name)
  switch (answer.kind) {
    case 'found':
      return fromRecords(name, answer.records, random)
    case 'empty':
      return implicitHost(name, dns, random)
    case 'absent':
      return { kind: 'permanent', reply: noSuchDomain(name) }
    case 'temporary':
      return { kind: 'temporary', reply: notKnownNow(name, answer.reason) }
  }
}

/** Reads `[192.0.2.1]` or `[IPv6:2001:db8::1]` (RFC 5321 §4.1.3). */
function addressLiteral(domain: string): string | undefined {
  const inner = /^\[(?:IPv6:)?([^\]]+)\]$/i.exec(domain)?.[1]
  return inner !== undefined && isIP(inner) !== 0 ? inner : undefined
}

function fromRecords(domain: string, records: readonly MxRecord[], random: () => number): MailHostsAnswer {
  // RFC 7505: a single record with the root as its host means that the domain takes no mail. Beside other records it is
  // just an unusable host.
  if (records.every(({ exchange }) => exchange === '')) {
    return { kind: 'permanent', reply: ownReply(556, '5.1.10', `${domain} takes no mail (null MX)`) }
  }
  const usable = records.filter(({ exchange }) => isHostName(exchange))
  if (usable.length === 0) {
    return { kind: 'temporary', reply: ownReply(451, '4.4.4', `the MX records of ${domain} name no host`) }
  }
  return hostsOf(inRanks(usable), random)
}

/** The best rank comes first. A host that is named twice counts where it is best. */
function inRanks(records: readonly MxRecord[]): string[][] {
  const ranks = new Map<number, string[]>()
  const seen = new Set<string>()
  for (const { preference, exchange } of records.toSorted((a, b) => a.preference - b.preference)) {
    if (seen.has(exchange)) continue
    seen.add(exchange)
    const rank = ranks.get(preference)
    if (rank) rank.push(exchange)
    else ranks.set(preference, [exchange])
  }
  return [...ranks.values()]
}

/** RFC 5321 §5.1: without MX records the domain itself is the host, if it has an address. */
async function implicitHost(domain: string, dns: Dns, random: () => number): Promise<MailHostsAnswer> {
  const answers = await Promise.all([dns.a(domain), dns.aaaa(domain)])
  if (answers.some(({ kind }) => kind === 'found')) return hostsOf([[domain]], random)
  const unknown = answers.find(
    (answer): answer is Answer<string> & { kind: 'temporary' } => answer.kind === 'temporary',
  )
  if (unknown) return { kind: 'temporary', reply: notKnownNow(domain, unknown.reason) }
  return { kind: 'permanent', reply: ownReply(550, '5.1.2', `${domain} has no mail host and no address`) }
}

function hostsOf(ranks: readonly (readonly string[])[], random: () => number): MailHosts {
  const first = ranks[0] ?? []
  const key = keyOf(ranks)
  const provider = providerOf(first[0] ?? '')
  const isOneProvider = provider !== undefined && first.every((host) => providerOf(host) === provider)
  const hosts = ranks.flatMap((rank) => shuffled(rank, random)).slice(0, MAX_HOSTS)
  return { kind: 'hosts', hosts, key, site: isOneProvider ? provider : key }
}

/** Short sets can be read in logs and statistics. */
const MAX_KEY_LENGTH = 200

function keyOf(ranks: readonly (readonly string[])[]): string {
  const key = ranks.map((rank) => rank.toSorted().join(',')).join('>')
  if (key.length <= MAX_KEY_LENGTH) return key
  return `${ranks[0]?.toSorted()[0] ?? ''}+${createHash('sha256').update(key).digest('base64url').slice(0, 22)}`
}

/** The Fisher-Yates shuffle makes every order equally likely, so that equal hosts get equal shares. */
function shuffled(hosts: readonly string[], random: () => number): string[] {
  const mixed = [...hosts]
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [mixed[last], mixed[other]]
    if (a !== undefined && b !== undefined) [mixed[last], mixed[other]] = [b, a]
  }
  return mixed
}

/** Letters, digits, hyphens and, as seen in practice, underscores; no address in the place of a name. */
const isHostName = (name: string): boolean =>
  name.length <= 253 &&
  /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(name) &&
  !/(^|\.)\d+$/.test(name)

const noSuchDomain = (domain: string): Reply => ownReply(550, '5.1.2', `there is no domain ${domain}`)

const notKnownNow = (domain: string, reason: string): Reply =>
  ownReply(451, '4.4.3', `the mail hosts of ${domain} are not known now: ${reason}`)
