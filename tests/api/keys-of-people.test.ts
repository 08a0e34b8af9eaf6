import { expect, test } from 'vitest'
import { scopes } from '../../src/core/scopes.ts'
import { holders, mayGive } from '../contract/roles.ts'
import { patiently } from '../support/client.ts'
import { signIn } from '../support/people.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

interface Key {
  id: string
  secret: string
  projectId: string | null
  createdBy: string | null
  scopes: string[]
}

test('a key says which person made it, and opens no more than their role in that project', async () => {
  const here = await tenant()
  const { api, projectId } = here
  const { client, id: person } = await signIn(here, { role: 'developer', project: projectId })
  const key = created(await client.post<Key>('api-keys', { name: 'only send', scopes: ['email:send'], projectId }))
  expect(key).toMatchObject({ createdBy: person, projectId, scopes: ['email:send'] })
  expect((await api.get<Key>(`api-keys/${key.id}`)).body.createdBy).toBe(person)
  expect((await api.with(key.secret).get('emails')).status).toBe(200)
  // What the role may only read is not the role's to give.
  for (const scope of ['broadcasts:write', 'stats:read', 'audit:read', 'projects:write', 'people:write']) {
    const reply = await client.post('api-keys', { name: 'wider', scopes: [scope], projectId })
    expect(reply, scope).toMatchObject({ status: 403, body: { code: 'insufficient_scope', missingScopes: [scope] } })
  }
  expect(await client.post('api-keys', { name: 'all', fullAccess: true, projectId })).toMatchObject({
    status: 403,
    body: { missingScopes: ['*'] },
  })
})

test('a role in one project makes no key for another, nor for the workspace', async () => {
  const here = await world()
  const { projectId, newProject } = here
  const other = await newProject('other')
  const { client } = await signIn(here, { role: 'admin', project: projectId })
  for (const elsewhere of [other, null]) {
    const fields = { name: 'x', scopes: ['email:send'], projectId: elsewhere }
    expect(await client.in(undefined).post('api-keys', fields)).toMatchObject({
      status: 403,
      body: { code: 'project_not_allowed' },
    })
  }
  const own = created(await client.in(undefined).post<Key>('api-keys', { name: 'own', scopes: ['email:send'] }))
  expect(own.projectId).toBe(projectId)
})

test('roles that cannot make keys make none, and see those that there are if they may look', async () => {
  const here = await tenant()
  const { projectId } = here
  for (const [role, status] of [
    ['marketer', 403],
    ['author', 403],
    ['viewer', 200],
  ] as const) {
    const { client } = await signIn(here, { role, project: projectId })
    const made = await client.post('api-keys', { name: 'x', scopes: ['email:send'], projectId })
    expect(made, role).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await client.get('api-keys')).status, role).toBe(status)
  }
})

test('a person revokes a key at once, and the log says who', async () => {
  const here = await tenant()
  const { api, projectId } = here
  const { client, id: person } = await signIn(here, { role: 'developer', project: projectId, name: 'Ann' })
  const key = created(await client.post<Key>('api-keys', { name: 'short-lived', scopes: ['email:send'], projectId }))
  expect((await client.delete(`api-keys/${key.id}`)).status).toBe(200)
  expect((await api.with(key.secret).get('emails')).status).toBe(401)
  const { body } = await api.get<{ data: { actor: object; sentence: string }[] }>(`audit-log?subject=${key.id}`)
  const actor = { type: 'person', id: person, name: 'Ann' }
  expect(body.data).toMatchObject([
    { actor, sentence: 'revoked the API key short-lived' },
    { actor, sentence: 'created the API key short-lived' },
  ])
})

test('of all scopes each role gives away those that it may change with, and no other', async () => {
  const here = await tenant()
  const { projectId } = here
  for (const { role, project, what } of holders(projectId)) {
    const { client } = await signIn(here, { role, project })
    for (const scope of ['*', ...scopes] as const) {
      const reply = await client.post<Key>('api-keys', { name: 'x', scopes: [scope], projectId })
      const expected = mayGive(role, scope)
        ? { status: 201, body: { scopes: [scope] } }
        : { status: 403, body: { code: 'insufficient_scope' } }
      expect(reply, `${what}: ${scope}`).toMatchObject(expected)
    }
  }
})

test('a key outlives a lower role of its maker, and ends with its maker only if somebody says so', async () => {
  const here = await world()
  const { api, projectId } = here
  const owner = await signIn(here, { role: 'owner' })
  const fields = { name: 'made', scopes: ['api-keys:write', 'email:send'], projectId }
  const makeFamily = async () => {
    const maker = await signIn(here, { role: 'developer', project: projectId })
    const child = api.with(created(await maker.client.post<Key>('api-keys', fields)).secret)
    const grandchild = api.with(created(await child.post<Key>('api-keys', fields)).secret)
    const statuses = async () => [(await child.get('emails')).status, (await grandchild.get('emails')).status]
    return { maker, statuses }
  }
  const [kept, revoked] = [await makeFamily(), await makeFamily()]
  for (const { maker, statuses } of [kept, revoked]) {
    for (const change of [{ projects: [{ projectId, role: 'viewer' }] }, { disabled: true }]) {
      expect((await owner.client.patch(`people/${maker.id}`, change)).status).toBe(200)
      expect(await statuses()).toEqual([200, 200])
    }
    // The keys are not forgotten: an owner who removes their maker sees them.
    expect((await owner.client.get(`people/${maker.id}`)).body['keys']).toHaveLength(1)
  }
  expect((await owner.client.delete(`people/${kept.maker.id}`)).body).toMatchObject({ revokedKeys: 0 })
  expect(await kept.statuses()).toEqual([200, 200])
  expect((await owner.client.delete(`people/${revoked.maker.id}?keys=revoke`)).body).toMatchObject({ revokedKeys: 2 })
  expect(await revoked.statuses()).toEqual([401, 401])
})

test('a key that is being made while its maker loses their role is not made, or was made before', async () => {
  const here = await world()
  const { api, projectId } = here
  for (let i = 0; i < 30; i++) {
    const { client, id } = await signIn(here, { role: 'developer', project: projectId })
    const remove = () => patiently(() => api.delete(`people/${id}?keys=revoke`))
    // Each of the two calls is the first one in turn.
    const early = i % 2 === 0 ? undefined : remove()
    const [made, removed] = await Promise.all([
      patiently(() => client.post<Key>('api-keys', { name: 'late', scopes: ['email:send'], projectId })),
      early ?? remove(),
    ])
    expect(removed.status).toBe(200)
    expect([201, 401], made.text).toContain(made.status)
    if (made.status === 201) expect((await api.with(made.body.secret).get('emails')).status).toBe(401)
  }
  expect(here.logs.filter((line) => line.includes('deadlock'))).toEqual([])
})
