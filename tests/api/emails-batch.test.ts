import { expect, test } from 'vitest'
import { at, mail, problemsOf, read, refusal, rowsOf, type Batch } from '../support/emails.ts'
import type { Client } from '../support/client.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { longHtml, worldThatCanBeBusy } from '../support/templates.ts'
import { accepted, created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const many = (n: number) => Array.from({ length: n }, (_, i) => mail({ to: at(`p${i}`), subject: `Number ${i}` }))

const batch = (client: Client, emails: unknown, headers: Record<string, string> = {}) =>
  client.post<Batch>('email/batch', { emails }, headers)

test('a batch is queued as a whole and answered in its order', async () => {
  const { projectApi, projectId, db } = await tenant()
  const reply = await batch(projectApi, [...many(99), mail({ sendAt: new Date(Date.now() + 60_000).toISOString() })])
  const body = accepted(reply)
  expect(body).toMatchObject({ id: expect.stringMatching(/^bat_[0-9a-z]{26}$/), accepted: 100, rejected: 0 })
  expect(body.data).toEqual(
    body.data.map((_, index) => ({
      index,
      id: expect.stringMatching(/^em_/),
      status: index === 99 ? 'scheduled' : 'queued',
    })),
  )
  expect(await rowsOf(db)).toEqual({ emails: 100, contents: 100, deliveries: 100, used: 100 })
  const third = await read(projectApi, { id: body.data[3]!.id! })
  expect(third).toMatchObject({ subject: 'Number 3', to: [at('p3')], batchId: body.id, projectId })
})

test('the bare list is the same batch', async () => {
  const { projectApi } = await tenant()
  const body = accepted(await projectApi.post<Batch>('email/batch', many(2)))
  expect(body).toMatchObject({ accepted: 2, rejected: 0, data: [{ index: 0 }, { index: 1 }] })
})

test('one to a hundred emails are a batch', async () => {
  const { projectApi, db } = await world()
  for (const body of [{ emails: [] }, [], { emails: many(101) }, many(101), {}, { emails: {} }]) {
    expect(problemsOf(await projectApi.post('email/batch', body))).toEqual(['/emails'])
  }
  expect(problemsOf(await projectApi.post('email/batch', '"emails"'))).toEqual(['/'])
  expect(problemsOf(await projectApi.post('email/batch', { emails: many(1), dryRun: true }))).toEqual(['/dryRun'])
  expect(await rowsOf(db)).toEqual({})
})

test('one malformed email refuses all of them, and every problem says which one it is in', async () => {
  const { projectApi, db } = await world()
  const emails: unknown[] = many(8)
  emails[1] = mail({ to: undefined })
  emails[3] = mail({ to: 'nobody', subject: undefined })
  emails[4] = mail({ to: [at('a'), 'b'], extra: 1 })
  emails[5] = 'an email'
  emails[7] = mail({ sendAt: '2001-01-01T00:00:00Z' })
  const paths = ['/emails/1/to', '/emails/3/subject', '/emails/3/to', '/emails/4/extra', '/emails/4/to/1', '/emails/5']
  for (const body of [{ emails }, emails]) {
    const reply = await projectApi.post('email/batch', body)
    expect(problemsOf(reply).toSorted()).toEqual([...paths, '/emails/7/sendAt'])
  }
  // The same where every shape is right.
  expect(problemsOf(await batch(projectApi, [mail(), mail({ to: 'nobody' })]))).toEqual(['/emails/1/to'])
  expect(await rowsOf(db)).toEqual({})
})

test('what policy refuses is named in its place, and the others are queued', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'shop.example')
  created(await projectApi.post('suppressions', { email: at('gone') }))
  created(
    await projectApi.post('templates', {
      name: 'T',
      alias: 't',
      subject: '',
      variables: [{ name: 'x', required: true }],
    }),
  )
  const body = accepted(
    await batch(projectApi, [
      mail(),
      mail({ to: 'ann@example.com' }),
      mail({ from: 'news@shop.example', to: 'ann@example.com' }),
      mail({ from: 'news@unknown.example' }),
      mail({ to: at('gone') }),
      mail({ to: [at('gone'), at('bob')] }),
      mail({ templateId: 't' }),
      mail({ templateId: 't', variables: { x: 1 }, subject: undefined }),
    ]),
  )
  expect(body).toMatchObject({ accepted: 3, rejected: 5 })
  expect(body.data.map(({ index, code, status }) => [index, code ?? status])).toEqual([
    [0, 'queued'],
    [1, 'sandbox_only'],
    [2, 'queued'],
    [3, 'domain_not_verified'],
    [4, 'recipient_suppressed'],
    [5, 'queued'],
    [6, 'template_error'],
    [7, 'validation_error'],
  ])
  expect(body.data[4]).toMatchObject({
    error: expect.any(String),
    recipients: [{ email: at('gone'), reason: 'manual' }],
  })
  expect(body.data[6]).toMatchObject({ details: [{ path: '/emails/6/variables/x' }] })
  expect(body.data[7]).toMatchObject({ details: [{ path: '/emails/7/subject' }] })
  expect(await rowsOf(db)).toMatchObject({ emails: 3, deliveries: 3, recipients: 1, events: 1, used: 3 })
})

