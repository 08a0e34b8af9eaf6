import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { Client } from '../support/client.ts'
import type { Zones } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { startPosthouse, type PosthouseProcess } from '../support/posthouse-process.ts'
import { PrivateCluster } from '../support/private-cluster.ts'
import { areSame, lostOf, repeatsIn } from './ledgers.ts'
import { startRecipients, type Arrival, type Recipients } from './recipients.ts'
import { chaos } from './run.ts'
import { postAll, type Post } from './senders.ts'
import { inWords, seconds, startStream, unplain } from './stream.ts'

const SITES = 4
/** What all of us together offer to a site, and how far that may be exceeded while nodes come and go. */
const [CONNECTIONS, TOLERANCE] = [10, 2]
/** Mail that one worker has in hand at most. */
const SLOTS = 500
const FROZEN_MS = 40_000
/** Before this nobody may send again what somebody silent had in hand: 15 s after its last sign at least, and a minute. */
const UNTOUCHED_MS = 75_000
/** Sites take their time, so that hands are full when the faults come. */
const ANSWERS_AFTER_MS = 40

chaos('of three nodes one is killed and one is frozen', async (run) => {
  const { servers, sites, zones } = await startSites()
  const { nodes, clients, from } = await startNodes(servers[0]!, zones)
  const [doomed, sleeper] = [nodes[1]!, nodes[2]!]
  const serving = new Set(clients)
  const stream = startStream({ apis: () => [...serving], from, sites })
  const { acknowledged } = stream.ledger
  await postAll(burst(clients, from, sites), stream.ledger)
  const isBusy = ({ underway }: Recipients): boolean => nodes.every(({ name }) => countOf(underway, name) > 0)
  await eventually('every node is at work everywhere', () => servers.every(isBusy), 60_000)
  await sleep(run.between(0, 1_000))

  serving.delete(clients[1]!)
  doomed.node.signalGroup('SIGKILL')
  const killedAt = performance.now()
  await sleep(run.between(200, 1_000))
  serving.delete(clients[2]!)
  sleeper.node.signalGroup('SIGSTOP')
  const frozenAt = performance.now()
  const inHand = new Set(servers.flatMap(({ underway }) => [...underway].filter(by(sleeper.name)).map(({ to }) => to)))
  await sleep(FROZEN_MS)
  const thawedAt = performance.now()
  sleeper.node.signalGroup('SIGCONT')
  serving.add(clients[2]!)
  await sleep(2_000)
  const hasEnded = await stream.stop()

  const lost = await lostOf(stream.ledger.acknowledged.keys(), servers, 75_000)
  run.line('nodes', '0 lost', `${lost.length} lost of ${acknowledged.size}`, lost.length === 0)
  const refusals = unplain(stream.heard).filter((status) => status !== 0)
  run.line(
    'nodes',
    'no answer but 202, 409, 429, 503; none from the dead',
    inWords(stream.heard),
    refusals.length === 0 && hasEnded,
  )

  const arrivals = servers.flatMap((server) => server.arrivals).toSorted((a, b) => a.at - b.at)
  const gap = longestGap(arrivals, killedAt, thawedAt)
  run.line('nodes', 'mail never stands still for 30 s', `${seconds(gap)} at most`, gap <= 30_000)
  const waits = waitsFor(arrivals, acknowledged, killedAt)
  const late = waits.filter((ms) => ms > 30_000).length
  const last = Math.max(...waits)
  run.line(
    'nodes',
    `all accepted before has arrived within 30 s, the ≤ ${2 * SLOTS} that the two had in hand within 95 s`,
    `${late} of ${waits.length} later than 30 s, the last after ${seconds(last)}`,
    late <= 2 * SLOTS && last <= 95_000,
  )
  const most = Math.max(...servers.map(({ mostOpen }) => mostOpen))
  run.line(
    'nodes',
    `at most ${CONNECTIONS} connections to a site, within ${TOLERANCE} ×`,
    `${most} at most`,
    most <= CONNECTIONS * TOLERANCE,
  )
  const stolen = arrivals.filter(
    ({ to, at, sender }) => inHand.has(to) && sender === sleeper.name && at > thawedAt && at < frozenAt + UNTOUCHED_MS,
  )
  run.line('nodes', '0 final dots for what a thawed node has lost', `${stolen.length}`, stolen.length === 0)
  const again = repeatsIn(servers)
  const untraced = again.filter(
    (copies) => !areSame(copies) || !(isLast(copies, doomed.name, killedAt) || isLast(copies, sleeper.name, frozenAt)),
  )
  run.line(
    'nodes',
    'twice only what was past its dot in the moment of the kill or the freeze, same bytes',
    `${again.length} twice, ${untraced.length} of them untraced`,
    untraced.length === 0,
  )
  run.hit('kill -9 of a whole node', 1)
  run.hit(`a whole node frozen for ${seconds(thawedAt - frozenAt)}`, 1)
  run.hit('mails between DATA and dot in the hands of the frozen node', inHand.size)
  run.hit('senders cut off within DATA', servers.flatMap(({ cut }) => cut).length)
  run.hit('mails taken over, as they arrived later', late)
})

