/**
 * Figures that mean something on any machine: each is a ratio to a yardstick measured in the same run, in turns, or a
 * number that the machine's speed hardly touches. `npm run bench`
 */
import { cpus } from 'node:os'
import { measure, type Load, type Measured } from './load.ts'
import { freePort, residentMegabytes, startInstallation, yardstick } from './node.ts'

const ROUNDS = 3
const SECONDS = 4
const CONNECTIONS = 32

interface Row {
  what: string
  ours: string
  yardstick: string
  result: string
  target: string
}

const rows: Row[] = []

const node = await startInstallation({ RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' })
rows.push({
  what: 'first start to ready, from nothing',
  ours: `${(node.startedInMs / 1_000).toFixed(1)} s`,
  yardstick: '',
  result: '',
  target: '≤ 5 s',
})
rows.push({
  what: 'idle memory, all Node processes',
  ours: `${residentMegabytes(node).toFixed(0)} MB`,
  yardstick: '',
  result: '',
  target: '≤ 400 MB',
})
await projectsList()
await node.stop()

console.log(`\n${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}\n`)
console.table(Object.fromEntries(rows.map(({ what, ...row }) => [what, row])))

/** Our whole request shell, two statements in PostgreSQL included, beside a framework that does nothing. */
async function projectsList(): Promise<void> {
  const headers = { authorization: `Bearer ${node.key}` }
  const answer = await (await fetch(`http://127.0.0.1:${node.port}/api/v1/projects`, { headers })).text()
  const port = await freePort()
  const bare = await yardstick('empty-fastify.ts', [String(port), answer])
  const load = { path: '/api/v1/projects', connections: CONNECTIONS, seconds: SECONDS }
  const [ours, theirs] = await inTurns({ ...load, port: node.port, headers }, { ...load, port })
  bare.kill()
  rows.push({
    what: 'GET /projects',
    ours: `${ours.perSecond.toFixed(0)}/s, p99 ${ours.p99Ms.toFixed(1)} ms`,
    yardstick: `empty Fastify route ${theirs.perSecond.toFixed(0)}/s`,
    result: `${(ours.perSecond / theirs.perSecond).toFixed(2)} ×`,
    target: '≥ 0.5 ×',
  })
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
