import { getDomain } from 'tldts'
import type { Domain, PublicKey, RecordView, Seen } from './schema.ts'

/** The DNS records that a sending domain needs. */
export interface WantedRecord extends Omit<RecordView, 'status' | 'observed' | 'hint'> {
  /** Of a DKIM record: the key that it publishes. */
  key: PublicKey | null
}

export interface MailHosts {
  /** Where bounces come back to. */
  smtpHostname: string
  /** Where links in mail lead to. */
  linkHost: string
}

const TTL = 3_600

export const returnPathHost = (domain: string): string => `bounce.${domain}`

export const dkimHost = (selector: string, domain: string): string => `${selector}._domainkey.${domain}`

type Asked = Pick<Domain, 'name' | 'trackingHost' | 'keys'>

export function wantedRecords(domain: Asked, { smtpHostname, linkHost }: MailHosts): WantedRecord[] {
  const zone = getDomain(domain.name, { allowPrivateDomains: true }) ?? domain.name
  const record = (
    fields: Pick<WantedRecord, 'purpose' | 'type' | 'name' | 'value' | 'required'> & Partial<WantedRecord>,
  ): WantedRecord => ({ host: fields.name.slice(0, -zone.length - 1), priority: null, ttl: TTL, key: null, ...fields })
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
    record({ ...returnPath, purpose: 'return-path-spf', type: 'TXT', value: `v=spf1 a:${smtpHostname} ~all` }),
    record({
      purpose: 'dmarc',
      type: 'TXT',
      name: `_dmarc.${domain.name}`,
      value: 'v=DMARC1; p=none',
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
export const recordViews = (domain: Asked & Pick<Domain, 'seen'>, hosts: MailHosts): RecordView[] =>
  wantedRecords(domain, hosts).map((wanted) => {
    const { key, ...record } = wanted
    const { status, observed, hint } = lastSeen(wanted, domain.seen)
    return { ...record, status, observed, hint: key?.state === 'retired' ? farewell(key) : hint }
  })

export function lastSeen({ purpose, name, value }: WantedRecord, seen: readonly Seen[]): Seen {
  const last = seen.find((each) => each.purpose === purpose && each.name === name && each.value === value)
  return last ?? { purpose, name, value, status: 'pending', observed: [], hint: null }
}

const farewell = ({ keepUntil }: PublicKey): string =>
  `Nothing is signed with this key any more, but mail under way was. Keep the record until ${keepUntil?.slice(0, 10)}.`
