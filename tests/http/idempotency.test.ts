import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { patiently, type Client } from '../support/client.ts'
import { toyRoutes } from '../support/toys.ts'
import { world } from '../support/world.ts'

const toyWorld = async () => {
  const it = await world({ routes: toyRoutes })
  await it.db.run(sql`create table toys (id serial primary key, word text)`)
  const make = (body: unknown, key?: string, path = 'toys') =>
    it.projectApi.post(path, body, key === undefined ? {} : { 'Idempotency-Key': key })
  const count = async () => (await it.db.one(sql<{ n: number }>`select count(*) as n from toys`)).n
  return { ...it, make, count }
}

test('the same key and payload answer the first request again and make nothing new', async () => {
  const { make, count } = await toyWorld()
  const first = await make({ word: 'ball' }, 'k1')
  expect(first.status).toBe(202)
  expect(first.headers.get('idempotency-replayed')).toBeNull()
  const again = await make({ word: 'ball' }, 'k1')
  expect(again).toMatchObject({ status: 202, body: first.body })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await count()).toBe(1)
})

test('the order of keys and white space do not make another payload', async () => {
  const { make, count } = await toyWorld()
  const first = await make('{"word":"ball","extra":{"a":1,"b":[1,2]}}', 'k')
  const again = await make('{ "extra" : {"b":[1, 2],  "a":1.0},\n"word":"ball" }', 'k')
  expect(again).toMatchObject({ status: 202, body: first.body })
  expect(await count()).toBe(1)
})

test('another payload, or another endpoint, with the same key is a mismatch, always', async () => {
  const { make, count } = await toyWorld()
  await make({ word: 'ball' }, 'k')
  const mismatch = { status: 409, body: { code: 'idempotency_mismatch' } }
  expect(await make({ word: 'bell' }, 'k')).toMatchObject(mismatch)
  expect(await make({ word: 'ball', extra: null }, 'k')).toMatchObject(mismatch)
  expect(await make({ word: 'ball', extra: ['a', 'b'] }, 'k')).toMatchObject(mismatch)
  expect(await make({ word: 'ball' }, 'k', 'toys/other')).toMatchObject(mismatch)
  expect(await count()).toBe(1)
})

test('200 twins over two processes make one toy and get 200 equal answers', async () => {
  const { projectApi, anotherApi, count } = await toyWorld()
  const second = (await anotherApi()).with(projectApi.key)
  const twin = (client: Client) =>
    patiently(() => client.post('toys', { word: 'ball' }, { 'Idempotency-Key': 'twins' }))
  const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => twin(i % 2 ? second : projectApi)))
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(replies.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(199)
  expect(await count()).toBe(1)
})

test('a refused request does not use its key up', async () => {
  const { make, count } = await toyWorld()
  expect((await make({ word: 'refused' }, 'k')).status).toBe(409)
  expect((await make({ wrong: true }, 'k')).status).toBe(400)
  expect((await make({ word: 'ball' }, 'k')).status).toBe(202)
  expect(await count()).toBe(1)
})

test('keys belong to a project: the same one elsewhere is another', async () => {
  const { make, newProject, clientWith, count } = await toyWorld()
  const elsewhere = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await make({ word: 'ball' }, 'k')
  expect((await elsewhere.post('toys', { word: 'bell' }, { 'Idempotency-Key': 'k' })).status).toBe(202)
  expect(await count()).toBe(2)
})

test('a key is 1 to 256 printable ASCII characters', async () => {
  const { make } = await toyWorld()
  expect((await make({ word: 'a' }, 'x'.repeat(256))).status).toBe(202)
  for (const key of ['x'.repeat(257), '', 'tab\there', 'naïve']) {
    expect(await make({ word: 'a' }, key), key).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ path: '/headers/idempotency-key' }] },
    })
  }
})

test('a key is forgotten after 72 hours', async () => {
  const { make, db, count } = await toyWorld()
  await make({ word: 'ball' }, 'k')
  await db.run(sql`update idempotency_keys set created_at = created_at - interval '71 hours 59 minutes'`)
  expect((await make({ word: 'bell' }, 'k')).status).toBe(409)
  await db.run(sql`update idempotency_keys set created_at = created_at - interval '2 minutes'`)
  expect((await make({ word: 'bell' }, 'k')).status).toBe(202)
  expect(await count()).toBe(2)
})
