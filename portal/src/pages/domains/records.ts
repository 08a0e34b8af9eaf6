import type { Reply } from '@posthouse/sdk'

export type Domain = Reply<'GET /domains/:id'>
export type DnsRecord = Domain['records'][number]
/** Of a sending domain or of a receiving one. */
export type AnyRecord = DnsRecord | Reply<'GET /receiving/domains/:id'>['records'][number]

/** The record of a key that signs no more is of no more use, and the page does not ask for it. */
export const isWanted = ({ dkim }: Pick<Domain, 'dkim'>, { name }: DnsRecord): boolean =>
  !dkim.some(({ selector, state }) => state === 'retired' && name.startsWith(`${selector}.`))

/** What is missing or different, of all that is wanted. */
export const missingOf = (domain: Pick<Domain, 'dkim' | 'records'>): DnsRecord[] =>
  domain.records.filter((record) => record.status !== 'verified' && isWanted(domain, record))
