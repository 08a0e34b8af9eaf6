import { Type, type Static } from 'typebox'
import type { DomainId, ProjectId } from '../../core/ids.ts'
import { dmarcPolicies, dmarcProblems } from '../../mail/dmarc-record.ts'
import {
  annotated,
  Deleted,
  Hostname,
  IdOf,
  listQuery,
  named,
  Nullable,
  NullableEnum,
  PageOf,
  Timestamp,
} from '../../shapes/shapes.ts'

export const domainStatuses = ['pending', 'verified', 'warning', 'failed'] as const

export type DomainStatus = (typeof domainStatuses)[number]

/** What is shown of every DNS record that we ask for, beside what it is for. */
export const recordFields = {
  type: Type.Enum(['TXT', 'MX', 'CNAME']),
  name: Type.String({ description: 'The full name.' }),
  host: Type.String({ description: 'The name as most DNS panels want it: without the zone.' }),
  value: Type.String(),
  priority: Nullable(Type.Integer()),
  ttl: Type.Integer(),
  required: Type.Boolean({ description: 'Whether the domain can be verified without it.' }),
  status: Type.Enum(['pending', 'verified', 'mismatch']),
  observed: Type.Array(Type.String(), { description: 'What the DNS answered at the last check.' }),
  hint: Nullable(Type.String({ description: 'What to do about it.' })),
  askedAt: Nullable(Timestamp),
  askedOf: Nullable(Type.String({ description: 'The DNS server that said so.' })),
  ttlLeft: Nullable(
    Type.Integer({
      minimum: 0,
      description: 'For how many more seconds that server may say the same, whatever is changed meanwhile.',
    }),
  ),
}

const RecordView = named(
  'DnsRecord',
  Type.Object({
    purpose: Type.Enum(['dkim', 'return-path-mx', 'return-path-spf', 'dmarc', 'tracking']),
    ...recordFields,
  }),
)

export type RecordView = Static<typeof RecordView>

/** A record of a sending domain or of a receiving one. */
export interface AnyRecordView extends Omit<RecordView, 'purpose'> {
  purpose: RecordView['purpose'] | 'receiving-mx' | 'receiving-proof' | 'receiving-tls-reports'
}

const Tracking = named(
  'DomainTracking',
  Type.Object({ opens: Type.Boolean(), clicks: Type.Boolean(), host: Nullable(Hostname) }),
)

export type Tracking = Static<typeof Tracking>

const TrackingChange = named(
  'DomainTrackingChange',
  Type.Object(
    {
      opens: Type.Optional(Type.Boolean()),
      clicks: Type.Optional(Type.Boolean()),
      host: Type.Optional(
        Nullable(
          Type.String({
            ...annotated('idn-hostname'),
            maxLength: 253,
            description:
              'Where links in mail lead, a name below the domain such as `links.example.com`; null for ours.',
          }),
        ),
      ),
    },
    { additionalProperties: false },
  ),
)

export type TrackingChange = Static<typeof TrackingChange>

export const dnsHosts = [
  'cloudflare',
  'route53',
  'hetzner',
  'ovh',
  'ionos',
  'godaddy',
  'namecheap',
  'gandi',
  'google',
  'azure',
  'digitalocean',
  'desec',
  'other',
] as const

export type DnsHost = (typeof dnsHosts)[number]

const DomainDns = named(
  'DomainDns',
  Type.Object({
    provider: {
      ...NullableEnum(dnsHosts),
      description: 'Who hosts the zone, by its name servers; null until they are known.',
    },
    nameServers: Type.Array(Type.String()),
  }),
)

const keyStates = ['pending', 'active', 'retired'] as const

const DkimKeyView = named(
  'DkimKey',
  Type.Object({
    selector: Type.String(),
    algorithm: Type.Enum(['rsa', 'ed25519']),
    state: Type.Enum(keyStates, {
      description:
        '`pending` until its record is found; a `retired` key signs no more, and its record is still needed.',
    }),
    createdAt: Timestamp,
    keepUntil: Nullable(Timestamp),
  }),
)

