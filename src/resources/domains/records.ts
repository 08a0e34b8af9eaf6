import { getDomain } from 'tldts'
import { returnPathHost } from '../../core/mail-reference.ts'
import { reportAddress } from '../../core/report-address.ts'
import type { AnyRecordView, Domain, PublicKey, RecordView, Seen } from './schema.ts'

/** What is known of a record by looking. */
type Found = Pick<AnyRecordView, 'status' | 'observed' | 'hint' | 'askedAt' | 'askedOf' | 'ttlLeft'>

/** A DNS record that the owner of the domain is asked to create. */
export interface WantedRecord extends Omit<AnyRecordView, keyof Found> {
  /** The key that a DKIM record publishes. */
  key: PublicKey | null
}

export interface MailHosts {
  /** The host that bounces come back to. */
  smtpHostname: string
  /** The host that links in mail lead to. */
  linkHost: string
}

const TTL = 3_600

/** The operator's record of the addresses that this installation sends from; the domains' own records refer to it. */
const spfHost = (smtpHostname: string): string => `_spf.${smtpHostname}`

export const dkimHost = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`

type SendingRecord = WantedRecord & Pick<RecordView, 'purpose'>

type Asked = Pick<Domain, 'name' | 'trackingHost' | 'keys' | 'reportToken'>

type Essentials = 'purpose' | 'type' | 'name' | 'value' | 'required'

/** With what follows from the rest. Most DNS panels want the zone left out of a name, and `@` for the zone itself. */
export function wantedRecord<P extends WantedRecord['purpose']>(
  fields: { purpose: P } & Pick<WantedRecord, Essentials> & Partial<WantedRecord>,
): WantedRecord & { purpose: P } {
  const host = fields.name.slice(0, -zoneOf(fields.name).length - 1)
  return { host: host === '' ? '@' : host, priority: null, ttl: TTL, key: null, ...fields }
}

export const zoneOf = (name: string): string => getDomain(name, { allowPrivateDomains: true }) ?? name

export function wantedRecords(domain: Asked, { smtpHostname, linkHost }: MailHosts): SendingRecord[] {
  const record = wantedRecord<RecordView['purpose']>
  const returnPath = { name: returnPathHost(domain.name), required: true }
  const signer = signingKey(domain.keys)
  return [
    ...domain.keys.map((key) =>
      record({
        purpose: 'dkim',
        type: 'TXT',
        name: dkimHost(key.selector, domain.name),
        value: key.record,
        required: key === signer,
        key,
      }),
    ),
    record({ ...returnPath, purpose: 'return-path-mx', type: 'MX', value: smtpHostname, priority: 10 }),
    record({
      ...returnPath,
      purpose: 'return-path-spf',
      type: 'TXT',
      value: `v=spf1 include:${spfHost(smtpHostname)} ~all`,
    }),
    record({
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${domain.name}`,
      value: `v=DMARC1; p=none; rua=mailto:${reportAddress({ kind: 'dmarc', token: domain.reportToken }, smtpHostname)}`,
      required: false,
    }),
    ...(domain.trackingHost === null
      ? []
      : [record({ purpose: 'tracking', type: 'CNAME', name: domain.trackingHost, value: linkHost, required: false })]),
  ]
}

/** The RSA key that signs, or the first one that will: many receivers do not know Ed25519. */
function signingKey(keys: readonly PublicKey[]): PublicKey | undefined {
  const rsa = keys.filter(({ algorithm }) => algorithm === 'rsa')
  return rsa.find(({ state }) => state === 'active') ?? rsa.find(({ state }) => state === 'pending')
}

/** What is wanted, with what was last seen of it. */
export const recordViews = (domain: Asked & Looked, hosts: MailHosts): RecordView[] =>
  wantedRecords(domain, hosts).map((wanted) => {
    const view = recordView(wanted, domain)
    return wanted.key?.state === 'retired' ? { ...view, hint: farewell(wanted.key) } : view
  })

/** What was seen of a domain, and the time at which its row was read. */
export type Looked = { readonly seen: readonly Seen[] } & Pick<Domain, 'readAt'>

export function recordView<P extends WantedRecord['purpose']>(
  wanted: WantedRecord & { purpose: P },
  { seen, readAt }: Looked,
): AnyRecordView & { purpose: P } {
  const { key: _, ...record } = wanted
  const { status, observed, hint, askedAt = null, askedOf = null, ttl = null } = lastSeen(wanted, seen)
  return { ...record, status, observed, hint, askedAt, askedOf, ttlLeft: left(ttl, askedAt, readAt) }
}

/** A server counts down the time that it was told, and then asks again. */
function left(ttl: number | null, askedAt: string | null, readAt: string): number | null {
  if (ttl === null || askedAt === null) return null
  const age = Math.floor((Date.parse(readAt) - Date.parse(askedAt)) / 1_000)
  return Math.max(0, ttl - Math.max(0, age))
}

/** The records that are missing or wrong, of those that are of use: nothing is signed with a retired key. */
export const missingRecords = (domain: Asked & Looked, hosts: MailHosts): RecordView[] =>
  wantedRecords(domain, hosts)
    .filter(({ key }) => key?.state !== 'retired')
    .map((wanted) => recordView(wanted, domain))
    .filter(({ status }) => status !== 'verified')

export function lastSeen(wanted: WantedRecord, seen: readonly Seen[]): Seen {
  const { purpose, name, value } = wanted
  // Of DMARC any record will do, so what was seen of it does not depend on what we ask for.
  const isOf = (each: Seen): boolean => each.name === name && (purpose === 'dmarc' || each.value === value)
  const last = seen.find((each) => each.purpose === purpose && isOf(each))
  return last ?? { purpose, name, value, status: 'pending', observed: [], hint: howToCreate(wanted) }
}

export const howToCreate = ({ type, name, host, priority }: WantedRecord): string =>
  `Create a record of type ${type} at ${name} with the value shown here${priority === null ? '' : ` and priority ${priority}`}. ` +
  `Where your DNS panel asks for a name or host, enter "${host}".`

const farewell = ({ keepUntil }: PublicKey): string =>
  `Nothing is signed with this key any more, but mail under way was. Keep the record until ${keepUntil?.slice(0, 10)}.`