/** One server for each, at an address of its own, so that connections can be counted. */
async function startSites(): Promise<{ servers: Recipients[]; sites: string[]; zones: Zones }> {
  const servers: Recipients[] = []
  const zones: Zones = {}
  for (let i = 0; i < SITES; i++) {
    const address = `127.0.0.${i + 2}`
    servers.push(await startRecipients({ address, port: servers[0]?.port ?? 0, linger: () => ANSWERS_AFTER_MS }))
    zones[`site${i}.test`] = { MX: [`10 mx.site${i}.test`] }
    zones[`mx.site${i}.test`] = { A: [address] }
  }
  return { servers, sites: servers.map((_, i) => `site${i}.test`), zones }
}

interface Member {
  node: PosthouseProcess
  /** What it calls itself to the recipients' servers. */
  name: string
}

/** Three that know nothing of each other but the database. */
async function startNodes(mx: Recipients, zones: Zones): Promise<{ nodes: Member[]; clients: Client[]; from: string }> {
  const cluster = await new PrivateCluster(['max_connections=150']).start()
  onTestFinished(() => cluster.remove())
  const own = (i: number) => ({
    DATABASE_URL: cluster.url,
    LOG_LEVEL: 'silent',
    MASTER_KEY: key,
    SMTP_HOSTNAME: nameOf(i),
  })
  const key = randomBytes(32).toString('hex')
  const { node, dns, api, from } = await startInstallation(mx, own(0), zones)
  const shared = { DNS_SERVERS: dns.address, SMTP_MX_PORT: String(mx.port), EGRESS_ALLOW: '127.0.0.0/8' }
  const joins = (i: number) => startPosthouse({ env: { ...shared, RATE_LIMIT_PER_SECOND: '0', ...own(i) } })
  const all = [node, ...(await Promise.all([joins(1), joins(2)]))]
  return {
    nodes: all.map((each, i) => ({ node: each, name: nameOf(i) })),
    clients: all.map(({ url }) => new Client(url, api.key)),
    from,
  }
}

/** Without a dot: with one, each would name an address of its own for complaints, and their copies were not the same. */
const nameOf = (i: number): string => `node${i}`

/** So much at once that no node is idle. */
function* burst(clients: readonly Client[], from: string, sites: readonly string[]): Generator<Post> {
  for (let i = 0; i < 24; i++) {
    const to = Array.from({ length: 100 }, (_, n) => `burst${i}.${n}@${sites[n % sites.length]}`)
    yield { api: () => clients[i % clients.length]!, from, to }
  }
}

const by = (name: string) => (one: { sender: string }) => one.sender === name

const countOf = (underway: Set<{ sender: string }>, name: string): number => [...underway].filter(by(name)).length

function longestGap(arrivals: readonly Arrival[], from: number, to: number): number {
  const times = [from, ...arrivals.map(({ at }) => at).filter((at) => at > from && at < to), to]
  return Math.max(...times.slice(1).map((time, i) => time - times[i]!))
}

/** How long everybody waited after a moment by which their mail had been accepted; those who had it already did not. */
function waitsFor(arrivals: readonly Arrival[], acknowledged: ReadonlyMap<string, number>, moment: number): number[] {
  const firstAt = new Map(arrivals.toReversed().map(({ to, at }) => [to, at]))
  return [...acknowledged].flatMap(([to, at]) => {
    const wait = (firstAt.get(to) ?? Infinity) - moment
    return at < moment && wait > 0 ? [wait] : []
  })
}

/** Whether the first copy was the last thing that this node did. */
const isLast = ([first]: readonly Arrival[], name: string, endedAt: number): boolean =>
  first?.sender === name && first.at > endedAt - 2_000 && first.at < endedAt + 500
