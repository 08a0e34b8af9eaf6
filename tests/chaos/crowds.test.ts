import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { eventually, milliseconds } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos, quantile } from './run.ts'
import { newLedger, post, postAll, type Post } from './senders.ts'
import { startTarpit } from './tarpit.ts'

const STUCK_MAILS = 10_000
const OTHER_MAILS = 1_000
/** One after another so many milliseconds apart, whatever becomes of the one before. */
const OTHERS_EVERY_MS = 10

chaos('a destination that hardly answers holds thousands of mails, and the others get theirs', async (run) => {
  const recipients = await startRecipients()
  const tarpit = await startTarpit({
    address: '127.0.0.2',
    port: recipients.port,
    answersAfterMs: (nth) => (nth % 2 === 0 ? 30_000 : Infinity),
  })
  const { sites, zones } = sitesOf(8)
  const stuck = sitesOf(1, 'pit', tarpit.address)
  const { api, from } = await startInstallation(recipients, { LOG_LEVEL: 'silent' }, { ...zones, ...stuck.zones })
  const ledger = newLedger()
  const mailTo = (...to: readonly string[]): Post => ({ api: () => api, from, to })
  const names = Array.from({ length: run.scaled(STUCK_MAILS) }, (_, i) => `stuck${i}@${stuck.sites[0]}`)
  await postAll(
    inHundreds(names).map((some) => mailTo(...some)),
    ledger,
  )
  await eventually(
    'as many wait at the tarpit as ever will',
    hasSettled(() => tarpit.held),
    60_000,
  )

  const others = Array.from({ length: run.scaled(OTHER_MAILS) }, (_, i) => `user${i}@${sites[i % sites.length]}`)
  const posting = others.map(async (to, i) => {
    await sleep(i * OTHERS_EVERY_MS)
    await post(mailTo(to), ledger)
  })
  await Promise.all(posting)
  const hasAll = () => recipients.counts().size === others.length
  await eventually('the others have their mail', hasAll, 30_000).catch(() => {})

  const arrived = new Map(recipients.arrivals.map(({ to, at }) => [to, at]))
  const delays = others.map((to) => (arrived.get(to) ?? Infinity) - (ledger.acknowledged.get(to) ?? 0))
  const p99 = quantile(delays, 0.99)
  run.line(
    '24',
    `${names.length} mails at a tarpit: the others’ p99 at most 5 s from acknowledgement to arrival`,
    `p50 ${told(quantile(delays, 0.5))}, p99 ${told(p99)} of ${others.length}, with ${tarpit.held} connections held`,
    p99 <= 5_000,
  )
  run.hit('connections held by a tarpit', tarpit.mostHeld)
  run.hit('mails for a tarpit', names.length)
})

/** Whether a count is above zero, and the same as two seconds ago. */
function hasSettled(count: () => number): () => boolean {
  let [last, since] = [0, performance.now()]
  return () => {
    if (count() !== last) [last, since] = [count(), performance.now()]
    return last > 0 && performance.now() - since > SETTLED_MS
  }
}

const SETTLED_MS = 2_000
const SLOW_CALLERS = 2_000
const DRIP_EVERY_MS = 1_000
const PATIENCE_MS = 15_000

chaos('thousands of callers drip their headers, and nobody else notices', async (run) => {
  const { api } = await startPosthouse({ env: { LOG_LEVEL: 'silent', RATE_LIMIT_PER_SECOND: '0' } })
  const { hostname, port } = new URL(api.url)
  // The first call of all opens what is open from then on.
  await api.get('projects')
  const slow = await Promise.all(Array.from({ length: run.scaled(SLOW_CALLERS) }, () => drip(hostname, Number(port))))
  const usual: number[] = []
  const progress = { isOver: false }
  const closed = Promise.all(slow.map(({ lasted }) => lasted)).finally(() => (progress.isOver = true))
  while (!progress.isOver) {
    let status = 0
    const took = await milliseconds(async () => void (status = (await api.get('projects')).status))
    usual.push(status === 200 ? took : Infinity)
    await sleep(run.between(0, 20))
  }
  const lasted = await closed
  const [longest, p99] = [Math.max(...lasted), quantile(usual, 0.99)]
  run.line(
    '30',
    `${slow.length} connections that drip are closed within 15 s`,
    `the last after ${told(longest)}`,
    longest <= PATIENCE_MS,
  )
  run.line(
    '30',
    'meanwhile p99 of ordinary requests at most 500 ms',
    `p50 ${told(quantile(usual, 0.5))}, p99 ${told(p99)} of ${usual.length}`,
    p99 <= 500,
  )
  run.hit('connections that drip', slow.length)
})

/** A request that begins and never ends, a header at a time; how long it is put up with. */
async function drip(host: string, port: number): Promise<{ lasted: Promise<number> }> {
  const socket = await connected(connect({ host, port }))
  const openedAt = performance.now()
  socket.write('GET /api/v1/projects HTTP/1.1\r\nHost: posthouse.test\r\n')
  const timer = setInterval(() => socket.write('X-Drip: drop\r\n'), DRIP_EVERY_MS)
  const closed = new Promise((resolve) => socket.once('close', resolve)).then(() => performance.now() - openedAt)
  // Not for ever, should nobody ever close it.
  const given = sleep(2 * PATIENCE_MS, Infinity, { ref: false })
  return { lasted: Promise.race([closed, given]).finally(() => clearInterval(timer)) }
}

function connected(socket: Socket): Promise<Socket> {
  onTestFinished(() => void socket.destroy())
  // What comes is not looked at, but has to be read: the end comes behind it.
  socket.on('error', () => {}).resume()
  return new Promise((resolve) => socket.once('connect', () => resolve(socket)))
}

const inHundreds = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / 100) }, (_, i) => names.slice(i * 100, (i + 1) * 100))

const told = (ms: number): string => (ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`)
