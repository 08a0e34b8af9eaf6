/** Where mail for an address goes, if anywhere. It is asked at RCPT, and again when the message is stored. */
import type { EmailId, ProjectId, ReceivingDomainId } from '../../../core/ids.ts'
import { domainOfReturnPath, readReference, returnPathHost, type MailReference } from '../../../core/mail-reference.ts'
import type { TokenKeys } from '../../../core/token.ts'
import { domainOf } from '../../../mail/address.ts'
import { ownReply, type Reply } from '../../../mail/replies/reply.ts'
import type { Db } from '../../../storage/postgres.ts'
import {
  reachedLimits,
  limitOfReports,
  limitsOfDomainReports,
  limitsOfMailbox,
  type DailyLimit,
  type Mailbox,
} from './daily-limits.ts'
import { readReportAddress, type ReportAddress } from '../../../core/report-address.ts'
import * as store from './store.ts'

export interface Recipient {
  email: string
  /** Without quotation marks. */
  local: string
  /** Lower case. */
  domain: string
}

/** A recipient, and the address of the client that names it. */
export interface RecipientQuery {
  recipient: Recipient
  client: string
}

export type Destination =
  | { kind: 'project'; projectId: ProjectId; domainId: ReceivingDomainId; isPaused: boolean; isFull: boolean }
  /** About an email of ours. */
  | { kind: 'report'; reference: MailReference; limits: readonly DailyLimit[]; isFull: boolean }
  /** An aggregate report about a domain of ours. */
  | { kind: 'domain report'; about: store.ReportedDomain; limits: readonly DailyLimit[]; isFull: boolean }
  /** Of the installation. In a complaint, the message has to say which email it is about. */
  | { kind: 'mailbox'; mailbox: Mailbox; limits: readonly DailyLimit[]; isFull: boolean }
  | { kind: 'rejected'; reply: Reply }

export interface Addresses {
  /** What we are called. */
  hostname: string
  /** Asked for when a return path is seen: nobody should need the master key before. */
  tokenKeys: () => TokenKeys
  /** What a project may receive in a day; Infinity for no limit. */
  bytesPerDay: number
}

const noSuchMailbox = ownReply(550, '5.1.1', 'No such mailbox')
const notHere = ownReply(550, '5.7.1', 'We take no mail for this domain')
const archived = ownReply(550, '5.2.1', 'This mailbox is closed')

/** RFC 2142 §4 and RFC 5321 §4.5.1: an operator has to read mail to the first two. */
function mailboxOf(local: string): Mailbox | undefined {
  if (/^(?:postmaster|abuse)$/i.test(local)) return 'operator'
  return local.toLowerCase() === 'fbl' ? 'complaints' : undefined
}

/** One destination for each recipient, in the same order. The database is asked once for all recipients. */
export async function destinationsOf(
  db: Db,
  queries: readonly RecipientQuery[],
  { hostname, tokenKeys, bytesPerDay }: Addresses,
): Promise<Destination[]> {
  const recipients = queries.map(({ recipient }) => recipient)
  const references = recipients.map((recipient) => referenceIn(recipient, tokenKeys))
  const named = recipients.map(({ local }) => mailboxOf(local))
  const reported = await reportedDomains(db, recipients, hostname)
  const limits = queries.map(({ client, recipient }, at) => {
    const about = reported.get(recipient.email)
    return about === undefined
      ? limitsOf(references[at], named[at], client)
      : limitsOfDomainReports(about.domainId, client)
  })
  const [senders, holders, returnPaths, full] = await Promise.all([
    sendersOf(db, references),
    holdersOf(db, recipients, hostname),
    returnPathsAmong(db, recipients),
    reachedLimits(db, limits.flat()),
  ])
  return recipients.map(({ domain, email }, at): Destination => {
    const mailbox = named[at]
    const counted = limits[at] ?? []
    const share = { limits: counted, isFull: counted.some(({ owner }) => full.has(owner)) }
    const own: Destination =
      mailbox === undefined ? { kind: 'rejected', reply: noSuchMailbox } : { kind: 'mailbox', mailbox, ...share }
    const about = reported.get(email)
    if (about !== undefined) return { kind: 'domain report', about, ...share }
    if (domain === hostname) return own
    const reference = references[at]
    const sender = reference && senders.get(reference.emailId)
    // A token is good at the return path that it was made for and nowhere else.
    if (reference && sender !== undefined && returnPathHost(domainOf(sender)) === domain)
      return { kind: 'report', reference, ...share }
    const holder = holders.get(domain)
    if (holder !== undefined) return heldBy(holder, bytesPerDay)
    if (!returnPaths.has(domain)) return { kind: 'rejected', reply: notHere }
    return mailbox === 'operator' ? own : { kind: 'rejected', reply: noSuchMailbox }
  })
}

