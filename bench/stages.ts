/** Where the work is that one mail makes: processor time by process, which a busy neighbour changes least of all. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from '../src/storage/sql.ts'
import { startReceiver, type Receiver } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { sendAll, untilEmpty } from './sending.ts'
import type { Row } from './table.ts'

const MAILS = 10_000
const TICK_US = 10_000

export async function stages(): Promise<Row[]> {
  const receiver = await startReceiver()
  const unsigned = await workPerMail(receiver, false)
  const signed = await workPerMail(receiver, true)
  await receiver.stop()
  return Object.entries(unsigned).map(([who, us]) => ({
    what: `work for one mail of 4 KB: ${who}`,
    ours: `${us.toFixed(0)} µs`,
    yardstick: `RSA-2048 signed: ${(signed[who] ?? 0).toFixed(0)} µs`,
    result: '',
    target: '',
  }))
}

/** Microseconds of processor time, from the request to the receiver's yes. */
async function workPerMail(receiver: Receiver, isSigned: boolean): Promise<Record<string, number>> {
  const node = await startMailNode(receiver.port)
  if (!isSigned)
    await node.inDatabase((db) => db.run(sql`update domain_keys set state = 'retired', retired_at = now()`))
  await sendAll(node, 0, 2_000)
  await untilEmpty(node)
  const before = workSoFar(node)
  await sendAll(node, 2_000, MAILS)
  await untilEmpty(node)
  const after = workSoFar(node)
  await node.stop()
  return Object.fromEntries(Object.entries(after).map(([who, us]) => [who, (us - (before[who] ?? 0)) / MAILS]))
}

function workSoFar({ pid, dataDir }: MailNode): Record<string, number> {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const work: Record<string, number> = {}
  for (const id of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const seen = look(id)
    if (seen === undefined) continue
    const isDatabase = id === postmaster || seen.parent === postmaster
    const role = seen.parent === pid ? /role\.ts (\w+)/.exec(seen.command)?.[1] : undefined
    const who = isDatabase ? 'PostgreSQL' : id === pid ? 'the supervisor' : role && `the ${role}`
    if (who) work[who] = (work[who] ?? 0) + seen.us
  }
  return work
}

/** Undefined when it has ended meanwhile. */
function look(pid: number): { parent: number; us: number; command: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Behind the name, which may contain anything: the state, the parent; ticks in user and in system mode.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { parent: Number(fields[1]), us: (Number(fields[11]) + Number(fields[12])) * TICK_US, command }
  } catch {
    return undefined
  }
}
