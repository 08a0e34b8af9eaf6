/** From a request at our door to a mail at the recipient's: beside Postfix, and beside what the cores can sign. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../src/storage/sql.ts'
import { mail, startReceiver, type Receiver } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { postfixRate } from './postfix.ts'
import { signingRate } from './signing.ts'
import { perSecond, rate, ratio, type Row } from './table.ts'

const MAILS = 20_000
const SIGNED_MAILS = 12_000

export async function sending(): Promise<Row[]> {
  const receiver = await startReceiver()
  const postfix = await postfixRate(receiver, false)
  const postfixSigned = await postfixRate(receiver, true)
  const { unsigned, signed } = await ourRates(receiver)
  const cores = await signingRate()
  await receiver.stop()
  const compared = (what: string, ours: number, name: string, theirs: number | undefined, target: string): Row => ({
    what: `${what}, 4 KB into ${receiver.name}`,
    ours: rate(ours),
    yardstick: theirs === undefined ? `${name}: not installed` : `${name} ${rate(theirs)}`,
    result: theirs === undefined ? '' : ratio(ours, theirs),
    target,
  })
  return [
    compared('end to end, unsigned', unsigned, 'Postfix', postfix, '≥ 5 ×'),
    compared('end to end, RSA-2048 signed', signed, 'Postfix + OpenDKIM', postfixSigned, '≥ 3 ×'),
    compared('end to end, RSA-2048 signed', signed, 'all the cores can sign', cores, '≥ 0.7 ×'),
  ].map((row, i) => (i === 2 ? { ...row, what: `${row.what}, of the signing rate` } : row))
}

const ourRates = ({ port }: Receiver): Promise<Both<number>> =>
  unsignedAndSigned(port, async (node, count) => {
    const startedAt = performance.now()
    await sendAll(node, count)
    return perSecond(count, performance.now() - startedAt)
  })

export interface Both<T> {
  unsigned: T
  signed: T
}

/** On one node that is warm: connections, caches, and above all the compiler, which is busy for half a minute. */
export async function unsignedAndSigned<T>(
  mxPort: number,
  measure: (node: MailNode, mails: number) => Promise<T>,
): Promise<Both<T>> {
  const node = await startMailNode(mxPort)
  await node.inDatabase((db) => db.run(sql`update domain_keys set state = 'retired', retired_at = now()`))
  await sendAll(node, MAILS)
  const unsigned = await measure(node, MAILS)
  await node.inDatabase((db) => db.run(sql`update domain_keys set state = 'active', retired_at = null`))
  await sendAll(node, SIGNED_MAILS / 4)
  const signed = await measure(node, SIGNED_MAILS)
  await node.stop()
  return { unsigned, signed }
}

/** Until the receiver has them all. */
export async function sendAll(node: MailNode, count: number): Promise<void> {
  const { api, from } = node
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < count) {
      const at = next
      next += 100
      const emails = Array.from({ length: 100 }, (_, i) => mail(from, `user${at + i}@sink.test`, at + i))
      const { status, text } = await api.post('email/batch', { emails })
      if (status !== 202) throw new Error(text)
    }
  }
  await Promise.all([sender(), sender()])
  await untilEmpty(node)
}

/** Asks the database and not the API: a page of emails by status costs as much work as sending a dozen. */
const untilEmpty = ({ inDatabase }: MailNode): Promise<void> =>
  inDatabase(async (db) => {
    while ((await db.one(sql<{ left: boolean }>`select exists (select from deliveries) as left`)).left) await sleep(100)
  })
