import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startInstallation, type Installation } from '../support/mail-node.ts'
import { postmasterPid, superuserUrl } from '../support/posthouse-process.ts'
import { credentials, PrivateCluster } from '../support/private-cluster.ts'
import { layCable } from './cable.ts'
import { crash } from './crash.ts'
import { firstAfter, lostOf, repeatsIn } from './ledgers.ts'
import { sitesOf, startRecipients, type Recipients } from './recipients.ts'
import { chaos, type Run } from './run.ts'
import { mountSmallDisk } from './small-disk.ts'
import { inWords, seconds, startStream, unplain, type Stream } from './stream.ts'

const CRASHES = 6

chaos('PostgreSQL crashes again and again while mail flows', async (run) => {
  const { recipients, here, stream } = await flowing()
  const before = pidsOf(here)
  const wentOn: number[] = []
  let killed = 0
  for (let i = 0; i < run.scaled(CRASHES); i++) {
    await sleep(run.between(1_500, 4_000))
    killed += crash(here.node.postmasterPid()!)
    await eventually('PostgreSQL is back', () => isServing(here.node.dataDir), 60_000)
    wentOn.push(await goesOn(stream, performance.now()))
  }
  const hasEnded = await stream.stop()

  const lost = await lostOf(stream.ledger.acknowledged.keys(), [recipients], 60_000)
  run.line('3', '0 lost', `${lost.length} lost of ${stream.ledger.acknowledged.size}`, lost.length === 0)
  const twice = repeatsIn([recipients])
  run.line('3', '0 twice', `${twice.length} twice`, twice.length === 0)
  const after = pidsOf(here)
  run.line('3', 'no process exits', `${before.difference(after).size} exited`, before.difference(after).size === 0)
  const worst = Math.max(...wentOn)
  run.line('3', 'first success ≤ 5 s after it is back', `≤ ${seconds(worst)}`, worst <= 5_000 && hasEnded)
  run.hit('kill -9 of PostgreSQL, all of it', wentOn.length)
  run.hit('processes of it that died', killed)
  run.hit('requests that had to be repeated', stream.ledger.repeated)
})

chaos('the disk fills up, and then PostgreSQL finds no room for its WAL', async (run) => {
  const disk = mountSmallDisk(512)
  const { recipients, here, stream } = await flowing({ DATA_DIR: disk.dataDir })
  const before = pidsOf(here)
  await sleep(run.between(2_000, 4_000))
  await spareWal(disk.dataDir)
  disk.fill()
  await eventually('somebody is refused', () => refusalsIn(stream) > 0, 30_000)
  await sleep(run.between(2_000, 4_000))
  const refused = refusalsIn(stream)
  await exhaustWal(disk.dataDir)
  await sleep(run.between(2_000, 4_000))
  disk.relieve()
  const healed = await goesOn(stream, performance.now())
  await heals(run, 'disk full', { here, before, stream, recipients, healed })
  run.hit('requests that were refused for want of disk', refused)
  run.hit('WAL without room, which took the server down', 1)
  run.hit('answers with 503', stream.heard.statuses.get(503) ?? 0)
})

chaos('connections to the database fall silent without being closed', async (run) => {
  const cluster = await new PrivateCluster().start()
  onTestFinished(() => cluster.remove())
  const cable = await layCable(`${cluster.dataDir}/postgres/.s.PGSQL.5432`)
  const url = `postgres://${credentials}@127.0.0.1:${cable.port}/posthouse?sslmode=disable`
  const { recipients, here, stream } = await flowing({ DATABASE_URL: url })
  const before = pidsOf(here)
  await sleep(run.between(2_000, 4_000))
  const struck = cable.cut()
  await sleep(run.between(4_000, 8_000))
  cable.mend()
  const healed = await goesOn(stream, performance.now())
  await heals(run, 'half-open', { here, before, stream, recipients, healed })
  run.hit('connections that fell silent', struck)
  run.hit('answers with 503', stream.heard.statuses.get(503) ?? 0)
})

interface Flowing {
  recipients: Recipients
  here: Installation
  stream: Stream
}

async function flowing(env: Record<string, string> = {}): Promise<Flowing> {
  const recipients = await startRecipients()
  const { sites, zones } = sitesOf(8)
  const here = await startInstallation(recipients, { LOG_LEVEL: 'silent', ...env }, zones)
  const stream = startStream({ apis: () => [here.api], from: here.from, sites })
  await eventually('mail flows', () => recipients.arrivals.length > 100, 60_000)
  return { recipients, here, stream }
}

/** What promise 7 says of every fault of the database, once that fault is gone. */
async function heals(
  run: Run,
  fault: string,
  { here, before, stream, recipients, healed }: Flowing & { before: Set<number>; healed: number },
): Promise<void> {
  const hasEnded = await stream.stop()
  const lost = await lostOf(stream.ledger.acknowledged.keys(), [recipients], 90_000)
  const { size } = stream.ledger.acknowledged
  run.line('7', `${fault}: no 2xx without commit`, `${lost.length} lost of ${size}`, lost.length === 0)
  const others = unplain(stream.heard)
  run.line('7', `${fault}: 503 otherwise`, inWords(stream.heard), others.length === 0)
  const exited = before.difference(pidsOf(here)).size
  const isHealed = Number.isFinite(healed) && hasEnded && exited === 0
  run.line('7', `${fault}: heals by itself`, `after ${seconds(healed)}, ${exited} processes exited`, isHealed)
}

const refusalsIn = ({ heard: { statuses } }: Stream): number =>
  [...statuses].reduce((sum, [status, times]) => sum + (status === 202 ? 0 : times), 0)

const pidsOf = ({ node }: Installation): Set<number> => new Set([node.pid, ...node.rolePids()])

/** Until the first mail is acknowledged, or for ever. */
async function goesOn({ ledger: { acknowledged } }: Stream, from: number): Promise<number> {
  const already = acknowledged.size
  await eventually('mail is acknowledged', () => acknowledged.size > already, 60_000).catch(() => {})
  return firstAfter(acknowledged.values(), from)
}

/** Segments in stock, so that tables run out of room first. */
async function spareWal(dataDir: string): Promise<void> {
  await session(dataDir, async (client) => {
    for (let i = 0; i < 3; i++) await nextSegment(client)
    await client.query('checkpoint')
  })
}

/** Segment after segment, until one would have to be made and there is no room for it: that takes the server down. */
async function exhaustWal(dataDir: string): Promise<void> {
  const before = postmasterPid(dataDir)
  await session(dataDir, async (client) => {
    for (;;) await nextSegment(client)
  }).catch(() => {})
  await eventually('PostgreSQL went down', () => postmasterPid(dataDir) !== before, 30_000)
}

async function nextSegment(client: pg.Client): Promise<void> {
  await client.query(`select pg_logical_emit_message(true, 'chaos', 'another segment')`)
  await client.query('select pg_switch_wal()')
}

const isServing = (dataDir: string): Promise<boolean> =>
  session(dataDir, (client) => client.query('select 1')).then(
    () => true,
    () => false,
  )

async function session(dataDir: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl(dataDir), connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
