import { expect, test } from 'vitest'
import { at, mail, post, refusal, rowsOf, send, type Batch } from '../support/emails.ts'
import type { Client, Reply } from '../support/client.ts'
import { world } from '../support/world.ts'

const key = (name: string) => ({ 'idempotency-key': name })
const mismatch = refusal(409, 'idempotency_mismatch')

/** On a machine that is busy elsewhere some are told to come again, and do, as clients should. */
async function patiently(ask: () => Promise<Reply>): Promise<Reply> {
  const reply = await ask()
  return reply.status === 503 ? patiently(ask) : reply
}

const told = ({ status, text }: Reply) => `${status} ${text}`

test('a send that is repeated answers the first one again and sends nothing new', async () => {
  const { projectApi, db } = await world()
  const first = await post(projectApi, {}, key('k'))
  expect(first.status).toBe(202)
  expect(first.headers.has('idempotency-replayed')).toBe(false)
  const again = await post(projectApi, {}, key('k'))
  expect(again).toMatchObject({ status: 202, text: first.text })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await rowsOf(db)).toEqual({ emails: 1, contents: 1, deliveries: 1, keys: 1, used: 1 })
})

test('without a key, or with another one, it is another email', async () => {
  const { projectApi, db } = await world()
  const ids = [await send(projectApi), await send(projectApi), (await post(projectApi, {}, key('a'))).body]
  ids.push((await post(projectApi, {}, key('b'))).body)
  expect(new Set(ids.map(({ id }) => id)).size).toBe(4)
  expect(await rowsOf(db)).toMatchObject({ emails: 4, keys: 2 })
})

test('a batch that is repeated answers the same batch, refusals included', async () => {
  const { projectApi, db } = await world()
  const emails = [mail(), mail({ to: 'ann@example.com' }), mail({ to: at('bob') })]
  const first = await projectApi.post<Batch>('email/batch', { emails }, key('k'))
  expect(first.body).toMatchObject({ accepted: 2, rejected: 1 })
  const again = await projectApi.post<Batch>('email/batch', { emails }, key('k'))
  expect(again).toMatchObject({ status: 202, text: first.text })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  expect(await rowsOf(db)).toMatchObject({ emails: 2, keys: 1 })
})

test('the order of fields, white space and the two ways to write a batch make no other payload', async () => {
  const { projectApi, db } = await world()
  const fields = Object.entries(mail({ tags: { a: '1', b: '2' } }))
  const written = JSON.stringify(Object.fromEntries(fields))
  const spread = JSON.stringify(Object.fromEntries(fields.toReversed()), null, 3).replace(
    '"Hello"',
    String.raw`"\u0048ello"`,
  )
  const first = await projectApi.post('email/send', written, key('send'))
  expect(await projectApi.post('email/send', spread, key('send'))).toMatchObject({ status: 202, text: first.text })
  const batch = await projectApi.post('email/batch', `{"emails":[${written}]}`, key('batch'))
  for (const body of [`[${spread}]`, ` { "emails" :[${written}] } `, `[\n${written}\n]`]) {
    expect(await projectApi.post('email/batch', body, key('batch'))).toMatchObject({ status: 202, text: batch.text })
  }
  expect(await rowsOf(db)).toMatchObject({ emails: 2 })
})

test('the same key with another payload, or on the other endpoint, is a mismatch, always', async () => {
  const { projectApi, db } = await world()
  await post(projectApi, {}, key('k'))
  for (const more of [{ subject: 'Other' }, { tags: {} }, { to: [at('ann')] }, { html: '<p>Hello there. </p>' }]) {
    expect(await post(projectApi, more, key('k'))).toMatchObject(mismatch)
  }
  expect(await projectApi.post('email/batch', [mail()], key('k'))).toMatchObject(mismatch)
  await projectApi.post('email/batch', [mail(), mail()], key('b'))
  expect(await projectApi.post('email/batch', [mail()], key('b'))).toMatchObject(mismatch)
  expect(await post(projectApi, {}, key('b'))).toMatchObject(mismatch)
  expect(await rowsOf(db)).toMatchObject({ emails: 3, keys: 2 })
})

