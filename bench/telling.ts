/** Events to one webhook endpoint, signed, logged and acknowledged: beside a loop that only posts the same bodies. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { newId, type ProjectId, type WorkspaceId } from '../src/core/ids.ts'
import { publisher } from '../src/events/publish.ts'
import { countEvents } from '../src/resources/statistics/index.ts'
import { queuePublished } from '../src/resources/webhooks/index.ts'
import type { Database } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { freePort, yardstick } from './node.ts'
import { median, perSecond, rate, ratio, type Row } from './table.ts'

const EVENTS = 10_000
const ROUNDS = 3
/** As many as we ourselves use for one endpoint. */
const CONNECTIONS = 16

export async function telling(): Promise<Row[]> {
  const port = await freePort()
  const hook = await yardstick('hook.ts', [String(port)])
  const node = await startMailNode(1, { WEBHOOK_ALLOW_HTTP: 'true' })
  await node.api.post('webhooks', { url: `http://127.0.0.1:${port}/hook` })
  const [ours, bare]: number[][] = [[], []]
  await tellAll(node, hook, 1_000)
  for (let round = 0; round < ROUNDS; round++) {
    ours?.push(perSecond(EVENTS, await tellAll(node, hook, EVENTS)))
    bare?.push(perSecond(EVENTS, await postAll(port, EVENTS)))
  }
  await node.stop()
  hook.kill()
  const [told, posted] = [median(ours ?? []), median(bare ?? [])]
  return [
    {
      what: 'events to one webhook endpoint',
      ours: rate(told),
      yardstick: `a bare undici loop ${rate(posted)}`,
      result: ratio(told, posted),
      target: '≥ 0.4 ×',
    },
  ]
}

/** From the moment in which they are committed until the last one has been heard. */
async function tellAll(node: MailNode, hook: ChildProcess, count: number): Promise<number> {
  const before = await heardBy(hook)
  const committedAt = await node.inDatabase((db) => publishAll(db, count))
  while ((await heardBy(hook)) < before + count) await sleep(10)
  return performance.now() - committedAt
}

async function publishAll(db: Database, count: number): Promise<number> {
  const owner = await db.one(sql<{ projectId: ProjectId; workspaceId: WorkspaceId }>`
    select id as "projectId", workspace_id as "workspaceId" from projects`)
  await db.transaction(async (tx) => {
    for (let at = 0; at < count; at += 500) {
      await publisher(queuePublished, countEvents)(
        tx,
        Array.from({ length: 500 }, (_, i) => ({ ...owner, ...delivered(at + i), messageId: newId<'em'>() })),
      )
    }
  })
  return performance.now()
}

const delivered = (i: number) =>
  ({
    kind: 'email.delivered',
    position: 0,
    recipient: `user${i}@sink.test`,
    detail: '250 2.0.0 Ok: queued as 4D2F01',
  }) as const

async function heardBy(hook: ChildProcess): Promise<number> {
  hook.send('how many?')
  const [heard] = (await once(hook, 'message')) as [number]
  return heard
}

async function postAll(port: number, count: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONNECTIONS })
  const startedAt = performance.now()
  let next = 0
  const poster = async (): Promise<void> => {
    while (next < count) {
      const { kind: type, ...rest } = delivered(next++)
      const payload = { type, messageId: newId(), ...rest, timestamp: new Date().toISOString(), accountId: newId() }
      const headers = { 'content-type': 'application/json', 'x-service-event': type }
      const answer = await pool.request({ method: 'POST', path: '/hook', headers, body: JSON.stringify(payload) })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, poster))
  const took = performance.now() - startedAt
  await pool.close()
  return took
}
