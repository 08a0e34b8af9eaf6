import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { addContact, newAudience, runJobs } from '../support/audiences.ts'
import { newBroadcast, sendBroadcast } from '../support/broadcasts.ts'
import { at, mail, read, refusal, send, type Accepted } from '../support/emails.ts'
import { accepted, created, tenants, world, type World } from '../support/world.ts'

const tenant = tenants()

interface Resent extends Accepted {
  resentFrom: string
}

const actions = ({ db }: Pick<World, 'db'>, subject: string) =>
  db.all(sql<{ action: string; details: Record<string, unknown> }>`
    select action, details from audit_log where subject = ${subject} order by id`)

test('who sends an email again is remembered with the email that was made of it', async () => {
  const here = await tenant()
  const { projectApi } = here
  const first = await send(projectApi)
  const again = accepted(await projectApi.post<Resent>(`emails/${first.id}/resend`))
  const elsewhere = accepted(await projectApi.post<Resent>(`emails/${first.id}/resend`, { to: at('bob') }))
  expect(again.id).not.toBe(first.id)
  expect(await actions(here, first.id)).toEqual([
    { action: 'email.resent', details: { as: again.id, toAnotherAddress: false } },
    { action: 'email.resent', details: { as: elsewhere.id, toAnotherAddress: true } },
  ])
  expect(await read(projectApi, elsewhere)).toMatchObject({ resentFrom: first.id, to: [at('bob')] })
})

test('an idempotency key counts for the email that is sent again', async () => {
  const here = await tenant()
  const { projectApi } = here
  const [one, other] = [await send(projectApi), await send(projectApi)]
  const resend = (id: string, body: unknown = {}) =>
    projectApi.post<Resent>(`emails/${id}/resend`, body, { 'Idempotency-Key': 'again' })
  const [first, second] = [await resend(one.id), await resend(one.id)]
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await actions(here, one.id)).toHaveLength(1)
  for (const reply of [await resend(other.id), await resend(one.id, { to: at('bob') })]) {
    expect(reply).toMatchObject(refusal(409, 'idempotency_mismatch'))
  }
})

test('a template is not filled in a second time: what was said is said again, and names its version', async () => {
  const { projectApi } = await tenant()
  const template = created(
    await projectApi.post<{ id: string }>('templates', { name: 'x', subject: 'Hi {{ name }}', text: '{{ code }}' }),
  )
  const variables = { name: '{{ code }}', code: '1234' }
  const body = { from: mail()['from'], to: at('ann'), templateId: template.id, variables }
  const first = accepted(await projectApi.post<Accepted>('email/send', body))
  await projectApi.patch(`templates/${template.id}`, { subject: 'Changed', text: 'Changed' })
  const again = await read(projectApi, accepted(await projectApi.post<Resent>(`emails/${first.id}/resend`)))
  expect(again).toMatchObject({
    subject: 'Hi {{ code }}',
    text: '1234',
    variables,
    templateId: template.id,
    templateVersion: 1,
  })
})

test('all rules of sending hold for an email that is sent again', async () => {
  const here = await world()
  const { api, projectApi, projectId } = here
  const { id } = await send(projectApi)
  const resend = (body?: unknown) => projectApi.post(`emails/${id}/resend`, body)
  expect(await resend({ to: 'ann@example.com' })).toMatchObject(refusal(403, 'sandbox_only'))
  expect(await resend({ to: 'nobody' })).toMatchObject({ status: 400, body: { details: [{ path: '/to' }] } })
  expect(await resend({ cc: at('bob') })).toMatchObject(refusal(400, 'validation_error'))
  created(await projectApi.post('suppressions', { email: at('ann') }))
  expect(await resend()).toMatchObject(refusal(422, 'recipient_suppressed'))
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 1 } })
  expect(await resend({ to: at('bob') })).toMatchObject(refusal(403, 'quota_exceeded'))
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: null }, status: 'paused' })
  expect(await resend({ to: at('bob') })).toMatchObject(refusal(403, 'project_paused'))
  expect(await projectApi.post(`emails/${id}/retry`)).toMatchObject(refusal(403, 'project_paused'))
  expect(await actions(here, id)).toEqual([])
})

test('a domain that is not ours any more sends nothing again', async () => {
  const here = await world()
  const { projectApi, db } = here
  const { id } = await send(projectApi)
  await db.run(sql`update emails set sender = 'x@gone.example',
    addresses = jsonb_set(addresses, '{from}', '{"name":"","email":"x@gone.example"}')`)
  expect(await projectApi.post(`emails/${id}/resend`)).toMatchObject(refusal(403, 'domain_not_verified'))
})

