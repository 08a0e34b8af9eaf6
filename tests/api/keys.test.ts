import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { scopes } from '../../src/core/scopes.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const later = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

interface CreatedKey {
  id: string
  secret: string
}

test('a key is created with a secret that is shown once, works at once, and is stored only as a hash', async () => {
  const { api, db } = await world()
  const key = created(await api.post<CreatedKey>('api-keys', { name: 'CI', scopes: ['projects:read'] }))
  expect(key).toEqual({
    id: expect.stringMatching(/^key_/),
    name: 'CI',
    fullAccess: false,
    scopes: ['projects:read'],
    contentAccess: 'all',
    projectId: null,
    prefix: 'ph_live_',
    last4: key.secret.slice(-4),
    createdBy: expect.stringMatching(/^key_/),
    createdAt: expect.any(String),
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
    secret: expect.stringMatching(/^ph_live_[0-9A-Za-z]{38}$/),
  })
  expect((await api.with(key.secret).get('projects')).status).toBe(200)
  const { secret, ...shown } = key
  expect((await api.get(`api-keys/${key.id}`)).body).toMatchObject({ ...shown, lastUsedAt: null })
  const stored = await db.maybeOne(sql`
    select 1 from api_keys where secret_hash = ${createHash('sha256').update(secret).digest()}`)
  expect(stored).toBeDefined()
})

test('scopes ["*"] and fullAccess mean the same', async () => {
  const { api } = await world()
  const star = created(await api.post('api-keys', { name: 'a', scopes: ['*'] }))
  const full = created(await api.post('api-keys', { name: 'b', fullAccess: true }))
  expect(star).toMatchObject({ fullAccess: true, scopes: ['*'] })
  expect(full).toMatchObject({ fullAccess: true, scopes: ['*'] })
})

test('a key without scopes, with unknown ones, or with contradicting ones is refused', async () => {
  const { api } = await world()
  const bodies = [
    { name: 'x' },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['everything'] },
    { name: 'x', fullAccess: false },
    { name: 'x', fullAccess: true, scopes: ['projects:read'] },
    { name: 'x', scopes: ['*', 'projects:read'] },
    { scopes: ['projects:read'] },
  ]
  for (const body of bodies) {
    expect(await api.post('api-keys', body), JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    })
  }
})

test('no key makes a broader one', async () => {
  const { api, clientWith } = await world()
  const maker = await clientWith({ scopes: ['api-keys:write', 'projects:read'] })
  const broader = await maker.post('api-keys', { name: 'x', scopes: ['projects:read', 'projects:write', 'email:send'] })
  expect(broader).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', missingScopes: ['projects:write', 'email:send'] },
  })
  // Every scope of today is less than full access, which includes those of tomorrow.
  const everyScope = await clientWith({ scopes })
  expect(await everyScope.post('api-keys', { name: 'x', fullAccess: true })).toMatchObject({
    status: 403,
    body: { missingScopes: ['*'] },
  })
  expect((await maker.post('api-keys', { name: 'x', scopes: ['projects:read'] })).status).toBe(201)
  expect((await api.post('api-keys', { name: 'x', fullAccess: true })).status).toBe(201)
})

test('a bound key makes keys for its own project only', async () => {
  const { projectApi, projectId, newProject } = await tenant()
  const other = await newProject()
  const make = (extra: object) => projectApi.post('api-keys', { name: 'x', scopes: ['*'], ...extra })
  expect((await make({})).body['projectId']).toBe(projectId)
  expect((await make({ projectId })).body['projectId']).toBe(projectId)
  for (const forbidden of [null, other, 'prj_00000000000000000000000000', 'nonsense']) {
    expect(await make({ projectId: forbidden }), String(forbidden)).toMatchObject({
      status: 403,
      body: { code: 'project_not_allowed' },
    })
  }
})

