import { expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { created, tenants } from '../support/world.ts'

const tenant = tenants()

const mail = (subject: string) => ({
  from: 'sandbox@sandbox.posthouse.test',
  to: 'delivered@simulator.posthouse.test',
  subject,
  text: 'x',
})

const subjects = async (api: Client, q: string): Promise<string[]> => {
  const reply = await api.get<{ data: { subject: string }[] }>(`emails?${new URLSearchParams({ q })}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data.map(({ subject }) => subject)
}

test('emails are found by words of their subject, in any order and case, the newest first', async () => {
  const { projectApi } = await tenant()
  for (const subject of ['Your order 4711 is on its way', 'Über 100% Rabatt', 'ORDER cancelled', 'Welcome']) {
    expect((await projectApi.post('email/send', mail(subject))).status).toBe(202)
  }
  expect(await subjects(projectApi, 'order')).toEqual(['ORDER cancelled', 'Your order 4711 is on its way'])
  expect(await subjects(projectApi, '  way   ORDER ')).toEqual(['Your order 4711 is on its way'])
  expect(await subjects(projectApi, 'über')).toEqual(['Über 100% Rabatt'])
  // Signs that mean something in a pattern mean themselves.
  expect(await subjects(projectApi, '%')).toEqual(['Über 100% Rabatt'])
  expect(await subjects(projectApi, '_')).toEqual([])
  expect(await subjects(projectApi, 'order welcome')).toEqual([])
})

test('a search has one to ten words', async () => {
  const { projectApi } = await tenant()
  for (const q of ['', '   ', 'a b c d e f g h i j k', 'x'.repeat(201)]) {
    const reply = await projectApi.get(`emails?${new URLSearchParams({ q })}`)
    expect(reply, q).toMatchObject({ status: 400, body: { details: [{ path: '/query/q' }] } })
  }
})

test('who may not see a subject does not find it either', async () => {
  const { api, projectApi, projectId } = await tenant()
  const keyWith = async (contentAccess: string): Promise<Client> => {
    const key = { name: contentAccess, scopes: ['email:send'], projectId, contentAccess }
    return api.with(created(await api.post<{ secret: string }>('api-keys', key)).secret)
  }
  const [own, none] = [await keyWith('own'), await keyWith('none')]
  await projectApi.post('email/send', mail('Secret of somebody else'))
  await own.post('email/send', mail('Secret of my own'))
  expect(await subjects(projectApi, 'secret')).toHaveLength(2)
  expect(await subjects(own, 'secret')).toEqual(['Secret of my own'])
  expect(await subjects(none, 'secret')).toEqual([])
})
