import { pino } from 'pino'
import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { systemClock } from '../../src/core/clock.ts'
import { decodeId } from '../../src/core/ids.ts'
import { newKeySecret } from '../../src/core/key-secret.ts'
import { scopes } from '../../src/core/scopes.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import type { Route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { some } from '../support/runs.ts'
import { created, tenants, world, type World } from '../support/world.ts'
import { call, nameOf, whatIsTold } from './requests.ts'

const tenant = tenants()

/** Without those that no key opens at all: see `persons.test.ts`. */
const guarded = describedRoutes().filter(({ scope, isForPersons }) => scope !== null && !isForPersons)

test('without a live key every route gives the same answer, whatever is wrong with the key', async () => {
  const here = await world()
  const stranger = here.api.with(undefined)
  const reference = await call(stranger, guarded[0]!)
  expect(reference).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect(reference.headers.get('www-authenticate')).toBe('Bearer')
  const wrongs = await wrongCredentials(here)
  const cases = guarded.flatMap((route) =>
    Object.entries(wrongs).map(([wrong, headers]) => ({ route, wrong, headers })),
  )
  for (const { route, wrong, headers } of some(cases)) {
    const reply = await call(stranger, route, { headers })
    expect(whatIsTold(reply), `${nameOf(route)} with ${wrong}`).toEqual(whatIsTold(reference))
  }
})

test('neither does HEAD get anything without a key', async () => {
  const { api } = await tenant()
  for (const { path } of guarded.filter(({ method }) => method === 'GET')) {
    const reply = await api.with(undefined).request('HEAD', path.slice(1))
    expect(reply.status, path).toBe(401)
  }
})

test('a key is read from the Authorization header and from nowhere else', async () => {
  const { api } = await tenant()
  const stranger = api.with(undefined)
  const key = api.key!
  for (const reply of [
    await stranger.get(`projects?key=${key}`),
    await stranger.get(`projects?access_token=${key}`),
    await stranger.get('projects', { headers: { 'x-api-key': key } }),
    await stranger.get('projects', { headers: { cookie: `key=${key}` } }),
    await stranger.post('projects', { name: 'x', key }),
  ]) {
    expect(reply.status).toBe(401)
  }
})

test('the health probe asks nobody who they are', async () => {
  const here = await world()
  for (const headers of [{}, ...Object.values(await wrongCredentials(here))]) {
    expect((await here.api.with(undefined).get('health', { headers })).status).toBe(200)
  }
})

test('a key with one scope opens the routes of that scope and no others', async () => {
  const here = await tenant()
  for (const scope of scopes) {
    const client = await here.clientWith({ scopes: [scope] })
    for (const route of guarded.filter((one) => one.scope === scope)) expectAdmitted(route, await call(client, route))
    for (const route of some(guarded.filter((one) => one.scope !== scope)))
      expectRefused(route, await call(client, route))
  }
})

test('a key with every scope but the right one is refused', async () => {
  const here = await tenant()
  for (const missing of new Set(guarded.map(({ scope }) => scope))) {
    const client = await here.clientWith({ scopes: scopes.filter((scope) => scope !== missing) })
    for (const route of guarded.filter((one) => one.scope === missing)) expectRefused(route, await call(client, route))
    for (const route of some(guarded.filter((one) => one.scope !== missing)))
      expectAdmitted(route, await call(client, route))
  }
})

test('a key with full access opens every route', async () => {
  const { api, projectApi } = await world()
  for (const route of guarded) {
    expectAdmitted(route, await call(api, route))
    expectAdmitted(route, await call(projectApi, route))
  }
})

const [sample] = guarded
const undeclared: [string, Route][] = [
  ['no scope', { ...sample!, scope: null }],
  ['a forgotten scope', { ...sample!, scope: undefined as never }],
  ['a scope that nobody can hold', { ...sample!, scope: 'projects:admin' as never }],
  ['a scope that nobody checks', { ...sample!, context: 'none' }],
]

test.each(undeclared)('a route with %s keeps the server from starting', (_, route) => {
  const db = new Database({ url: 'postgres://nowhere', name: 'none', connections: 1 })
  const shell = {
    identify: async () => undefined,
    rateLimiter: new RateLimiter(db, { perSecond: 0, burst: 1 }, systemClock),
    metrics: new Metrics(),
    logger: pino({ level: 'silent' }),
  }
  expect(() => createServer({ ...shell, routes: [sample!] })).not.toThrow()
  expect(() => createServer({ ...shell, routes: [route] })).toThrow(nameOf(route))
})

/** What a stranger, or somebody whose time is over, may put into the header. */
async function wrongCredentials({ api, db }: World): Promise<Record<string, Record<string, string>>> {
  const make = async () =>
    created(await api.post<{ id: string; secret: string }>('api-keys', { name: 'over', fullAccess: true }))
  const [revoked, expired] = [await make(), await make()]
  await api.delete(`api-keys/${revoked.id}`)
  const expiredId = decodeId('key', expired.id)
  await db.run(sql`update api_keys set expires_at = clock_now() - interval '1 ms' where id = ${expiredId}`)
  const good = newKeySecret()
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  return {
    'an unknown key': bearer(good),
    'a revoked key': bearer(revoked.secret),
    'an expired key': bearer(expired.secret),
    'a wrong checksum': bearer(`${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`),
    'a malformed key': bearer('ph_live_short'),
    'another prefix': bearer(good.replace('ph_live_', 'ph_test_')),
    'a key in capitals': bearer(api.key!.toUpperCase()),
    'a key and more': bearer(`${api.key!}0`),
    'two keys': bearer(`${api.key!} ${good}`),
    'an empty header': { authorization: '' },
    'a bare scheme': { authorization: 'Bearer' },
    'no scheme': { authorization: api.key! },
    'another scheme': { authorization: `Basic ${Buffer.from(`${api.key!}:`).toString('base64')}` },
  }
}

/** What counts for the whole installation takes more than its scope; the tests of the queue ask for that. */
const wantsFullAccess = new Set(['POST /sending/hold', 'POST /sending/resume'])

function expectAdmitted(route: Route, { status, body }: { status: number; body: Record<string, unknown> }): void {
  expect(status, nameOf(route)).not.toBe(401)
  if (wantsFullAccess.has(nameOf(route)) && status === 403) return expect(body['missingScopes'] ?? ['*']).toEqual(['*'])
  expect(body['code'], nameOf(route)).not.toBe('insufficient_scope')
}

function expectRefused(route: Route, reply: { status: number; body: Record<string, unknown> }): void {
  const expected = { status: 403, body: { code: 'insufficient_scope', requiredScope: route.scope } }
  expect(reply, nameOf(route)).toMatchObject(expected)
}
