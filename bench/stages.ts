/** Where the work is that one mail makes: processor time by process, which a busy neighbour changes least of all. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startReceiver } from './mail.ts'
import type { MailNode } from './mail-node.ts'
import { sendAll, unsignedAndSigned, type Mails } from './sending.ts'
import type { Row } from './table.ts'

const TICK_US = 10_000

export async function stages(): Promise<Row[]> {
  const receiver = await startReceiver()
  const { unsigned, signed } = await unsignedAndSigned(receiver.port, workPerMail)
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
async function workPerMail(node: MailNode, mails: Mails): Promise<Record<string, number>> {
  const before = workIn(node)
  const latest = new Map(before)
  const note = (): void => workIn(node).forEach((work, pid) => latest.set(pid, work))
  // A connection that ends takes the account of its work along.
  const timer = setInterval(note, 100)
  await sendAll(node, mails)
  clearInterval(timer)
  note()
  const work: Record<string, number> = {}
  for (const [pid, { who, us }] of latest)
    work[who] = (work[who] ?? 0) + (us - (before.get(pid)?.us ?? 0)) / mails.count
  return work
}

interface Work {
  who: string
  us: number
}

function workIn({ pid: node, dataDir }: MailNode): Map<number, Work> {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
  const work = new Map<number, Work>()
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)) {
    const seen = look(pid)
    if (seen === undefined) continue
    const isDatabase = pid === postmaster || seen.parent === postmaster
    const role = seen.parent === node ? /role\.js (\w+)/.exec(seen.command)?.[1] : undefined
    const who = isDatabase ? 'PostgreSQL' : pid === node ? 'the supervisor' : role && `the ${role}`
    if (who) work.set(pid, { who, us: seen.us })
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
