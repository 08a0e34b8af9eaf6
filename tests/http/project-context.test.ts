import { expect, test } from 'vitest'
import { toyRoutes } from '../support/toys.ts'
import { world } from '../support/world.ts'

const header = (projectId: string) => ({ headers: { 'X-Service-Project-ID': projectId } })
const nowhere = 'prj_00000000000000000000000000'

test('a key bound to a project needs no header, and its header may only repeat the project', async () => {
  const { projectApi, projectId, newProject } = await world({ routes: toyRoutes })
  const other = await newProject()
  expect((await projectApi.get('toys/here')).body).toEqual({ projectId })
  expect((await projectApi.get('toys/here', header(projectId))).body).toEqual({ projectId })
  for (const wrong of [other, nowhere, 'nonsense']) {
    expect(await projectApi.get('toys/here', header(wrong))).toMatchObject({
      status: 403,
      body: { code: 'project_not_allowed' },
    })
    expect(await projectApi.get('projects', header(wrong))).toMatchObject({
      status: 403,
      body: { code: 'project_not_allowed' },
    })
  }
})

test('a workspace key names the project of a project-local call, even where there is only one', async () => {
  const { api, projectId } = await world({ routes: toyRoutes })
  expect(await api.get('toys/here')).toMatchObject({ status: 400, body: { code: 'project_required' } })
  expect((await api.get('toys/here', header(projectId))).body).toEqual({ projectId })
  for (const unknown of [nowhere, 'nonsense', `${projectId},${projectId}`]) {
    expect(await api.get('toys/here', header(unknown))).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await api.get('projects', header(unknown))).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
})

test("a send belongs to the project of the sender's domain, and a header can only agree", async () => {
  const { api, projectId, newProject } = await world({ routes: toyRoutes })
  const other = await newProject()
  const send = (word: string, headers?: Record<string, string>) => api.post('toys/from', { word }, headers)
  const named = (id: string) => ({ 'X-Service-Project-ID': id })
  expect((await send(other)).body).toEqual({ projectId: other })
  expect((await send(other, named(other))).body).toEqual({ projectId: other })
  expect(await send(other, named(projectId))).toMatchObject({ status: 403, body: { code: 'project_not_allowed' } })
  expect(await send('unknown.example')).toMatchObject({ status: 403, body: { code: 'domain_not_verified' } })
})

test('the sandbox sender belongs to the named project, and to none without a name', async () => {
  const { api, projectApi, projectId } = await world({ routes: toyRoutes })
  expect(await api.post('toys/from', { word: 'sandbox' })).toMatchObject({
    status: 400,
    body: { code: 'project_required' },
  })
  const named = await api.post('toys/from', { word: 'sandbox' }, { 'X-Service-Project-ID': projectId })
  expect(named.body).toEqual({ projectId })
  expect((await projectApi.post('toys/from', { word: 'sandbox' })).body).toEqual({ projectId })
})

test('an archived project can be looked at with a workspace key, not written', async () => {
  const { api, newProject } = await world({ routes: toyRoutes })
  const id = await newProject()
  await api.delete(`projects/${id}`)
  expect((await api.get('toys/here', header(id))).status).toBe(200)
  const archived = { status: 403, body: { code: 'project_archived' } }
  expect(await api.post('toys/here', undefined, header(id).headers)).toMatchObject(archived)
  expect(await api.post('toys/from', { word: id })).toMatchObject(archived)
})