test('a request that is refused does not use its key up', async () => {
  const { api, projectApi, projectId, db } = await world()
  await projectApi.post('suppressions', { email: at('gone') })
  expect((await post(projectApi, { to: 'nobody' }, key('k'))).status).toBe(400)
  expect((await post(projectApi, { to: 'ann@example.com' }, key('k'))).status).toBe(403)
  expect((await post(projectApi, { to: at('gone') }, key('k'))).status).toBe(422)
  expect((await post(projectApi, { templateId: 'none' }, key('k'))).status).toBe(404)
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 0 } })
  expect((await post(projectApi, {}, key('k'))).body).toMatchObject({ code: 'quota_exceeded' })
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: null }, status: 'paused' })
  expect((await post(projectApi, {}, key('k'))).body).toMatchObject({ code: 'project_paused' })
  expect((await projectApi.post('email/batch', [mail()], key('k'))).status).toBe(403)
  expect(await rowsOf(db)).toEqual({})
  await api.patch(`projects/${projectId}`, { status: 'active' })
  const sent = await post(projectApi, {}, key('k'))
  expect(sent.status).toBe(202)
  expect(sent.headers.has('idempotency-replayed')).toBe(false)
})

test('a key belongs to its project, whatever kind of key sends it', async () => {
  const { api, projectApi, projectId, newProject, clientWith, db } = await world()
  const otherId = await newProject()
  const other = await clientWith({ scopes: ['*'], projectId: otherId })
  const named = (id: string) => ({ ...key('k'), 'x-service-project-id': id })
  const first = await post(projectApi, {}, key('k'))
  const second = await post(other, { subject: 'Other' }, key('k'))
  expect([first.status, second.status]).toEqual([202, 202])
  expect(await post(api, {}, named(projectId))).toMatchObject({ status: 202, text: first.text })
  expect(await post(api, { subject: 'Other' }, named(otherId))).toMatchObject({ status: 202, text: second.text })
  expect(await post(api, {}, named(otherId))).toMatchObject(mismatch)
  expect(await rowsOf(db)).toMatchObject({ emails: 2, keys: 2 })
})

test('200 identical sends at once over two processes are one email and get 200 equal answers', async () => {
  const { projectApi, anotherApi, db } = await world()
  const processes = [projectApi, (await anotherApi()).with(projectApi.key)]
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, i) => patiently(() => post(processes[i % 2]!, {}, key('twins')))),
  )
  expect(new Set(replies.map(told)).size).toBe(1)
  expect(replies[0]?.status).toBe(202)
  expect(replies.filter(({ headers }) => headers.has('idempotency-replayed'))).toHaveLength(199)
  expect(await rowsOf(db)).toEqual({ emails: 1, contents: 1, deliveries: 1, keys: 1, used: 1 })
})

test('twins within one process share an answer, those who say something else are told so', async () => {
  const { projectApi, db } = await world()
  const say = (subject: string) => post(projectApi, { subject }, key('one'))
  const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => say(i % 3 === 0 ? 'odd' : 'even')))
  const sent = replies.filter(({ status }) => status === 202)
  const refused = replies.filter(({ status }) => status !== 202)
  expect([20, 40]).toContain(sent.length)
  expect(new Set(sent.map(told)).size).toBe(1)
  for (const reply of refused) expect(reply).toMatchObject(mismatch)
  expect(await rowsOf(db)).toMatchObject({ emails: 1 })
})

test('the twin of a request that is refused is judged for itself', async () => {
  const { api, projectApi, projectId, db } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 1 } })
  const two = { to: [at('a'), at('b')] }
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, i) => post(projectApi, i % 10 === 9 ? {} : two, key('k'))),
  )
  const codes = new Set(replies.map(({ status, body }) => body['code'] ?? status))
  expect(codes).toContain(202)
  for (const code of codes) expect([202, 'quota_exceeded', 'idempotency_mismatch']).toContain(code)
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(3)
  expect(await rowsOf(db)).toMatchObject({ emails: 1, used: 1 })
})

test('twins of a batch over two processes are one batch', async () => {
  const { projectApi, anotherApi, db } = await world()
  const processes = [projectApi, (await anotherApi()).with(projectApi.key)]
  const emails = Array.from({ length: 20 }, (_, i) => mail({ to: at(`p${i}`) }))
  const ask = (client: Client, i: number) =>
    patiently(() => client.post('email/batch', i % 3 === 0 ? emails : { emails }, key('twins')))
  const replies = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(processes[i % 2]!, i)))
  expect(new Set(replies.map(told)).size).toBe(1)
  expect(await rowsOf(db)).toMatchObject({ emails: 20, keys: 1, used: 20 })
})
