/**
 * How much may come in within a day (UTC). A message is taken as long as the limit is not reached before it, so that at
 * most one message goes beyond it, and everybody after that is told at RCPT.
 */
import ipaddr from 'ipaddr.js'
import { encodeReference, type MailReference } from '../../../core/mail-reference.ts'
import { ownReply } from '../../../mail/replies/reply.ts'
import type { Db } from '../../../storage/postgres.ts'
import * as store from './store.ts'

/**
 * The mailboxes of the installation. Everybody may write there, so each takes little, and a number of messages a day; of
 * one network fewer, so that no single sender uses up the day of all others.
 */
export const mailboxes = {
  operator: { messageBytes: 1024 * 1024, messagesPerDay: 1_000, messagesPerNetwork: 100 },
  /** Reports bring the message back that somebody complained about. */
  complaints: { messageBytes: 5 * 1024 * 1024, messagesPerDay: 10_000, messagesPerNetwork: 2_000 },
} as const
export type Mailbox = keyof typeof mailboxes

/** Limits for one return path. A recipient knows the return path of the mail that came, and can use up only that one. */
export const reports = { messageBytes: 5 * 1024 * 1024, messagesPerDay: 20 } as const

/**
 * Limits for the report address of one domain, which everybody can read in the DNS. RFC 9990 lets reporters send 10 MiB;
 * few send more than one report a day.
 */
export const domainReports = { messageBytes: 10 * 1024 * 1024, messagesPerDay: 1_000, messagesPerNetwork: 100 } as const

export const dailyLimitReply = ownReply(
  452,
  '4.2.2',
  'This mailbox has received all that it may today, try again later',
)

/** Thrown in the transaction of the message, which is undone with it. */
export class DailyLimitReached extends Error {}

/** How many messages of one owner are taken in a day. */
export interface DailyLimit {
  owner: string
  messagesPerDay: number
}

export function limitsOfMailbox(mailbox: Mailbox, client: string): DailyLimit[] {
  const { messagesPerDay, messagesPerNetwork } = mailboxes[mailbox]
  return [
    { owner: mailbox, messagesPerDay },
    { owner: `${mailbox} ${networkOf(client)}`, messagesPerDay: messagesPerNetwork },
  ]
}

export const limitOfReports = (reference: MailReference): DailyLimit => ({
  owner: `report ${encodeReference(reference)}`,
  messagesPerDay: reports.messagesPerDay,
})

export function limitsOfDomainReports(domainId: string, client: string): DailyLimit[] {
  const { messagesPerDay, messagesPerNetwork } = domainReports
  return [
    { owner: `domain report ${domainId}`, messagesPerDay },
    { owner: `domain report ${domainId} ${networkOf(client)}`, messagesPerDay: messagesPerNetwork },
  ]
}

/** What one customer of a provider is usually given, or less. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const octets = ipaddr.process(address).toByteArray()
  return Buffer.from(octets.slice(0, octets.length === 4 ? 3 : 6)).toString('hex')
}

/** The owners of those of these limits that are reached. */
export async function reachedLimits(db: Db, limits: readonly DailyLimit[]): Promise<ReadonlySet<string>> {
  const maxOf = new Map(limits.map(({ owner, messagesPerDay }) => [owner, messagesPerDay]))
  const rows = maxOf.size === 0 ? [] : await store.receivedToday(db, [...maxOf.keys()])
  return new Set(rows.flatMap(({ owner, messages }) => (messages >= (maxOf.get(owner) ?? Infinity) ? [owner] : [])))
}

export interface Counted {
  size: number
  /** Ids of projects, each once. */
  projects: readonly string[]
  /** Each once. */
  limits: readonly DailyLimit[]
}

/** What messages add to the day of one owner. */
interface Sum extends store.Received {
  /** The size of the last of them. */
  last: number
  /** Undefined for a project, whose limit is in bytes. */
  messagesPerDay: number | undefined
}

export function sumsOf(all: readonly Counted[], bytesPerDay: number): Sum[] {
  const sums = new Map<string, Sum>()
  const add = (owner: string, size: number, messagesPerDay?: number): void => {
    const { messages, bytes } = sums.get(owner) ?? { messages: 0, bytes: 0 }
    sums.set(owner, { owner, messages: messages + 1, bytes: bytes + size, last: size, messagesPerDay })
  }
  for (const { size, projects, limits } of all) {
    if (bytesPerDay !== Infinity) for (const project of projects) add(project, size)
    for (const { owner, messagesPerDay } of limits) add(owner, size, messagesPerDay)
  }
  return [...sums.values()]
}

/** Throws `DailyLimitReached` when one of the messages found the limit reached. `totals` are with these messages. */
export function refuseIfFull(sums: readonly Sum[], totals: readonly store.Received[], bytesPerDay: number): void {
  const added = new Map(sums.map((sum) => [sum.owner, sum]))
  for (const { owner, messages, bytes } of totals) {
    const { last = 0, messagesPerDay } = added.get(owner) ?? {}
    if (messagesPerDay === undefined ? bytes - last >= bytesPerDay : messages > messagesPerDay)
      throw new DailyLimitReached()
  }
}