function limitsOf(reference: MailReference | undefined, mailbox: Mailbox | undefined, client: string): DailyLimit[] {
  if (reference !== undefined) return [limitOfReports(reference)]
  return mailbox === undefined ? [] : limitsOfMailbox(mailbox, client)
}

/** In lower case: some servers have changed it on the way. */
function referenceIn({ local }: Recipient, tokenKeys: () => TokenKeys): MailReference | undefined {
  const [, token] = /^b\+([0-9a-z]+)$/.exec(local.toLowerCase()) ?? []
  return token === undefined ? undefined : readReference(tokenKeys(), 'recipient', token)
}

/** Of most mail there is nothing to ask. */
async function reportedDomains(
  db: Db,
  recipients: readonly Recipient[],
  hostname: string,
): Promise<ReadonlyMap<string, store.ReportedDomain>> {
  const addresses = recipients.flatMap(({ email, local, domain }) => {
    const address: ReportAddress | undefined = domain === hostname ? readReportAddress(local) : undefined
    return address === undefined ? [] : [{ email, ...address }]
  })
  if (addresses.length === 0) return new Map()
  const rows = await store.reportedDomains(
    db,
    addresses.map(({ token }) => token),
  )
  return new Map(
    addresses.flatMap(({ email, kind, token }) => {
      const about = rows.find((row) => row.kind === kind && row.token === token)
      return about === undefined ? [] : [[email, about]]
    }),
  )
}

async function sendersOf(
  db: Db,
  references: readonly (MailReference | undefined)[],
): Promise<ReadonlyMap<EmailId, string>> {
  const ids = references.flatMap((reference) => (reference === undefined ? [] : [reference.emailId]))
  const rows = ids.length === 0 ? [] : await store.senders(db, ids)
  return new Map(rows.map(({ id, sender }) => [id, sender]))
}

async function holdersOf(
  db: Db,
  recipients: readonly Recipient[],
  hostname: string,
): Promise<ReadonlyMap<string, store.Holder>> {
  const names = new Set(recipients.map(({ domain }) => domain).filter((domain) => domain !== hostname))
  const rows = names.size === 0 ? [] : await store.holders(db, [...names])
  return new Map(rows.map((holder) => [holder.name, holder]))
}

async function returnPathsAmong(db: Db, recipients: readonly Recipient[]): Promise<ReadonlySet<string>> {
  const names = recipients.flatMap(({ domain }) => domainOfReturnPath(domain) ?? [])
  const rows = names.length === 0 ? [] : await store.sendingDomains(db, names)
  return new Set(rows.map(({ name }) => returnPathHost(name)))
}

function heldBy({ projectId, domainId, projectStatus, received }: store.Holder, bytesPerDay: number): Destination {
  if (projectStatus === 'archived') return { kind: 'rejected', reply: archived }
  const isPaused = projectStatus === 'paused'
  return { kind: 'project', projectId, domainId, isPaused, isFull: received >= bytesPerDay }
}
