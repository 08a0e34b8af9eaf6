/**
 * How much may come in within a day (UTC). A message is taken as long as the limit is not reached before it, so that at
 * most one message goes beyond it, and everybody after that is told at RCPT.
 */
import { ownReply } from '../../mail/reply.ts'
import type { Db, Tx } from '../../storage/postgres.ts'
import * as store from './store.ts'

/** The mailboxes of the installation. Everybody may write there, so each takes little, and a number of messages a day. */
export const mailboxes = {
  operator: { messageBytes: 1024 * 1024, messagesPerDay: 1_000 },
  /** Reports bring the message back that somebody complained about. */
  complaints: { messageBytes: 5 * 1024 * 1024, messagesPerDay: 10_000 },
} as const
export type Mailbox = keyof typeof mailboxes

export const fullToday = ownReply(452, '4.2.2', 'This mailbox has received all that it may today, try again later')

/** Thrown in the transaction of the message, which is undone with it. */
export class FullToday extends Error {}

export async function fullMailboxes(db: Db, asked: readonly Mailbox[]): Promise<ReadonlySet<Mailbox>> {
  const rows = asked.length === 0 ? [] : await store.receivedToday(db, asked)
  const counts = new Map(rows.map(({ owner, messages }) => [owner, messages]))
  return new Set(asked.filter((mailbox) => (counts.get(mailbox) ?? 0) >= mailboxes[mailbox].messagesPerDay))
}

export interface Arrived {
  size: number
  /** Ids of projects, each once. */
  projects: readonly string[]
  mailboxes: readonly Mailbox[]
}

/** Counts these messages. Throws `FullToday` when one of them finds the limit reached. */
export async function count(tx: Tx, all: readonly Arrived[], bytesPerDay: number): Promise<void> {
  const sums = new Map<string, store.Received & { last: number }>()
  for (const { size, projects, mailboxes: named } of all) {
    for (const owner of bytesPerDay === Infinity ? named : [...projects, ...named]) {
      const { messages, bytes } = sums.get(owner) ?? { messages: 0, bytes: 0 }
      sums.set(owner, { owner, messages: messages + 1, bytes: bytes + size, last: size })
    }
  }
  if (sums.size === 0) return
  for (const { owner, messages, bytes } of await store.addReceived(tx, [...sums.values()])) {
    const before = bytes - (sums.get(owner)?.last ?? 0)
    const isFull = isMailbox(owner) ? messages > mailboxes[owner].messagesPerDay : before >= bytesPerDay
    if (isFull) throw new FullToday()
  }
}

const isMailbox = (owner: string): owner is Mailbox => owner in mailboxes