test('mail of a broadcast is not sent again, to nobody: each contact gets it once, and agreed to that', async () => {
  const here = await world()
  const { projectApi } = here
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, at('ann'))
  const draft = await newBroadcast(projectApi, audience)
  await sendBroadcast(projectApi, draft)
  await runJobs(here)
  const { data } = (await projectApi.get<{ data: { id: string }[] }>(`emails?broadcastId=${draft.id}`)).body
  for (const body of [{}, { to: at('bob') }]) {
    const reply = await projectApi.post(`emails/${data[0]!.id}/resend`, body)
    expect(reply).toMatchObject({ status: 409, body: { code: 'invalid_state', state: 'broadcast' } })
  }
})

test('what is forgotten, or hidden from the key, cannot be sent again', async () => {
  const { api, projectApi, projectId, db } = await world()
  const { id } = await send(projectApi)
  const key = { name: 'blind', scopes: ['email:send'], projectId, contentAccess: 'own' }
  const blind = api.with(created(await api.post<{ secret: string }>('api-keys', key)).secret)
  const hidden = { status: 409, body: { code: 'invalid_state', state: 'hidden' } }
  expect(await blind.post(`emails/${id}/resend`, { to: at('bob') })).toMatchObject(hidden)
  expect(await blind.get(`emails/${id}/raw`)).toMatchObject(hidden)
  await db.run(sql`update contents set html = null, text = null, purged_at = clock_now()`)
  const purged = { status: 409, body: { code: 'invalid_state', state: 'purged' } }
  expect(await projectApi.post(`emails/${id}/resend`)).toMatchObject(purged)
})

test('only who waits for another attempt can be tried sooner', async () => {
  const here = await world()
  const { projectApi, db } = here
  const { id } = await send(projectApi)
  expect(await projectApi.post(`emails/${id}/retry`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_state', state: 'queued' },
  })
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = await send(projectApi, { sendAt })
  expect(await projectApi.post(`emails/${scheduled.id}/retry`)).toMatchObject({
    status: 409,
    body: { state: 'scheduled' },
  })
  expect(await actions(here, id)).toEqual([])
  // As if a worker had tried it.
  await db.run(sql`
    update deliveries set state = 'waiting', lease_no = 1, attempts = 1, due_at = clock_now() + interval '1 hour'
     where due_at <= clock_now()`)
  const { status, body } = await projectApi.post<{ recipients: object[] }>(`emails/${id}/retry`)
  expect(status).toBe(202)
  expect(body.recipients).toMatchObject([{ status: 'deferred', nextAttemptAt: null }])
  expect(await actions(here, id)).toEqual([{ action: 'email.retried', details: { recipients: 1 } }])
})

test('the attachments of an email are downloaded as they were given', async () => {
  const { api, projectApi, projectId } = await tenant()
  const content = Buffer.from('%PDF-1.7 größe')
  const { id } = await send(projectApi, {
    attachments: [{ filename: 'größe.pdf', content: content.toString('base64') }],
  })
  const { attachments } = await read(projectApi, { id })
  const path = `emails/${id}/attachments/${attachments[0]!.id}`
  const reply = await projectApi.get(path)
  expect([reply.status, reply.text]).toEqual([200, content.toString()])
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="gr__e.pdf"; filename*=UTF-8''gr%C3%B6%C3%9Fe.pdf`,
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  const other = await send(projectApi)
  expect(await projectApi.get(path.replace(id, other.id))).toMatchObject(refusal(404, 'not_found'))
  const key = { name: 'blind', scopes: ['email:send'], projectId, contentAccess: 'none' }
  const blind = api.with(created(await api.post<{ secret: string }>('api-keys', key)).secret)
  expect(await blind.get(path)).toMatchObject(refusal(404, 'not_found'))
})

test('mail of ours with a link that lets somebody in is neither downloaded nor sent again', async () => {
  const { projectApi, db } = await world()
  const { id } = await send(projectApi)
  await db.run(sql`update emails set options = options || '{"accountLink": {}}'`)
  const hidden = { status: 409, body: { code: 'invalid_state', state: 'hidden' } }
  expect(await projectApi.get(`emails/${id}/raw`)).toMatchObject(hidden)
  expect(await projectApi.post(`emails/${id}/resend`, { to: at('bob') })).toMatchObject(hidden)
})
