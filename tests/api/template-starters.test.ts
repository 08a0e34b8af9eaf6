import { expect, test } from 'vitest'
import { starters } from '../../src/resources/templates/starters/index.ts'
import { sql } from '../../src/storage/sql.ts'
import { pathsOf, preview, starterNames, versionsOf, type Listed, type View } from '../support/templates.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

test('a new project has the starters, and so has the first one', async () => {
  const { api, projectApi, newProject } = await world()
  const headers = { 'x-service-project-id': await newProject() }
  for (const { body } of [await projectApi.get<Listed>('templates'), await api.get<Listed>('templates', { headers })]) {
    expect(body.data.map(({ starter }) => starter)).toEqual(starterNames)
    for (const { alias, starter, version } of body.data) expect([alias, version]).toEqual([starter, 1])
  }
})

test('every starter can be previewed with its sample and says it in every part', async () => {
  const { projectApi } = await tenant()
  for (const { alias, sample, variables } of starters()) {
    const [view] = (await projectApi.get<Listed>(`templates?alias=${alias}`)).body.data
    const { status, body, text } = await preview(projectApi, view!, sample)
    expect(status, text).toBe(200)
    for (const part of ['subject', 'html', 'text']) expect(body[part], `${alias} ${part}`).toMatch(/\w/)
    expect(text).not.toMatch(/\{\{|\{%/)
    const required = variables.filter((variable) => variable.required)
    expect(pathsOf(await preview(projectApi, view!), 422, 'template_error')).toEqual(
      required.map(({ name }) => `/variables/${name}`),
    )
  }
})

test('starters that are missing are made again; those that are there stay as they were edited', async () => {
  const { projectApi } = await tenant()
  const [welcome, , reset] = (await projectApi.get<Listed>('templates')).body.data
  await projectApi.delete(`templates/${welcome!.id}`)
  const edited = (await projectApi.patch(`templates/${reset!.id}`, { alias: 'my-reset', subject: 'Mine' })).body
  const again = await projectApi.post<Listed>('templates/starters')
  expect(again).toMatchObject({ status: 201, body: { created: 1, restored: 0 } })
  expect(again.body.data.map(({ starter }) => starter).toSorted()).toEqual(starterNames.toSorted())
  expect(again.body.data[0]).toMatchObject({ starter: 'welcome', alias: 'welcome', version: 1, html: welcome!.html })
  expect(again.body.data).toContainEqual(edited)
  const once = await projectApi.post<Listed>('templates/starters', {})
  expect(once).toMatchObject({ status: 200, body: { created: 0, restored: 0, data: again.body.data } })
})

test('a reset puts edited starters back as a new version, keeps their alias, and touches no others', async () => {
  const { projectApi, db } = await world()
  const { data } = (await projectApi.get<Listed>('templates')).body
  const [welcome, verify, reset] = data
  await projectApi.patch(`templates/${welcome!.id}`, { alias: 'hello', subject: 'Mine' })
  await projectApi.patch(`templates/${verify!.id}`, { name: 'Mine', variables: [] })
  await projectApi.delete(`templates/${reset!.id}`)
  const own = created(await projectApi.post<View>('templates', { name: 'Own', subject: 'Own' }))
  const reply = await projectApi.post<Listed>('templates/starters?reset=true')
  expect(reply).toMatchObject({ status: 201, body: { created: 1, restored: 2 } })
  const find = (id: string) => reply.body.data.find((view) => view.id === id)!
  expect(find(welcome!.id)).toEqual({ ...welcome, alias: 'hello', version: 3, updatedAt: expect.any(String) })
  expect(find(verify!.id)).toEqual({ ...verify, version: 3, updatedAt: expect.any(String) })
  for (const view of data.slice(3)) expect(find(view.id)).toEqual(view)
  expect((await projectApi.get(`templates/${own.id}`)).body).toEqual(own)
  expect((await versionsOf(db, 'Welcome')).map(({ subject }) => subject)).toEqual([
    welcome!.subject,
    'Mine',
    welcome!.subject,
  ])
  const again = await projectApi.post('templates/starters?reset=true')
  expect(again).toMatchObject({ status: 200, body: { created: 0, restored: 0 } })
})

test('a starter whose alias is taken by then comes without one', async () => {
  const { projectApi } = await tenant()
  const [welcome] = (await projectApi.get<Listed>('templates?alias=welcome')).body.data
  await projectApi.delete(`templates/${welcome!.id}`)
  const own = created(await projectApi.post<View>('templates', { name: 'Own', alias: 'welcome' }))
  const reply = await projectApi.post<Listed>('templates/starters')
  expect(reply).toMatchObject({ status: 201, body: { created: 1 } })
  expect(reply.body.data[0]).toMatchObject({ starter: 'welcome', alias: null })
  expect((await projectApi.get(`templates/${own.id}`)).body).toEqual(own)
  expect((await projectApi.post('templates/starters')).status).toBe(200)
})

test('several who ask for starters in the same moment, and want their aliases, make each starter once', async () => {
  const { projectApi } = await tenant()
  for (const { id } of (await projectApi.get<Listed>('templates')).body.data) await projectApi.delete(`templates/${id}`)
  const asked = Array.from({ length: 4 }, () => projectApi.post<{ created: number }>('templates/starters?reset=true'))
  const wanted = ['welcome', 'newsletter'].map((alias) => projectApi.post('templates', { name: 'Own', alias }))
  const [replies, others] = await Promise.all([Promise.all(asked), Promise.all(wanted)])
  for (const { status, text } of replies) expect([200, 201], text).toContain(status)
  for (const { status, text } of others) expect([201, 409], text).toContain(status)
  expect(replies.reduce((sum, { body }) => sum + body.created, 0)).toBe(8)
  const { data } = (await projectApi.get<Listed>('templates')).body
  expect(data.flatMap(({ starter }) => starter ?? []).toSorted()).toEqual(starterNames.toSorted())
})

test('a project that could not be made leaves no starters behind', async () => {
  const { api, db } = await world()
  await db.run(sql`alter table templates add check (name <> 'Newsletter') not valid`)
  expect((await api.post('projects', { name: 'Unlucky' })).status).toBe(500)
  expect(await db.all(sql`select 1 from projects where name = 'Unlucky'`)).toEqual([])
  expect(await db.all(sql`select distinct project_id from templates`)).toHaveLength(1)
})
