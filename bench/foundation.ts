import { measure, type Load, type Measured } from './load.ts'
import { freePort, residentMegabytes, startInstallation, yardstick, type RunningNode } from './node.ts'
import { ratio, type Row } from './table.ts'

const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 32

/** Start, memory, and what a request costs before it does anything. */
export async function foundation(): Promise<Row[]> {
  const node = await startInstallation({ RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' })
  const [startedIn, memory] = [node.startedInMs / 1_000, residentMegabytes(node)]
  const rows = [
    { what: 'first start to ready, from nothing', ours: `${startedIn.toFixed(1)} s`, target: '≤ 5 s' },
    { what: 'idle memory, all Node processes', ours: `${memory.toFixed(0)} MB`, target: '≤ 350 MB' },
  ].map((row) => ({ ...row, yardstick: '', result: '' }))
  const list = await projectsList(node)
  await node.stop()
  return [...rows, list]
}

/** Our whole request shell, two statements in PostgreSQL included, beside a framework that does nothing. */
async function projectsList(node: RunningNode): Promise<Row> {
  const headers = { authorization: `Bearer ${node.key}` }
  const answer = await (await fetch(`http://127.0.0.1:${node.port}/api/v1/projects`, { headers })).text()
  const port = await freePort()
  const bare = await yardstick('empty-fastify.ts', [String(port), answer])
  const load = { path: '/api/v1/projects', connections: CONNECTIONS, seconds: SECONDS }
  const [ours, theirs] = await inTurns({ ...load, port: node.port, headers }, { ...load, port })
  bare.kill()
  return {
    what: 'GET /projects',
    ours: `${ours.perSecond.toFixed(0)}/s, p99 ${ours.p99Ms.toFixed(1)} ms`,
    yardstick: `empty Fastify route ${theirs.perSecond.toFixed(0)}/s`,
    result: ratio(ours.perSecond, theirs.perSecond),
    target: '≥ 0.5 ×',
  }
}

/** The median round of each; a neighbour's noise then hits both or neither. The first round only warms up. */
async function inTurns(a: Load, b: Load): Promise<[Measured, Measured]> {
  const measured: [Measured[], Measured[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const pair = [await measure(a), await measure(b)] as const
    if (round > 0) pair.forEach((one, i) => measured[i]?.push(one))
  }
  const [ours, theirs] = measured.map(
    (all) => all.toSorted((x, y) => x.perSecond - y.perSecond)[Math.floor(all.length / 2)],
  )
  if (ours === undefined || theirs === undefined) throw new Error('nothing was measured')
  return [ours, theirs]
}
