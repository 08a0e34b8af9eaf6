import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client, Reply } from '../support/client.ts'
import { dumpOf } from '../support/dump.ts'
import { created, world, type World } from '../support/world.ts'
import { call } from './requests.ts'

test('a key secret is in its one answer and nowhere else: not in logs, errors, pages or the database', async () => {
  const here = await world()
  const secrets = [here.api.key!, here.projectApi.key!]
  const make = async (maker: Client): Promise<Client> => {
    const fields = { name: `made by ${secrets.length}`, fullAccess: true }
    const { secret } = created(await maker.post<{ secret: string }>('api-keys', fields))
    secrets.push(secret)
    return maker.with(secret)
  }
  const child = await make(here.api)
  const grandchild = await make(child)
  await make(here.projectApi)

  const replies: Reply[] = []
  for (const client of [here.api, here.projectApi, child, grandchild]) {
    replies.push(...(await everyRoute(client)), ...(await misplaced(client, secrets)))
  }
  replies.push(...(await duringOutage(here, grandchild)))
  await here.api.delete(`api-keys/${await idOf(child)}`)
  replies.push(...(await everyRoute(child)))

  expect(new Set(replies.map(({ status }) => status))).toEqual(
    new Set([200, 201, 202, 400, 401, 403, 404, 405, 413, 415, 500]),
  )
  for (const { status, text, headers } of replies) {
    expect(secretsIn(`${text} ${JSON.stringify([...headers])}`, secrets), `${status} ${text.slice(0, 500)}`).toEqual([])
  }
  expect(here.logs.length).toBeGreaterThan(100)
  expect(secretsIn(here.logs.join(''), secrets)).toEqual([])
  for (const page of ['/metrics', '/openapi.json', '/docs']) {
    expect(secretsIn((await here.api.get(page)).text, secrets), page).toEqual([])
  }
  const dump = JSON.stringify(await dumpOf(here.db))
  expect(secretsIn(dump, secrets)).toEqual([])
  // The dump is a real one: what may be known of a key is in it.
  for (const secret of secrets) {
    expect(dump).toContain(createHash('sha256').update(secret).digest('hex'))
    expect(dump).toContain(`"last4":"${secret.slice(-4)}"`)
  }
})

/**
 * Secrets that the text gives away, as they are or as a column, a header or a URL might hold them. The 32 characters
 * behind the prefix are all there is to know: the rest of a key can be computed from them.
 */
const secretsIn = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) => {
    const random = secret.slice('ph_live_'.length, -6)
    const base64 = [secret, random].map((part) => Buffer.from(part).toString('base64url').slice(0, -2))
    return [random, Buffer.from(random).toString('hex'), ...base64].some((form) =>
      text.toLowerCase().includes(form.toLowerCase()),
    )
  })

async function everyRoute(client: Client): Promise<Reply[]> {
  const replies: Reply[] = []
  for (const route of describedRoutes()) {
    if (`${route.method} ${route.path}` !== 'POST /api-keys') replies.push(await call(client, route))
  }
  return replies
}

/** Where people and programs put a secret by mistake. None of these calls does anything. */
async function misplaced(client: Client, [secret = '']: readonly string[]): Promise<Reply[]> {
  const json = { 'content-type': 'application/json' }
  return [
    await client.get(`projects?key=${secret}`),
    await client.get(`projects?${secret}`),
    await client.get(`projects?limit=${secret}`),
    await client.get(`projects?cursor=${secret}`),
    await client.get(`projects?status=${secret}`),
    await client.get(`projects/${secret}`),
    await client.get(`projects/${secret}%`),
    await client.get(secret),
    await client.request('PUT', `projects/${secret}`),
    await client.get('projects', { headers: { 'x-service-project-id': secret } }),
    await client.post('projects', { name: '', [secret]: 'x' }),
    await client.post('projects', { name: `${secret}\n` }),
    await client.post('projects', { name: 'x', quota: secret }),
    await client.post('projects', { name: 'x', quota: { [secret]: 1 } }),
    await client.post('api-keys', { name: 'x', scopes: [secret] }),
    await client.post('api-keys', { name: 'x', fullAccess: true, projectId: secret }),
    await client.post('api-keys', { name: 'x', fullAccess: true, expiresAt: secret }),
    await client.post('api-keys', { name: 'x', fullAccess: true, projectId: `prj_${secret}` }),
    await client.request('POST', 'projects', { headers: json, body: `{"name":"${secret}` }),
    await client.request('POST', 'projects', { headers: json, body: `{"name":"\\u0000${secret}"}` }),
    await client.request('POST', 'projects', { headers: { 'content-type': secret }, body: secret }),
    await client.post('projects', { name: secret.repeat(30_000) }),
    await client.with(`${secret}x`).get('projects'),
    await client.with(undefined).get('projects', { headers: { authorization: secret } }),
    await client.with(undefined).get('projects', { headers: { authorization: `Basic ${btoa(`${secret}:`)}` } }),
    await client.with(undefined).get('projects', { headers: { cookie: `key=${secret}`, 'x-api-key': secret } }),
    await client
      .with(undefined)
      .get('health', { headers: { 'user-agent': secret, referer: `https://x/?k=${secret}` } }),
  ]
}

/** A defect of ours: the new key's row is refused by the database after its secret was made. */
async function duringOutage({ db }: World, client: Client): Promise<Reply[]> {
  await db.run(sql`alter table api_keys add constraint defect check (name <> 'defect')`)
  const fields = { name: 'defect', fullAccess: true }
  const replies = [await client.post('api-keys', fields), await client.post(`api-keys?key=${client.key!}`, fields)]
  await db.run(sql`alter table api_keys drop constraint defect`)
  return replies
}

async function idOf(client: Client): Promise<string> {
  const { data } = (await client.get<{ data: { id: string; last4: string }[] }>('api-keys')).body
  return data.find(({ last4 }) => last4 === client.key!.slice(-4))!.id
}
