import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { sql } from '../../src/storage/sql.ts'
import { statusUnder, type Reply } from '../support/client.ts'
import { lastingDump } from '../support/dump.ts'
import { letConfirmationLapse, signIn } from '../support/people.ts'
import { some } from '../support/runs.ts'
import { created, tenants, world } from '../support/world.ts'
import { call, nameOf, neverExisted } from './requests.ts'
import { holders, refusalOf } from './roles.ts'

const tenant = tenants()

const guarded = describedRoutes().filter(({ scope }) => scope !== null)
const local = guarded.filter(({ context }) => context !== 'workspace')

function expectAsTold(reply: Reply, refusal: object | undefined, what: string): void {
  if (refusal !== undefined) expect(reply, what).toMatchObject(refusal)
  else {
    expect([401, 500], `${what}: ${reply.text}`).not.toContain(reply.status)
    const codes = ['insufficient_scope', 'may_not_send', 'person_required', 'confirmation_required', 'origin_refused']
    expect(codes, what).not.toContain(reply.body['code'])
  }
}

test('every route is open to the roles that hold its scope, and to no other', async () => {
  const here = await world()
  // The few by which something leaves are always among them.
  const tried = new Set([...some(guarded), ...guarded.filter(({ leaves }) => leaves === true)])
  for (const { role, project, what } of holders(here.projectId)) {
    const { client } = await signIn(here, { role, project })
    for (const route of tried) {
      const refusal = refusalOf(role, project === undefined, route)
      expectAsTold(await call(client.in(here.projectId), route), refusal, `${what}: ${nameOf(route)}`)
    }
  }
}, 300_000)

test('a person names the project in every call that is about one', async () => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'owner' })
  for (const route of local) {
    const reply = await call(client.in(undefined), route)
    expect(reply, nameOf(route)).toMatchObject({ status: 400, body: { code: 'project_required' } })
  }
})

test('a project without a role is answered like one that never existed', async () => {
  const here = await world()
  const other = created(await here.api.post<{ id: string }>('projects', { name: 'other' })).id
  const { client } = await signIn(here, { role: 'admin', project: here.projectId })
  for (const route of guarded) {
    const told = async (project: string) => {
      const { status, body } = await call(client.in(project), route)
      return { status, code: body['code'], error: body['error'] }
    }
    const reference = await told(neverExisted('prj'))
    expect(reference, nameOf(route)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await told(other), nameOf(route)).toEqual(reference)
  }
  const seen = await client.in(undefined).get<{ data: { id: string }[] }>('projects')
  expect(seen.body.data.map(({ id }) => id)).toEqual([here.projectId])
})

const foreignPages: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.localhost' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': '', origin: 'null' },
  { 'sec-fetch-site': '', origin: 'https://localhost.evil.example' },
  { 'sec-fetch-site': '' },
]

test('a page that is not ours changes nothing with the cookie of a person, whatever it calls', async () => {
  const here = await world()
  const { client } = await signIn(here, { role: 'owner' })
  const before = await lastingDump(here.db)
  for (const route of guarded) {
    const reading = route.method === 'GET' ? foreignPages.slice(0, 1) : foreignPages
    for (const headers of reading) {
      const reply = await call(client.in(here.projectId), route, { headers })
      const what = `${nameOf(route)} from ${JSON.stringify(headers)}`
      expect(reply, what).toMatchObject({ status: 403, body: { code: 'origin_refused' } })
      expect(
        [...reply.headers.keys()].filter((name) => name.startsWith('access-control-')),
        what,
      ).toEqual([])
    }
  }
  expect(await lastingDump(here.db)).toEqual(before)
}, 180_000)

test('under a host that is not ours a cookie is none', async () => {
  const here = await world()
  const { client } = await signIn(here, { role: 'owner' })
  const headers = { cookie: `posthouse=${client.cookie}` }
  const status = (host: string) => statusUnder(here.api.url, host, 'GET', '/api/v1/projects', headers)
  for (const host of ['localhost', '127.0.0.1:3000', '[::1]:3000']) expect(await status(host), host).toBe(200)
  for (const host of ['links.customer.example', 'rebound.example:3000', 'localhost.evil.example', 'a b'])
    expect(await status(host), host).toBe(401)
})

test('a request with a key is the key, whatever cookie comes with it', async () => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'viewer' })
  const withKey = (secret: string) =>
    client.request('POST', 'projects', { headers: { authorization: secret }, body: { name: 'x' } })
  expect((await withKey(`Bearer ${here.api.key}`)).status).toBe(201)
  expect(await withKey('Bearer ph_live_wrong')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  expect(await withKey('')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  const { client: owner } = await signIn(here, { role: 'owner' })
  const bound = { authorization: `Bearer ${here.projectApi.key}` }
  expect((await owner.get('people', { headers: bound })).body).toMatchObject({ data: [] })
})

test('what has to be confirmed is refused some minutes after signing in, and nothing else is', async () => {
  const here = await world()
  const { client, personId } = await signIn(here, { role: 'owner' })
  await letConfirmationLapse(here, { personId })
  for (const route of guarded) {
    const reply = await call(client.in(here.projectId), route)
    const refused = { status: 403, body: { code: 'confirmation_required', withinSeconds: 600 } }
    expectAsTold(reply, route.needsConfirmation ? refused : undefined, nameOf(route))
  }
  expect(guarded.filter(({ needsConfirmation }) => needsConfirmation).length).toBeGreaterThan(3)
})

test('no key, whatever its scopes, does what only a person can', async () => {
  const here = await world()
  const personal = guarded.filter(({ isForPersons }) => isForPersons)
  expect(personal.map(nameOf)).toContain('POST /webhooks/:id/secret')
  for (const client of [here.api, here.projectApi, ...(await oneForEachScope(here))]) {
    for (const route of personal) {
      const reply = await call(client, route)
      expect(reply, nameOf(route)).toMatchObject({ status: 403, body: { code: 'person_required' } })
    }
  }
})

test('a session that has ended opens nothing', async () => {
  const here = await tenant()
  const { client, personId } = await signIn(here, { role: 'owner' })
  await here.db.run(sql`update sessions set ended_at = clock_now() where person_id = ${personId}`)
  for (const route of some(guarded)) {
    const reply = await call(client.in(here.projectId), route)
    expect(reply, nameOf(route)).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
  }
})

const oneForEachScope = async (here: Awaited<ReturnType<typeof world>>) =>
  Promise.all([...new Set(guarded.map(({ scope }) => scope!))].map((scope) => here.clientWith({ scopes: [scope] })))