test('an unknown project and a malformed id get the same 404', async () => {
  const { api } = await world()
  const make = async (projectId: string) => {
    const { status, body } = await api.post('api-keys', { name: 'x', fullAccess: true, projectId })
    return { status, error: body['error'], code: body['code'] }
  }
  const unknown = await make('prj_00000000000000000000000000')
  expect(unknown).toMatchObject({ status: 404, code: 'not_found' })
  expect(await make('nonsense')).toEqual(unknown)
  expect(await make('key_00000000000000000000000000')).toEqual(unknown)
})

test('a key lives no longer than its maker, and inherits its end', async () => {
  const { clientWith } = await tenant()
  const end = later(10)
  const maker = await clientWith({ scopes: ['*'], expiresAt: end })
  const make = (extra: object) => maker.post('api-keys', { name: 'x', scopes: ['email:send'], ...extra })
  expect((await make({})).body['expiresAt']).toBe(end)
  expect((await make({ expiresAt: later(5) })).status).toBe(201)
  for (const expiresAt of [
    null,
    later(11),
    '2020-01-01T00:00:00Z',
    '2030-02-31T00:00:00Z',
    '2030-01-01T00:00:00',
    'soon',
  ]) {
    expect(await make({ expiresAt }), String(expiresAt)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', details: [{ path: '/expiresAt' }] },
    })
  }
})

test('an expired key is refused by the clock of the database', async () => {
  const { db, clientWith } = await tenant()
  const client = await clientWith({ scopes: ['projects:read'], expiresAt: later(1) })
  expect((await client.get('projects')).status).toBe(200)
  await db.run(
    sql`create or replace function clock_now() returns timestamptz language sql stable as 'select now() + interval ''25 hours'''`,
  )
  expect(await client.get('projects')).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

test('a revoked key is refused at once, leaves the list, and stays readable', async () => {
  const { api } = await world()
  const key = created(await api.post<CreatedKey>('api-keys', { name: 'gone', fullAccess: true }))
  expect(await api.delete(`api-keys/${key.id}`)).toMatchObject({ status: 200, body: { id: key.id, deleted: true } })
  expect((await api.with(key.secret).get('projects')).status).toBe(401)
  const listed = async (query: string) =>
    (await api.get<{ data: CreatedKey[] }>(`api-keys${query}`)).body.data.map(({ id }) => id)
  expect(await listed('')).not.toContain(key.id)
  expect(await listed('?revoked=true')).toEqual([key.id])
  expect((await api.get(`api-keys/${key.id}`)).body).toMatchObject({ revokedAt: expect.any(String) })
  expect(await api.delete(`api-keys/${key.id}`)).toMatchObject({ status: 200, body: { deleted: true } })
})

test('a bound key sees and revokes the keys of its project only', async () => {
  const { api, projectApi } = await world()
  const workspaceKey = created(await api.post<CreatedKey>('api-keys', { name: 'w', fullAccess: true }))
  const { data } = (await projectApi.get<{ data: { projectId: string }[] }>('api-keys')).body
  expect(data).toHaveLength(1)
  expect((await projectApi.get(`api-keys/${workspaceKey.id}`)).status).toBe(404)
  expect((await projectApi.delete(`api-keys/${workspaceKey.id}`)).status).toBe(404)
  expect((await api.with(workspaceKey.secret).get('projects')).status).toBe(200)
})

test('no key revokes one that is broader than itself; each may revoke itself', async () => {
  const { api, clientWith, projectApi, projectId } = await world()
  const [full, narrow] = [
    created(await api.post<CreatedKey>('api-keys', { name: 'full', fullAccess: true, projectId })),
    created(await api.post<CreatedKey>('api-keys', { name: 'narrow', scopes: ['email:send'], projectId })),
  ]
  for (const grant of [{}, { projectId }]) {
    const keeper = await clientWith({ scopes: ['api-keys:write'], ...grant })
    expect(await keeper.delete(`api-keys/${full.id}`)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', missingScopes: ['*'] },
    })
    expect(await keeper.delete(`api-keys/${narrow.id}?family=true`)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', missingScopes: ['email:send'] },
    })
  }
  expect((await api.with(full.secret).get('projects')).status).toBe(200)
  const itself = created(await projectApi.post<CreatedKey>('api-keys', { name: 'x', scopes: ['api-keys:write'] }))
  expect((await api.with(itself.secret).delete(`api-keys/${itself.id}`)).status).toBe(200)
  // What looks into less is narrower, whatever its scopes.
  const blind = created(await api.post<CreatedKey>('api-keys', { name: 'x', fullAccess: true, contentAccess: 'none' }))
  expect(await api.with(blind.secret).delete(`api-keys/${full.id}`)).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope' },
  })
  expect((await projectApi.delete(`api-keys/${narrow.id}`)).status).toBe(200)
})

