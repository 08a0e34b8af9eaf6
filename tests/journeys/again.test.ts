import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld } from '../support/mail-world.ts'

test('an email that is sent again arrives again, with the same content as a message of its own', async () => {
  const here = await mailWorld()
  const { send, becomes, email, projectApi, sink } = here
  const id = await send('ann@sink.test', {
    cc: 'bob@sink.test',
    headers: { 'X-Order': '4711' },
    attachments: [{ filename: 'a.txt', content: Buffer.from('attached').toString('base64') }],
    tags: { kind: 'receipt' },
    metadata: { order: '4711' },
  })
  await becomes(id, 'delivered')
  const reply = await projectApi.post<{ id: string; resentFrom: string }>(`emails/${id}/resend`)
  expect(reply).toMatchObject({ status: 202, body: { resentFrom: id, status: 'queued', to: ['ann@sink.test'] } })
  const again = await becomes(reply.body.id, 'delivered')
  const first = await email(id)
  const unlike = new Set([
    'id',
    'createdAt',
    'sentAt',
    'messageIdHeader',
    'recipients',
    'events',
    'attachments',
    'resentFrom',
  ])
  const alike = (one: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(one).filter(([name]) => !unlike.has(name)))
  expect(alike(again)).toEqual(alike(first))
  expect(again['resentFrom']).toBe(id)
  expect(first['resentFrom']).toBeNull()
  expect(sink.taken.map(({ to }) => to).toSorted()).toEqual(
    ['ann@sink.test', 'ann@sink.test', 'bob@sink.test', 'bob@sink.test'].toSorted(),
  )
})

test('it can be sent to a corrected address, and then to nobody else', async () => {
  const here = await mailWorld()
  const { send, becomes, email, projectApi, sink } = here
  const id = await send('550-5.1.1@sink.test', { bcc: 'boss@sink.test' })
  await becomes(id, 'bounced')
  const suppressed = await projectApi.post(`emails/${id}/resend`, { to: '550-5.1.1@sink.test' })
  expect(suppressed).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  const reply = await projectApi.post<{ id: string }>(`emails/${id}/resend`, { to: 'Ann <ann@sink.test>' })
  await becomes(reply.body.id, 'delivered')
  expect(await email(reply.body.id)).toMatchObject({ to: ['Ann <ann@sink.test>'], cc: [], bcc: [] })
  expect(sink.taken.filter(({ to }) => to === 'boss@sink.test')).toHaveLength(1)
})

test('who waits for another attempt is tried at once when somebody asks for it', async () => {
  const here = await mailWorld()
  const { send, email, projectApi } = here
  const id = await send('451-4.2.0@sink.test')
  const waiting = await eventually('it waits', async () => {
    const found = await email(id)
    return found.status === 'deferred' && found.recipients[0]!.attempts === 1 && found
  })
  expect(waiting.recipients[0]!.nextAttemptAt).not.toBeNull()
  const reply = await projectApi.post(`emails/${id}/retry`)
  expect(reply).toMatchObject({ status: 202, body: { id } })
  await eventually('it was tried again', async () => (await email(id)).recipients[0]!.attempts === 2)
})