test('a batch of which everything is refused is still an answer', async () => {
  const { projectApi, db } = await world()
  const body = accepted(await batch(projectApi, [mail({ to: 'a@example.com' }), mail({ to: 'b@example.com' })]))
  expect(body).toMatchObject({ accepted: 0, rejected: 2, data: [{ code: 'sandbox_only' }, { code: 'sandbox_only' }] })
  expect(await rowsOf(db)).toEqual({})
})

test('a quota lets as many through as it holds, in the order of the batch', async () => {
  const { api, projectApi, projectId } = await world()
  await api.patch(`projects/${projectId}`, { quota: { emailsPerDay: 4 } })
  const body = accepted(
    await batch(
      projectApi,
      [mail(), mail({ to: [at('a'), at('b'), at('c'), at('d')] }), mail({ to: [at('a'), at('b')] })].concat(many(3)),
    ),
  )
  expect(body.data.map(({ code, status }) => code ?? status)).toEqual([
    'queued',
    'quota_exceeded',
    'queued',
    'queued',
    'quota_exceeded',
    'quota_exceeded',
  ])
  expect(body.data[1]).toMatchObject({ quota: 'emailsPerDay', limit: 4, used: 1, resetsAt: expect.any(String) })
  expect(body.data[5]).toMatchObject({ quota: 'emailsPerDay', limit: 4, used: 4 })
})

test('a template that is not there, or a project that does not send, refuses the batch', async () => {
  const { api, projectApi, projectId, db } = await world()
  expect(await batch(projectApi, [mail(), mail({ templateId: 'none' })])).toMatchObject(refusal(404, 'not_found'))
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await batch(projectApi, many(2))).toMatchObject(refusal(403, 'project_paused'))
  expect(await rowsOf(db)).toEqual({})
})

test('a batch that comes while the project has too much to fill in is put off as a whole, and taken later', async () => {
  const { projectApi, db, keepBusy } = await worldThatCanBeBusy()
  created(await projectApi.post('templates', { name: 'T', alias: 't', subject: 'Long', html: longHtml }))
  const emails = [mail(), mail({ templateId: 't', html: undefined }), mail({ html: longHtml })]
  const key = { 'Idempotency-Key': 'once' }
  const { release } = keepBusy()
  for (const some of [emails.slice(0, 2), emails.slice(2)]) {
    const reply = await batch(projectApi, some, key)
    expect(reply).toMatchObject(refusal(503, 'unavailable'))
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await rowsOf(db)).toEqual({})
  await release()
  expect(accepted(await batch(projectApi, emails, key))).toMatchObject({ accepted: 3, rejected: 0 })
})
