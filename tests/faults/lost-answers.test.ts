import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startMailNode } from '../support/mail-node.ts'

test('100 of 100 sends whose answer was lost between commit and response answer the same email when repeated', async () => {
  const { api, from, kill, ledger } = await startMailNode({ POSTHOUSE_FAILPOINTS: 'accept.after-commit=hang@first' })
  const recipients = Array.from({ length: 100 }, (_, i) => `user${i}@sink.test`)
  const send = (to: string) =>
    api.post<{ id: string }>(
      'email/send',
      { from, to, subject: 'Hello', html: '<p>Hello.</p>' },
      { 'Idempotency-Key': to },
    )
  const unanswered = recipients.map((to) =>
    send(to).then(
      (reply) => reply.status,
      () => 'no answer',
    ),
  )
  // They arrive although nobody was told so: that they are committed is beyond doubt.
  await eventually('all of them have arrived', () => ledger().size === recipients.length)
  await kill('api')
  expect(new Set(await Promise.all(unanswered))).toEqual(new Set(['no answer']))
  const ids = await Promise.all(recipients.map(send))
  expect(ids.map(({ status }) => status)).toEqual(recipients.map(() => 202))
  expect(ids.map(({ headers }) => headers.get('idempotency-replayed'))).toEqual(recipients.map(() => 'true'))
  expect(new Set(ids.map(({ body }) => body.id)).size).toBe(recipients.length)
  const { body } = await api.get<{ data: unknown[] }>('emails?limit=100')
  expect(body.data).toHaveLength(recipients.length)
  expect([...ledger().values()].filter((count) => count > 1)).toEqual([])
}, 240_000)
