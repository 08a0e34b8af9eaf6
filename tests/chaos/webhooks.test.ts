import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { encodeId, newId, type ProjectId, type WorkspaceId } from '../../src/core/ids.ts'
import { publisher } from '../../src/events/publish.ts'
import { countEvents } from '../../src/resources/statistics/index.ts'
import { queuePublished } from '../../src/resources/webhooks/index.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { created } from '../support/world.ts'
import { againUntil } from './beats.ts'
import { chaos, quantile } from './run.ts'

const EVENTS = 20_000
/** At a steady pace: what is promised is how soon each is told, not how soon a heap of them is cleared. */
const [AT_ONCE, EVERY_MS] = [20, 50]
const MIN_AT_ONCE = 5
const KILL_EVERY_MS = 5_000

chaos('a worker is killed every 5 seconds while events flow to an endpoint', async (run) => {
  const { db, node, api } = await start()
  const receiver = await startReceiver()
  created(await api.post('webhooks', { url: receiver.url }))
  const project = await projectOf(db)
  const published = new Set<string>()
  const atOnce = Math.max(MIN_AT_ONCE, run.scaled(AT_ONCE))
  const publishing = atAPace(run.scaled(EVENTS), atOnce, async (count) => {
    for (const id of await publishTo(db, project, count)) published.add(id)
  })
  const heardAll = publishing.then(() =>
    eventually('every event was heard', () => hasHeard(receiver, published.size), 60_000).catch(() => {}),
  )
  let kills = 0
  await againUntil(
    heardAll,
    () => KILL_EVERY_MS,
    async () => {
      // In the act: one that waits for events has nothing to lose.
      const before = receiver.heard.length
      const isTelling = () => receiver.heard.length > before
      await Promise.race([heardAll, eventually('the worker tells', isTelling, 60_000).catch(() => {})])
      const worker = node.rolePid('worker')
      if (worker === undefined) return
      process.kill(worker, 'SIGKILL')
      kills++
    },
  )

  const heard = firsts(receiver)
  const lost = [...published].filter((id) => !heard.has(id))
  run.line('13', '0 events lost', `${lost.length} lost of ${published.size}`, lost.length === 0)
  const late = [...published].map((id) => heard.get(id) ?? Infinity)
  const p99 = quantile(late, 0.99)
  run.line(
    '13',
    'first attempt: p99 at most 2 s after the event, kills included',
    `p50 ${quantile(late, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, the last ${Math.max(...late).toFixed(0)} ms; ${receiver.heard.length - heard.size} were told again`,
    p99 <= 2_000,
  )
  run.hit('kill -9 of the worker', kills)
})

/** Never fewer: they have to be more than a worker can have in hand. */
const STUCK_EVENTS = 10_000
const OTHER_EVENTS = 2_000

chaos('an endpoint hangs with thousands of events, and the others are told in time', async (run) => {
  const { db, node, api } = await start()
  const hanging = await startReceiver({ behaviour: () => {} })
  const well = await startReceiver()
  created(await api.post('webhooks', { url: hanging.url }))
  const { projectId, client } = await anotherProject(node.api)
  created(await client.post('webhooks', { url: well.url }))
  const [stuck, project] = [await projectOf(db), await projectOf(db, projectId)]
  for (let at = 0; at < STUCK_EVENTS; at += 500) await publishTo(db, stuck, 500)
  await eventually('it is being asked', () => hanging.heard.length > 0)

  const others = run.scaled(OTHER_EVENTS)
  await atAPace(others, AT_ONCE, async (count) => void (await publishTo(db, project, count)))
  await eventually('the others were heard', () => hasHeard(well, others), 30_000).catch(() => {})

  const late = [...firsts(well).values()]
  const p99 = late.length < others ? Infinity : quantile(late, 0.99)
  run.line(
    '25',
    `an endpoint that hangs with ${STUCK_EVENTS} events: p99 of the others at most 2 s`,
    `p50 ${quantile(late, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms of ${others}`,
    p99 <= 2_000,
  )
  run.hit('requests that were left hanging', hanging.heard.length)
})

async function start() {
  const { db, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const env = { WEBHOOK_ALLOW_HTTP: 'true', DATABASE_URL: url, EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'silent' }
  const node = await startPosthouse({ env })
  return { db, node, api: node.api.with(node.keys.project) }
}

interface Project {
  projectId: ProjectId
  workspaceId: WorkspaceId
}

async function anotherProject(workspace: Client): Promise<{ projectId: string; client: Client }> {
  const { id } = created(await workspace.post<{ id: string }>('projects', { name: 'Another' }))
  const asked = { name: 'another', scopes: ['*'], projectId: id }
  const { secret } = created(await workspace.post<{ secret: string }>('api-keys', asked))
  return { projectId: id, client: workspace.with(secret) }
}

/** The one with this name on the wire; the first one of all without. */
async function projectOf(db: Database, name?: string): Promise<Project> {
  const rows = await db.all(sql<Project>`
    select id as "projectId", workspace_id as "workspaceId" from projects order by created_at`)
  const found = rows.find(({ projectId }) => name === undefined || encodeId('prj', projectId) === name)
  if (found === undefined) throw new Error('there is no such project')
  return found
}

/** So many in all, a few at a time, whatever the machine has to do meanwhile. */
async function atAPace(count: number, atOnce: number, some: (count: number) => Promise<void>): Promise<void> {
  const startedAt = performance.now()
  const under: Promise<void>[] = []
  for (let at = 0; at < count; at += atOnce) {
    await sleep(Math.max(0, startedAt + (at / atOnce) * EVERY_MS - performance.now()))
    under.push(some(Math.min(atOnce, count - at)))
  }
  await Promise.all(under)
}

/** Each of a message of its own; the ids of those as they are on the wire, when they are committed. */
async function publishTo(db: Database, project: Project, count: number): Promise<string[]> {
  const event = {
    ...project,
    kind: 'email.delivered',
    position: 0,
    recipient: 'someone@example.com',
    detail: '250 ok',
  } as const
  const ids = Array.from({ length: count }, () => newId<'em'>())
  await db.transaction((tx) =>
    publisher(queuePublished, countEvents)(
      tx,
      ids.map((messageId) => ({ ...event, messageId })),
    ),
  )
  return ids.map((id) => encodeId('em', id))
}

/** How long after each event the first request that tells of it was there. */
function firsts({ heard }: Receiver): Map<string, number> {
  const delays = new Map<string, number>()
  for (const { body, wall } of heard) {
    const id = body['messageId']!
    if (!delays.has(id)) delays.set(id, wall - Date.parse(body['timestamp']!))
  }
  return delays
}

/** Counted one by one only when it can be true. */
const hasHeard = (receiver: Receiver, count: number): boolean =>
  receiver.heard.length >= count && firsts(receiver).size >= count
