/** How many of something there may be, also where many are made in the same moment. */
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from '../support/client.ts'
import { worldWithDns } from '../support/domains.ts'
import { eventually } from '../support/eventually.ts'
import { world } from '../support/world.ts'

const url = 'https://93.184.215.14/hook'

const limitedTo = (count: number, quota: string) => ({
  status: 403,
  body: { code: 'quota_exceeded', quota, limit: count, used: count, resetsAt: null },
})

const statusesOf = (replies: readonly Reply<unknown>[]) =>
  Object.entries(Object.groupBy(replies, ({ status }) => String(status))).map(([status, some = []]) => [
    Number(status),
    some.length,
  ])

test('a project has twenty webhook endpoints, however many are asked for at once', async () => {
  const { projectApi, clientWith, newProject } = await world()
  const other = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  const ask = (client: Client) => client.post<{ id: string }>('webhooks', { url })
  const replies = await Promise.all(Array.from({ length: 40 }, () => ask(projectApi)))
  expect(statusesOf(replies)).toEqual([
    [201, 20],
    [403, 20],
  ])
  const refused = await ask(projectApi)
  expect(refused).toMatchObject(limitedTo(20, 'webhookEndpoints'))
  expect((refused.body as unknown as { error: string }).error).toMatch(/20.*[Dd]elete/)
  // Neither another project nor what is there already is concerned, and room can be made.
  expect((await ask(other)).status).toBe(201)
  const { id } = replies.find(({ status }) => status === 201)!.body
  expect((await projectApi.patch(`webhooks/${id}`, { enabled: false })).status).toBe(200)
  expect((await ask(projectApi)).status).toBe(403)
  await projectApi.delete(`webhooks/${id}`)
  expect((await ask(projectApi)).status).toBe(201)
})

test.each([
  ['webhooks', { url }, 'webhook endpoints'],
  ['receiving/domains', { type: 'managed' }, 'domains'],
])('creations of %s that wait for each other leave the connections to everybody else', async (path, body, what) => {
  const { projectApi, projectId, clientWith, newProject, db, services } = await world()
  const other = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  const whose = what === 'domains' ? await services.projects.workspace() : decodeId('prj', projectId)
  let replies: Promise<Reply<unknown>[]> | undefined
  await db.transaction(async (tx) => {
    await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`${what} ${whose}`}, 0))`)
    replies = Promise.all(Array.from({ length: 40 }, () => projectApi.post(path, body)))
    await eventually('one waits for the lock', async () =>
      tx.maybeOne(sql`
        select from pg_locks join pg_database on pg_database.oid = database
         where datname = current_database() and locktype = 'advisory' and not granted
         limit 1`),
    )
    for (let i = 0; i < 10; i++) expect((await other.post('audiences', { name: `List ${i}` })).status).toBe(201)
  })
  expect(new Set((await replies)?.map(({ status }) => status))).not.toContain(503)
})

test('the operator says how many', async () => {
  const { projectApi } = await world({ env: { WEBHOOK_ENDPOINTS_PER_PROJECT: '1', DOMAINS_PER_WORKSPACE: '2' } })
  expect((await projectApi.post('webhooks', { url })).status).toBe(201)
  expect(await projectApi.post('webhooks', { url })).toMatchObject(limitedTo(1, 'webhookEndpoints'))
})

test('sending and receiving domains of all projects of a workspace count together', async () => {
  const { projectApi, clientWith, newProject } = await worldWithDns({ env: { DOMAINS_PER_WORKSPACE: '4' } })
  const other = await clientWith({ projectId: await newProject(), scopes: ['*'] })
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => {
      const client = i % 2 === 0 ? projectApi : other
      if (i % 3 === 0) return client.post('receiving/domains', { type: 'managed' })
      return client.post(i % 3 === 1 ? 'domains' : 'receiving/domains', {
        name: `example${i}.com`,
        ...(i % 3 === 1 ? {} : { type: 'custom' }),
      })
    }),
  )
  expect(statusesOf(replies)).toEqual([
    [201, 4],
    [403, 8],
  ])
  expect(await projectApi.post('domains', { name: 'example.org' })).toMatchObject(limitedTo(4, 'domains'))
  expect(await other.post('receiving/domains', { type: 'managed' })).toMatchObject(limitedTo(4, 'domains'))
})
