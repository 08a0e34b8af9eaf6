import { expect, onTestFinished, test } from 'vitest'
import { encodeId, newId, type ProjectId, type WorkspaceId } from '../../src/core/ids.ts'
import { publisher } from '../../src/events/publish.ts'
import { countEvents } from '../../src/resources/statistics/index.ts'
import { queuePublished } from '../../src/resources/webhooks/index.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually, stretched } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'
import { startReceiver } from '../support/receiver.ts'
import { webhookWorld } from '../support/webhooks.ts'
import { created } from '../support/world.ts'

test('no event is lost when workers are killed again and again', async () => {
  const { db, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const here = await startMailNode({ WEBHOOK_ALLOW_HTTP: 'true', DATABASE_URL: url })
  const receiver = await startReceiver()
  created(await here.api.post('webhooks', { url: receiver.url }))
  const published = new Set<string>()
  const told = () => new Set(receiver.heard.map(({ body }) => body['messageId']))
  const kills = 5
  for (let kill = 0; kill < kills; kill++) {
    for (const id of await publishMany(db, 600)) published.add(id)
    const before = told().size
    await eventually('some more are heard', () => told().size >= before + 100)
    await here.kill('worker')
  }
  await eventually('every event was heard', () => told().size === published.size, 90_000)
  expect(told()).toEqual(published)
  // Those that were in hand when a worker died come again under the same name, for whoever asks for it.
  const deliveries = new Set(receiver.heard.map(({ headers }) => headers['x-service-delivery']))
  expect(deliveries.size).toBe(published.size)
}, 240_000)

test('an endpoint that hangs with 10,000 events delays nobody else', async () => {
  const { endpoint, send, clientWith, db, newProject } = await webhookWorld()
  const hanging = await startReceiver({ behaviour: () => {} })
  const well = await startReceiver()
  await endpoint(hanging.url)
  await publishMany(db, 10_000)
  await eventually('it is being asked', () => hanging.heard.length > 0)

  const client = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await endpoint(well.url, {}, client)
  const mails = 100
  for (let i = 0; i < mails; i++) await send('delivered', {}, client)
  await eventually('all events were heard', () => well.heard.length === mails)
  const late = well.heard.map(({ body, wall }) => wall - Date.parse(body['timestamp']!)).toSorted((a, b) => a - b)
  expect(late[Math.ceil(mails * 0.99) - 1]).toBeLessThanOrEqual(stretched(2_000))
  // While it hangs, few wait for it.
  expect(hanging.heard.length).toBeLessThan(100)
})

/** As many events, each of a message of its own; the ids of those as they are on the wire. */
async function publishMany(db: Database, count: number): Promise<string[]> {
  const owner = await db.one(sql<{ projectId: ProjectId; workspaceId: WorkspaceId }>`
    select id as "projectId", workspace_id as "workspaceId" from projects`)
  const event = {
    ...owner,
    kind: 'email.delivered',
    position: 0,
    recipient: 'someone@example.com',
    detail: '250 ok',
  } as const
  const ids = Array.from({ length: count }, () => newId<'em'>())
  await db.transaction(async (tx) => {
    for (let at = 0; at < count; at += 500) {
      await publisher(queuePublished, countEvents)(
        tx,
        ids.slice(at, at + 500).map((messageId) => ({ ...event, messageId })),
      )
    }
  })
  return ids.map((id) => encodeId('em', id))
}
