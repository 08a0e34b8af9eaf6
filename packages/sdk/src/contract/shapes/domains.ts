// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface DkimKey {
  selector: string
  algorithm: 'rsa' | 'ed25519'
  /** `pending` until its record is found; a `retired` key signs no more, and its record is still needed. */
  state: 'pending' | 'active' | 'retired'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  keepUntil: string | null
}

export interface DmarcPart {
  tag: string
  value: string
  /** Why receivers ignore this part. */
  problem: 'unknown' | 'malformed' | 'repeated' | 'misplaced' | null
}

export interface DnsRecord {
  purpose: 'dkim' | 'return-path-mx' | 'return-path-spf' | 'dmarc' | 'tracking'
  type: 'TXT' | 'MX' | 'CNAME'
  /** The full name. */
  name: string
  /** The name as most DNS panels want it: without the zone. */
  host: string
  value: string
  priority: number | null
  ttl: number
  /** Whether the domain can be verified without it. */
  required: boolean
  status: 'pending' | 'verified' | 'mismatch'
  /** What the DNS answered at the last check. */
  observed: string[]
  /** What to do about it. */
  hint: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  askedAt: string | null
  /** The DNS server that said so. */
  askedOf: string | null
  /** For how many more seconds that server may say the same, whatever is changed meanwhile. */
  ttlLeft: number | null
}

export interface Domain {
  id: string
  projectId: string
  name: string
  status: 'pending' | 'verified' | 'warning' | 'failed'
  /** The DNS records to create, and what is known of each. */
  records: DnsRecord[]
  tracking: DomainTracking
  dns: DomainDns
  /** The keys whose records should be in the DNS, oldest first. */
  dkim: DkimKey[]
  dmarc: DomainDmarc | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  verifiedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  lastCheckedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  nextCheckAt: string
}

export interface DomainDmarc {
  record: string
  /** What receivers act on; null when they ignore the record. */
  policy: 'none' | 'quarantine' | 'reject' | null
  parts: DmarcPart[]
}

export interface DomainDns {
  /** Who hosts the zone, by its name servers; null until they are known. */
  provider:
    | 'cloudflare'
    | 'route53'
    | 'hetzner'
    | 'ovh'
    | 'ionos'
    | 'godaddy'
    | 'namecheap'
    | 'gandi'
    | 'google'
    | 'azure'
    | 'digitalocean'
    | 'desec'
    | 'other'
    | null
  nameServers: string[]
}

export interface DomainPage {
  data: Domain[]
  hasMore: boolean
  nextCursor: string | null
}

export interface DomainTracking {
  opens: boolean
  clicks: boolean
  host: string | null
}

export interface CreateDomain {
  /** A domain name in any script; it comes back in lower case and ASCII. */
  name: string
  tracking?: DomainTrackingChange
  /** Whether to sign with an Ed25519 key beside the RSA one. */
  ed25519?: boolean
}

export interface DomainTrackingChange {
  opens?: boolean
  clicks?: boolean
  /** Where links in mail lead, a name below the domain such as `links.example.com`; null for ours. */
  host?: string | null
}

export interface UpdateDomain {
  tracking: DomainTrackingChange
}

export interface DeletedDomain {
  id: string
  deleted: true
}

/** What the receivers did with the messages. */
export interface DmarcDispositions {
  none: number
  quarantine: number
  reject: number
}

export interface DmarcGroup {
  /** The address, the reporter or the day. `other` stands for all addresses that are not kept apart. */
  key: string
  /**
   * Whose address it is: of this installation, of a well-known sender, of a stranger; or unknown, where the DNS was not
   * asked yet or did not answer, and for all addresses that are not kept apart. Null unless grouped by source.
   */
  kind: 'ours' | 'known' | 'stranger' | 'unknown' | null
  /** The sender or the host, where it is known; of a reporter the domain that its mail is proven to come from. */
  name: string | null
  /** Whether the mail of these reports proves which domain sent it. A stranger may have written the others. */
  proven: boolean
  messages: number
  dkimAligned: number
  spfAligned: number
  dispositions: DmarcDispositions
}

export interface DmarcReports {
  /** What is proven first, then by messages, the most first; days in their order. */
  data: DmarcGroup[]
  /** How many reports these numbers are from. */
  reports: number
  /** How many reports came by mail that does not prove which domain sent it. */
  unproven: number
  /** A day in UTC. */
  from: string
  /** A day in UTC. */
  to: string
}

export interface DmarcAdvice {
  /** What the DNS says today; null without a record that receivers act on. */
  policy: 'none' | 'quarantine' | 'reject' | null
  /**
   * The next step: publish a record, ask for reports (`rua`), wait for the first one, `quarantine`, let the policy hold
   * in full (no `pct`, no `t`), `reject`; then nothing is left to do.
   */
  step: 'publish' | 'reports' | 'collect' | 'quarantine' | 'full' | 'reject' | 'done'
  /** Of the last 30 days, as everything here, and proven. */
  reports: number
  /** How many reports came by mail that does not prove which domain sent it. No advice is given by them. */
  unproven: number
  messages: number
  wouldLose: DmarcLoss
}

/** What was neither signed nor sent from where the domain allows, and a strict policy acts on. */
export interface DmarcLoss {
  messages: number
  share: number
  byKind: DmarcLossByKind
  /** The twenty with the most messages. */
  sources: DmarcLossSource[]
}

/** The messages of all sources, by whose they are. */
export interface DmarcLossByKind {
  ours: number
  known: number
  stranger: number
  unknown: number
}

export interface DmarcLossSource {
  key: string
  /**
   * Whose address it is: of this installation, of a well-known sender, of a stranger; or unknown, where the DNS was not
   * asked yet or did not answer, and for all addresses that are not kept apart.
   */
  kind: 'ours' | 'known' | 'stranger' | 'unknown'
  name: string | null
  messages: number
}

export interface TlsFailure {
  /** A result type of RFC 8460 §4.3 or, for any other word, `other`. */
  type: string
  /** The receiving host, where the reporter names it. */
  host: string | null
  sessions: number
}

export interface TlsReportGroup {
  /** A day in UTC. */
  day: string
  reporter: string
  /** Whether the mail of these reports proves which domain sent it. A stranger may have written the others. */
  proven: boolean
  /** `sts`, `tlsa`, `no-policy-found` or, for any other word, `other`. */
  policy: string
  /** Sessions that were encrypted as the policy wants. */
  successful: number
  failed: number
  /** The twenty with the most sessions; `failed` counts all. */
  failures: TlsFailure[]
}

export interface TlsReports {
  /** The newest day first, of a day what is proven; at most 1,000. */
  data: TlsReportGroup[]
  /** How many reports came for these days. */
  reports: number
  /** How many reports came by mail that does not prove which domain sent it. */
  unproven: number
  /** A day in UTC. */
  from: string
  /** A day in UTC. */
  to: string
}