const DmarcPart = named(
  'DmarcPart',
  Type.Object({
    tag: Type.String(),
    value: Type.String(),
    problem: { ...NullableEnum(dmarcProblems), description: 'Why receivers ignore this part.' },
  }),
)

const DmarcView = named(
  'DomainDmarc',
  Type.Object({
    record: Type.String(),
    policy: {
      ...NullableEnum(dmarcPolicies),
      description: 'What receivers act on; null when they ignore the record.',
    },
    parts: Type.Array(DmarcPart),
  }),
)

export type DmarcView = Static<typeof DmarcView>

export const DomainView = named(
  'Domain',
  Type.Object({
    id: IdOf('dom'),
    projectId: IdOf('prj'),
    name: Hostname,
    status: Type.Enum(domainStatuses),
    records: Type.Array(RecordView, { description: 'The DNS records to create, and what is known of each.' }),
    tracking: Tracking,
    dns: DomainDns,
    dkim: Type.Array(DkimKeyView, { description: 'The keys whose records should be in the DNS, oldest first.' }),
    dmarc: Nullable(DmarcView),
    createdAt: Timestamp,
    verifiedAt: Nullable(Timestamp),
    lastCheckedAt: Nullable(Timestamp),
    nextCheckAt: Timestamp,
  }),
)

export type DomainView = Static<typeof DomainView>

/** Sent as a file. */
export const ZoneFile = Type.String()

export const DomainPage = PageOf(DomainView)

export const DeletedDomain = named('DeletedDomain', Deleted('dom'))

const DomainName = Type.String({
  ...annotated('idn-hostname'),
  maxLength: 253,
  description: 'A domain name in any script; it comes back in lower case and ASCII.',
  examples: ['mail.example.com'],
})

export const ListDomains = Type.Object(
  { ...listQuery, name: Type.Optional(DomainName), status: Type.Optional(Type.Enum(domainStatuses)) },
  { additionalProperties: false },
)

export type ListDomains = Static<typeof ListDomains>

export const CreateDomain = named(
  'CreateDomain',
  Type.Object(
    {
      name: DomainName,
      tracking: Type.Optional(TrackingChange),
      ed25519: Type.Optional(Type.Boolean({ description: 'Whether to sign with an Ed25519 key beside the RSA one.' })),
    },
    { additionalProperties: false },
  ),
)

export type CreateDomain = Static<typeof CreateDomain>

export const UpdateDomain = named(
  'UpdateDomain',
  Type.Object(
    { tracking: TrackingChange },
    { additionalProperties: false, examples: [{ tracking: { opens: true, clicks: true } }] },
  ),
)

export type UpdateDomain = Static<typeof UpdateDomain>

/** What the DNS showed where a record should be. Of another value than the one asked for now it says nothing. */
export type Seen = Pick<AnyRecordView, 'purpose' | 'name' | 'value' | 'status' | 'observed' | 'hint'> & {
  /** What was seen before 0.2 does not say when that was, nor of whom it is known. */
  askedAt?: string | null
  askedOf?: string | null
  /** In seconds, when it was asked. */
  ttl?: number | null
}

export type KeyAlgorithm = 'rsa' | 'ed25519'

/** What may be known of a key. */
export interface PublicKey {
  selector: string
  algorithm: KeyAlgorithm
  /** The value of its TXT record. */
  record: string
  state: (typeof keyStates)[number]
  createdAt: string
  /** How long the record of a retired key is still needed. */
  keepUntil: string | null
}

export interface Domain {
  id: DomainId
  projectId: ProjectId
  name: string
  status: DomainStatus
  seen: Seen[]
  keys: PublicKey[]
  /** Null until it was looked up. */
  nameServers: string[] | null
  trackOpens: boolean
  trackClicks: boolean
  trackingHost: string | null
  /** Names the address that reports about the domain come to. */
  reportToken: string
  createdAt: Date
  verifiedAt: Date | null
  lastCheckedAt: Date | null
  nextCheckAt: Date
  /** The database's time when the row was read, to the microsecond: a Date would round it. */
  readAt: string
}
