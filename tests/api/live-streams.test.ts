import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startApi } from '../../src/app/api.ts'
import { decodeId, newId, type ProjectId } from '../../src/core/ids.ts'
import { createLogger } from '../../src/process/logger.ts'
import { topicKinds } from '../../src/resources/live/topics.ts'
import { sql } from '../../src/storage/sql.ts'
import { Client, patiently } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { listen, liveWorld, sendOne, thingsOf, type LiveWorld } from '../support/live.ts'
import { world } from '../support/world.ts'

test('four streams a key, and one that leaves makes room', async () => {
  const here = await liveWorld()
  const streams = []
  for (let i = 0; i < 4; i++) streams.push(await listen(here.projectApi, 'overview'))
  const refused = await here.projectApi.get('live?topics=overview')
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('10')
  await listen(await here.clientWith({ scopes: ['*'], projectId: here.projectId }), 'overview')
  streams[0]!.leave()
  await eventually('room for one more', () => listen(here.projectApi, 'overview'))
})

/** A stream of a key that is used for nothing else. */
function openOne({ live }: LiveWorld, projectId: ProjectId, topics = 'overview'): Promise<AsyncIterable<string>> {
  const mayRead = () => true
  return live.open({
    caller: { type: 'key', keyId: newId<'key'>() } as never,
    project: { id: projectId, workspaceId: newId<'acc'>(), status: 'active' as const },
    topics,
    mayRead,
    admitAgain: async () => ({ mayRead }),
  })
}

test('fifty streams a project, and another project still has room', async () => {
  const here = await liveWorld()
  const other = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  for (let i = 0; i < 49; i++) await openOne(here, decodeId('prj', here.projectId)!)
  const last = await listen(here.projectApi, 'overview')
  const refused = await here.projectApi.get('live?topics=overview')
  expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(refused.headers.get('retry-after')).toBe('10')
  await listen(other, 'overview')
  last.leave()
  await eventually('room for one more', () => listen(here.projectApi, 'overview'))
})

test('five hundred streams a process, and 503 beyond that', async () => {
  const here = await liveWorld()
  for (let project = 0; project < 10; project++) {
    const id = decodeId('prj', await here.newProject())!
    for (let i = 0; i < 50; i++) await openOne(here, id)
  }
  expect(await here.projectApi.get('live?topics=overview')).toMatchObject({ status: 503 })
  here.looks.length = 0
  await here.look()
  expect(here.looks).toHaveLength(1)
})

test('topics that do not exist, or are too many, are refused with a sentence', async () => {
  const here = await liveWorld()
  const wrong = [
    ['', 'topics'],
    ['weather', 'does not exist'],
    ['email', 'does not exist'],
    ['overview:em_1', 'does not exist'],
    [`${topicKinds.slice(0, 5).join(',')},a,b,c,d`, 'more than 8'],
  ]
  for (const [topics, sentence] of wrong) {
    const reply = await patiently(() => here.projectApi.get(`live?topics=${topics}`))
    expect(reply, topics).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(reply.text).toContain(sentence)
  }
})

test('a HEAD says what a stream would be, and holds none', async () => {
  const here = await liveWorld()
  for (let i = 0; i < 6; i++) {
    const reply = await here.projectApi.request('HEAD', 'live?topics=overview')
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('text/event-stream')
  }
  expect(here.isLooking()).toBe(false)
})

test('many streams of many projects are one statement for each kind, and none when nobody watches', async () => {
  const here = await liveWorld()
  expect(here.isLooking()).toBe(false)
  await here.look()
  expect(here.looks).toEqual([])
  const streams = []
  for (let i = 0; i < 4; i++) {
    const projectId = await here.newProject()
    const email = (await thingsOf(here, projectId)).email!
    for (let n = 0; n < 3; n++) {
      const client = await here.clientWith({ scopes: ['*'], projectId })
      streams.push(await listen(client, `overview,queue,emails,${email}`))
    }
  }
  expect(here.isLooking()).toBe(true)
  here.looks.length = 0
  await here.look()
  expect(here.looks).toHaveLength(4)
  for (const stream of streams) stream.leave()
  await eventually('nobody watches', () => !here.isLooking())
  here.looks.length = 0
  await here.look()
  expect(here.looks).toEqual([])
})

test('a silent stream has a comment every fifteen seconds, and ends after ten minutes', async () => {
  const here = await liveWorld()
  const stream = await listen(here.projectApi, 'queue')
  await stream.some(2)
  for (let second = 0; second < 599; second++) {
    here.pass(1_000)
    if (second % 15 === 14) await here.look()
  }
  const id = await sendOne(here.projectApi)
  expect(id).toMatch(/^em_/)
  await here.look()
  expect((await stream.next())!.data['topic']).toBe('queue')
  expect(stream.comments.length).toBe(39)
  here.pass(1_000)
  await here.look()
  expect(await stream.rest()).toEqual([])
  expect(here.isLooking()).toBe(false)
})

test('a node stops while streams are open: they end at once', async () => {
  const here = await world()
  const node = await startApi(here.config, here.databaseUrl, createLogger('api', 'silent'))
  const client = new Client(await node.listen('127.0.0.1', 0), here.projectApi.key)
  const streams = [await listen(client, 'overview'), await listen(client, 'emails')]
  for (const stream of streams) await stream.some(2)
  // It would wait for every answer, and these last for ten minutes.
  await node.stop()
  for (const stream of streams) expect(await stream.rest()).toEqual([])
})

test('a node that is about to stop opens no more', async () => {
  const here = await liveWorld()
  here.live.stop()
  expect(await here.projectApi.get('live?topics=overview')).toMatchObject({ status: 503 })
})

test('what a client has not read is the last change of each topic, and one that never reads is dropped', async () => {
  const here = await liveWorld()
  const unread = (await openOne(here, decodeId('prj', here.projectId)!, 'emails')) as AsyncIterableIterator<string>
  await unread.next()
  let id = ''
  for (let i = 0; i < 5; i++) {
    id = await sendOne(here.projectApi)
    await here.look()
  }
  const { value } = await unread.next()
  expect(value.match(/event: change/g)).toHaveLength(1)
  expect(value).toContain(`"newestId":"${id}","more":5`)
  await sendOne(here.projectApi)
  await here.look()
  here.pass(30_000)
  await here.look()
  expect(await unread.next()).toEqual({ done: true, value: undefined })
  expect(here.isLooking()).toBe(false)
})

test('a connection that is cut frees its stream', async () => {
  const here = await liveWorld()
  const { hostname, port } = new URL(here.api.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `GET /api/v1/live?topics=overview HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${here.projectApi.key}\r\n\r\n`,
  )
  await eventually('the stream is open', () => here.isLooking())
  socket.destroy()
  await eventually('nobody watches', () => !here.isLooking())
})

test('a look that fails ends no stream, and the next one tells what was missed', async () => {
  const here = await liveWorld()
  const stream = await listen(here.projectApi, 'emails')
  await stream.some(2)
  const id = await sendOne(here.projectApi)
  await here.db.run(sql`alter table emails rename to elsewhere`)
  await here.look()
  await here.db.run(sql`alter table elsewhere rename to emails`)
  await here.look()
  expect((await stream.next())!.data).toMatchObject({ newestId: id, more: 1 })
})
