import { expect, test } from 'vitest'
import type { Services } from '../../src/app/compose.ts'
import type { ProjectId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { created, world } from '../support/world.ts'

const unlimited = { emailsPerDay: null, emailsPerMonth: null }

test('a project is created active, without quotas, in the workspace of the key', async () => {
  const { api } = await world()
  const { status, body } = await api.post('projects', { name: 'Shop' })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^prj_[0-9a-hjkmnp-tv-z]{26}$/),
    accountId: expect.stringMatching(/^acc_/),
    name: 'Shop',
    status: 'active',
    quota: unlimited,
    sms: { invited: false, live: false },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updatedAt: body['createdAt'],
    pausedAt: null,
    archivedAt: null,
  })
  expect((await api.get(`projects/${body['id']}`)).body).toEqual(body)
})

test('projects are listed newest first, a page at a time, and stay put while new ones arrive', async () => {
  const { api, newProject } = await world()
  for (const name of ['a', 'b', 'c', 'd']) await newProject(name)
  const first = (await api.get('projects?limit=2')).body
  expect(names(first)).toEqual(['d', 'c'])
  expect(first['hasMore']).toBe(true)
  await newProject('e')
  const second = (await api.get(`projects?limit=2&cursor=${first['nextCursor']}`)).body
  expect(names(second)).toEqual(['b', 'a'])
  const third = (await api.get(`projects?limit=2&cursor=${second['nextCursor']}`)).body
  expect(names(third)).toEqual(['default'])
  expect(third).toMatchObject({ hasMore: false, nextCursor: null })
})

test('the list can be narrowed to a status', async () => {
  const { api, newProject } = await world()
  const id = await newProject('sleeping')
  await api.patch(`projects/${id}`, { status: 'paused' })
  expect(names((await api.get('projects?status=paused')).body)).toEqual(['sleeping'])
})

test('a project is paused and resumed, and only its moves change pausedAt', async () => {
  const { api, projectId } = await world()
  const paused = (await api.patch(`projects/${projectId}`, { status: 'paused' })).body
  expect(paused).toMatchObject({ status: 'paused', pausedAt: expect.any(String) })
  const renamed = (await api.patch(`projects/${projectId}`, { name: 'Renamed', status: 'paused' })).body
  expect(renamed).toMatchObject({ name: 'Renamed', status: 'paused', pausedAt: paused['pausedAt'] })
  expect((await api.patch(`projects/${projectId}`, { status: 'active' })).body).toMatchObject({ pausedAt: null })
})

test('a partial quota changes only what it names, and null lifts it', async () => {
  const { api, projectId } = await world()
  const quota = async (change: object) => (await api.patch(`projects/${projectId}`, { quota: change })).body['quota']
  expect(await quota({ emailsPerDay: 100 })).toEqual({ emailsPerDay: 100, emailsPerMonth: null })
  expect(await quota({ emailsPerMonth: 0 })).toEqual({ emailsPerDay: 100, emailsPerMonth: 0 })
  expect(await quota({ emailsPerDay: null })).toEqual({ emailsPerDay: null, emailsPerMonth: 0 })
})

test('a key that is bound to a project renames it, and decides nothing else about it', async () => {
  const { projectApi, projectId, api, newProject } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 5 } })
  expect(await projectApi.patch(`projects/${projectId}`, { name: 'Ours' })).toMatchObject({ status: 200 })
  const before = (await api.get(`projects/${projectId}`)).body
  const refused = { status: 403, body: { code: 'insufficient_scope' } }
  for (const change of [
    { quota: { emailsPerDay: null } },
    { quota: {} },
    { status: 'paused' },
    { status: 'active' },
    { name: 'Sly', status: 'active' },
  ]) {
    expect(await projectApi.patch(`projects/${projectId}`, change), JSON.stringify(change)).toMatchObject(refused)
  }
  expect(await projectApi.delete(`projects/${projectId}`)).toMatchObject(refused)
  expect(await projectApi.post(`projects/${projectId}/restore`)).toMatchObject(refused)
  expect((await api.get(`projects/${projectId}`)).body).toEqual(before)
  const other = await newProject()
  expect((await projectApi.patch(`projects/${other}`, { status: 'paused' })).status).toBe(404)
  expect((await projectApi.delete(`projects/${other}`)).status).toBe(404)
})

