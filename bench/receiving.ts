/** Mail taken per second, each message safe on the disk before it is acknowledged: beside Postfix, which throws it away. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { created } from '../tests/support/world.ts'
import { startMailNode } from './mail-node.ts'
import { freePort } from './node.ts'
import { runSmtpSource, withDiscardingPostfix } from './postfix.ts'
import { median, perSecond, rate, ratio, type Row } from './table.ts'

const MAILS = 3_000
const ROUNDS = 3

/** smtp-source opens a connection for every message, unless it is told to keep it. */
const ways: Readonly<Record<string, readonly string[]>> = { 'a connection for each': [], 'ten connections': ['-d'] }

/** What the same machine does meanwhile: a worker reads and authenticates what was taken, or one elsewhere will. */
const nodes: Readonly<Record<string, string>> = {
  'mails taken and read': 'api,worker,inbound',
  'mails taken': 'api,inbound',
}

export async function receiving(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [what, roles] of Object.entries(nodes)) rows.push(...(await besidePostfix(what, roles)))
  return rows
}

async function besidePostfix(what: string, roles: string): Promise<Row[]> {
  const port = await freePort()
  const node = await startMailNode(1, { SMTP_INBOUND_PORT: String(port), ROLES: roles })
  const { name } = created(await node.api.post<{ name: string }>('receiving/domains', { type: 'managed' }))
  const rows = await withDiscardingPostfix(async (postfixPort) => {
    const measured: Row[] = []
    for (const [way, more] of Object.entries(ways)) {
      const { ours, theirs, readAfter } = await inTurns(
        () => runSmtpSource(port, `user@${name}`, MAILS, more),
        () => runSmtpSource(postfixPort, 'user@sink.test', MAILS, more),
        // Or Postfix would be measured while we are still reading.
        () => (roles.includes('worker') ? node.inDatabase(untilRead) : Promise.resolve()),
      )
      const yardstick = `Postfix ${rate(theirs)}`
      measured.push({
        what: `${what}, ${way}`,
        ours: roles.includes('worker')
          ? `${rate(ours)}, all read ${(readAfter / 1_000).toFixed(1)} s later`
          : rate(ours),
        yardstick,
        result: ratio(ours, theirs),
        target: '≥ 1 ×',
      })
    }
    return measured
  })
  await node.stop()
  return rows ?? [{ what, ours: '', yardstick: 'Postfix is not installed', result: '', target: '≥ 1 ×' }]
}

async function untilRead(db: Database): Promise<void> {
  const unread = sql`select from received_messages where state = 'unread' limit 1`
  while ((await db.all(unread)).length > 0) await sleep(100)
}

interface Rates {
  ours: number
  theirs: number
  /** Milliseconds from the last message that was taken to the last that was read. */
  readAfter: number
}

/** The median of each; a neighbour's noise then hits both or neither. The first round only warms up. */
async function inTurns(
  ours: () => Promise<void>,
  theirs: () => Promise<void>,
  calm: () => Promise<void>,
): Promise<Rates> {
  const [rates, rests] = [[[], []] as [number[], number[]], [] as number[]]
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [at, send] of [ours, theirs].entries()) {
      const startedAt = performance.now()
      await send()
      const sentAt = performance.now()
      if (round > 0) rates[at]?.push(perSecond(MAILS, sentAt - startedAt))
      await calm()
      if (round > 0 && at === 0) rests.push(performance.now() - sentAt)
    }
  }
  return { ours: median(rates[0]), theirs: median(rates[1]), readAfter: median(rests) }
}
