/** From a request at our door to a mail at the recipient's: beside Postfix, and beside what the cores can sign. */
import { setTimeout as sleep } from 'node:timers/promises'
import { generateRsaKey } from '../src/mail/compose/dkim-key.ts'
import { sql } from '../src/storage/sql.ts'
import { requestBytes, sendEach } from './load.ts'
import { mail, startReceiver, type Receiver } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { postfixRate } from './postfix.ts'
import { signingRate } from './signing.ts'
import { perSecond, rate, ratio, type Row } from './table.ts'

const MAILS = 20_000
const SIGNED_MAILS = 12_000
const BATCH = 100

export async function sending(): Promise<Row[]> {
  const receiver = await startReceiver()
  const postfix = await postfixRate(receiver, false)
  const postfixSigned = await postfixRate(receiver, true)
  const { unsigned, signed } = await ourRates(receiver)
  const cores = await signingRate(await generateRsaKey())
  await receiver.stop()
  const compared = (what: string, ours: number, name: string, theirs: number | undefined, target = ''): Row => ({
    what: `${what}, 4 KB into ${receiver.name}`,
    ours: rate(ours),
    yardstick: theirs === undefined ? `${name}: not installed` : `${name} ${rate(theirs)}`,
    result: theirs === undefined ? '' : ratio(ours, theirs),
    target,
  })
  return [
    compared('end to end, unsigned', unsigned, 'Postfix', postfix, '≥ 5 ×'),
    compared('end to end, RSA-2048 signed', signed, 'Postfix + OpenDKIM', postfixSigned, '≥ 3 ×'),
    compared('signed mail, of what the cores can sign', signed, 'nothing but signing', cores, '≥ 0.7 ×'),
  ]
}

const ourRates = ({ port }: Receiver): Promise<Both<number>> =>
  unsignedAndSigned(port, async (node, mails) => {
    const startedAt = performance.now()
    await sendAll(node, mails)
    return perSecond(mails.count, performance.now() - startedAt)
  })

export interface Both<T> {
  unsigned: T
  signed: T
}

/** On one node that is warm: connections, caches, and above all the compiler, which is busy for half a minute. */
export async function unsignedAndSigned<T>(
  mxPort: number,
  measure: (node: MailNode, mails: Mails) => Promise<T>,
): Promise<Both<T>> {
  const node = await startMailNode(mxPort)
  await node.inDatabase((db) => db.run(sql`update domain_keys set state = 'retired', retired_at = now()`))
  await sendAll(node, mailsFor(node, MAILS))
  const unsigned = await measure(node, mailsFor(node, MAILS))
  await node.inDatabase((db) => db.run(sql`update domain_keys set state = 'active', retired_at = null`))
  await sendAll(node, mailsFor(node, SIGNED_MAILS / 4))
  const signed = await measure(node, mailsFor(node, SIGNED_MAILS))
  await node.stop()
  return { unsigned, signed }
}

export interface Mails {
  count: number
  /** A hundred mails in each. */
  requests: Buffer[]
}

/** Written down beforehand: whoever makes the load should take as little as possible from those who carry it. */
export function mailsFor({ from, projectKey }: MailNode, count: number): Mails {
  const headers = { authorization: `Bearer ${projectKey}`, 'content-type': 'application/json' }
  const requests = Array.from({ length: count / BATCH }, (_, at) => {
    const number = (i: number): number => at * BATCH + i
    const emails = Array.from({ length: BATCH }, (_, i) => mail(from, `user${number(i)}@sink.test`, number(i)))
    return requestBytes({ path: '/api/v1/email/batch', headers, body: JSON.stringify({ emails }) })
  })
  return { count, requests }
}

/** Until the receiver has them all. */
export async function sendAll(node: MailNode, { requests }: Mails): Promise<void> {
  const left = requests.values()
  await sendEach({ port: node.port, connections: 2, expected: 202 }, () => left.next().value)
  await untilEmpty(node)
}

/**
 * Asks the database and not the API: a page of emails by status costs as much work as sending a dozen. And from the end,
 * because from the beginning the question leads past all that have left.
 */
const untilEmpty = ({ inDatabase }: MailNode): Promise<void> =>
  inDatabase(async (db) => {
    const last = sql<{ id: string }>`select id from deliveries order by id desc limit 1`
    while ((await db.maybeOne(last)) !== undefined) await sleep(100)
  })