test('an archived project is restored within 30 days: its keys work again and it sends', async () => {
  const { api, newProject, clientWith, db } = await world()
  const id = await newProject()
  const bound = await clientWith({ scopes: ['*'], projectId: id })
  expect(await api.post(`projects/${id}/restore`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'active' },
  })
  await api.delete(`projects/${id}`)
  await db.run(
    sql`update projects set archived_at = clock_now() - interval '29 days 23 hours' where status = 'archived'`,
  )
  expect((await api.post(`projects/${id}/restore`)).body).toMatchObject({ status: 'active', archivedAt: null })
  const email = { from: 'sandbox@sandbox.posthouse.test', to: 'delivered@simulator.posthouse.test', text: 'x' }
  expect((await bound.post('email/send', { ...email, subject: 'Back' })).status).toBe(202)
  await api.delete(`projects/${id}`)
  await db.run(sql`update projects set archived_at = clock_now() - interval '30 days 1 hour' where status = 'archived'`)
  expect(await api.post(`projects/${id}/restore`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'archived' },
  })
  expect((await api.post('projects/prj_00000000000000000000000000/restore')).status).toBe(404)
})

test('an archived project can be read with a workspace key and never written again', async () => {
  const { api, newProject, clientWith } = await world()
  const id = await newProject()
  const bound = await clientWith({ scopes: ['*'], projectId: id })
  expect((await api.delete(`projects/${id}`)).body).toMatchObject({ id, status: 'archived' })
  expect((await api.get(`projects/${id}`)).body).toMatchObject({ status: 'archived', archivedAt: expect.any(String) })
  const refused = { status: 403, body: { code: 'project_archived' } }
  expect(await api.patch(`projects/${id}`, { name: 'no' })).toMatchObject(refused)
  expect(await api.patch(`projects/${id}`, { status: 'active' })).toMatchObject(refused)
  expect(await api.delete(`projects/${id}`)).toMatchObject(refused)
  expect(await api.post('api-keys', { name: 'x', fullAccess: true, projectId: id })).toMatchObject(refused)
  expect(await bound.get('projects')).toMatchObject(refused)
})

test('a paused project that is archived is archived', async () => {
  const { api, projectId } = await world()
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await api.delete(`projects/${projectId}`)).toMatchObject({ status: 200, body: { status: 'archived' } })
})

test('a key bound to a project sees that one only and creates no others', async () => {
  const { projectApi, projectId, newProject } = await world()
  const other = await newProject()
  const missing = await projectApi.get('projects/prj_00000000000000000000000000')
  expect((await projectApi.get<{ data: { id: string }[] }>('projects')).body.data.map(({ id }) => id)).toEqual([
    projectId,
  ])
  for (const reply of [
    await projectApi.get(`projects/${other}`),
    await projectApi.patch(`projects/${other}`, { name: 'x' }),
  ]) {
    expect(reply.status).toBe(404)
    expect(reply.body['error']).toBe(missing.body['error'])
  }
  expect(await projectApi.post('projects', { name: 'x' })).toMatchObject({
    status: 403,
    body: { code: 'project_not_allowed' },
  })
})

test('names are checked: empty, blank, too long, with control characters', async () => {
  const { api } = await world()
  for (const name of ['', '   ', 'x'.repeat(201), 'a\nb', 'a\u0000b', 7, null]) {
    const reply = await api.post<{ details: { path: string }[] }>('projects', { name })
    expect(reply, JSON.stringify(name)).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(reply.body.details.map(({ path }) => path)).toContain('/name')
  }
  expect((await api.post('projects', { name: 'Ærøskøbing 郵便 📮' })).status).toBe(201)
})

