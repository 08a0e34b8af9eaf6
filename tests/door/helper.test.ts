import { expect, test } from 'vitest'
import { signIn } from '../support/people.ts'
import { tenants } from '../support/world.ts'

const tenant = tenants()

test('somebody who is signed in calls the API with a cookie', async () => {
  const here = await tenant()
  const viewer = await signIn(here, { role: 'viewer', project: here.projectId })
  expect(await viewer.client.get('projects')).toMatchObject({ status: 200, body: { data: [{ id: here.projectId }] } })
  expect(await viewer.client.post('templates', { name: 'x' })).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', readOnly: true },
  })
  const developer = await signIn(here, { role: 'developer' })
  expect((await developer.client.in(here.projectId).post('templates', { name: 'x' })).status).toBe(201)
})