test('with its family go the keys that a key made and those that they made, and nobody else', async () => {
  const { api } = await world()
  const make = async (maker: Client) =>
    created(await maker.post<CreatedKey>('api-keys', { name: 'x', scopes: ['api-keys:write'] }))
  const [root, beside] = [await make(api), await make(api)]
  const child = await make(api.with(root.secret))
  const grandchild = await make(api.with(child.secret))
  const statuses = () =>
    Promise.all([root, child, grandchild, beside].map(({ secret }) => api.with(secret).get('api-keys'))).then(
      (replies) => replies.map(({ status }) => status),
    )
  expect((await api.delete(`api-keys/${root.id}`)).body).toEqual({ id: root.id, deleted: true })
  expect(await statuses()).toEqual([401, 200, 200, 200])
  const revoked = await api.delete(`api-keys/${root.id}?family=true`)
  expect(revoked).toMatchObject({ status: 200, body: { id: root.id, deleted: true, revokedCount: 2 } })
  expect(await statuses()).toEqual([401, 401, 401, 200])
})

test('a key that makes others while its family is revoked leaves none behind', async () => {
  const { api } = await world()
  for (let round = 0; round < 10; round++) {
    const body = { name: 'x', scopes: ['api-keys:write'] }
    const root = created(await api.post<CreatedKey>('api-keys', body))
    const child = created(await api.with(root.secret).post<CreatedKey>('api-keys', body))
    const making = Array.from({ length: 8 }, (_, i) =>
      api.with((i % 2 ? root : child).secret).post<CreatedKey>('api-keys', body),
    )
    const [, ...made] = await Promise.all([api.delete(`api-keys/${root.id}?family=true`), ...making])
    for (const { status, body: key } of made) {
      expect([201, 401]).toContain(status)
      if (status === 201) expect((await api.with(key.secret).get('api-keys')).status).toBe(401)
    }
  }
})

test('the last use of a key is recorded without a write per request', async () => {
  const { api, services, db, clientWith } = await world()
  await clientWith({ scopes: ['projects:read'] })
  const secret = createHash('sha256').update(api.key!).digest()
  await services.keyIdentifier.identify(secret, undefined)
  const lastUse = () =>
    db.one(sql<{ at: Date | null }>`select last_used_at as at from api_keys where secret_hash = ${secret}`)
  expect((await lastUse()).at).toBeNull()
  await services.keyIdentifier.recordUse()
  expect((await lastUse()).at).toBeInstanceOf(Date)
})

test('creating and revoking are in the audit log, without the secret', async () => {
  const { api, db } = await world()
  const key = created(await api.post<CreatedKey>('api-keys', { name: 'audited', scopes: ['email:send'] }))
  await api.delete(`api-keys/${key.id}`)
  await api.delete(`api-keys/${key.id}`)
  const entries = await db.all(sql<{ action: string; details: unknown }>`
    select action, details from audit_log where subject = ${key.id} order by id`)
  expect(entries).toEqual([
    { action: 'key.created', details: { name: 'audited', scopes: ['email:send'], contentAccess: 'all' } },
    { action: 'key.revoked', details: { name: 'audited' } },
  ])
})