test('concurrent takers of a quota never get more than it holds, and the refusal says when to come back', async () => {
  const { api, db, services, projectId } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 10 } })
  const id = await idOf(db)
  const takes = await Promise.allSettled(Array.from({ length: 20 }, () => take(db, services, id, 1)))
  expect(takes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const refused = takes.find((take) => take.status === 'rejected')
  const tomorrow = new Date(
    Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), new Date().getUTCDate() + 1),
  )
  expect(refused?.reason).toMatchObject({
    code: 'quota_exceeded',
    extra: { quota: 'emailsPerDay', limit: 10, used: 10, resetsAt: tomorrow.toISOString() },
  })
})

test('a day quota is fresh tomorrow while the month goes on counting', async () => {
  const { api, db, services, projectId } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 2, emailsPerMonth: 3 } })
  const id = await idOf(db)
  await db.run(
    sql`create or replace function clock_now() returns timestamptz language sql stable as 'select timestamptz ''2030-01-10 23:00Z'''`,
  )
  await take(db, services, id, 2)
  await expect(take(db, services, id, 1)).rejects.toMatchObject({ extra: { quota: 'emailsPerDay' } })
  await db.run(
    sql`create or replace function clock_now() returns timestamptz language sql stable as 'select timestamptz ''2030-01-11 01:00Z'''`,
  )
  await expect(take(db, services, id, 2)).rejects.toMatchObject({
    extra: { quota: 'emailsPerMonth', used: 2, resetsAt: '2030-02-01T00:00:00.000Z' },
  })
  await take(db, services, id, 1)
})

test('what is used of the quotas can be read, also before the first mail and without a limit', async () => {
  const { api, db, services, projectId } = await world()
  await db.run(
    sql`create or replace function clock_now() returns timestamptz language sql stable as 'select timestamptz ''2030-01-31 23:00Z'''`,
  )
  const ends = '2030-02-01T00:00:00.000Z'
  const nothing = { used: 0, limit: null, resetsAt: ends }
  const usage = async () => (await api.get(`projects/${projectId}/usage`)).body
  expect(await usage()).toEqual({ emailsPerDay: nothing, emailsPerMonth: nothing })
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 10 } })
  await take(db, services, await idOf(db), 4)
  expect(await usage()).toEqual({
    emailsPerDay: { used: 4, limit: 10, resetsAt: ends },
    emailsPerMonth: { used: 4, limit: null, resetsAt: ends },
  })
  expect((await api.get('projects/prj_00000000000000000000000000/usage')).status).toBe(404)
})

test('every change is in the audit log with who made it, and the log cannot be rewritten', async () => {
  const { api, db } = await world()
  const { id } = created(await api.post<{ id: string }>('projects', { name: 'Audited' }))
  const change = await api.patch(`projects/${id}`, { status: 'paused' })
  await api.delete(`projects/${id}`)
  const entries = await db.all(sql<{ action: string; request: string; details: unknown }>`
    select action, request_id as request, details from audit_log where subject = ${id} order by id`)
  expect(entries.map(({ action }) => action)).toEqual(['project.created', 'project.updated', 'project.archived'])
  expect(entries[1]).toMatchObject({ request: change.headers.get('x-request-id'), details: { status: 'paused' } })
  await expect(db.run(sql`update audit_log set action = 'nothing happened'`)).rejects.toThrow('append-only')
  await expect(db.run(sql`delete from audit_log`)).rejects.toThrow('append-only')
})

const names = (page: Record<string, unknown>) => (page['data'] as { name: string }[]).map(({ name }) => name)

const take = (db: Database, services: Services, id: ProjectId, recipients: number) =>
  db.transaction(async (tx) => {
    const quotas = await services.projects.openQuotas(tx, [id])
    const refusal = quotas.take(id, recipients)
    if (refusal) throw refusal
    await quotas.write(tx)
  })

const idOf = async (db: Database) => (await db.one(sql<{ id: ProjectId }>`select id from projects`)).id
