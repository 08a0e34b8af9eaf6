import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { signatureBySpecification, standardSignature, webhookWorld } from '../support/webhooks.ts'

test('an event reaches the endpoint as the specification writes it, signed twice', async () => {
  const { endpoint, send, becomes, projectApi } = await webhookWorld()
  const receiver = await startReceiver()
  const { id, secret } = await endpoint(receiver.url)
  const email = await send('delivered')
  await becomes(email, 'delivered')
  const heard = await eventually('the receiver hears of it', () => receiver.heard[0])

  expect(Object.keys(heard.body)).toEqual(['type', 'messageId', 'recipient', 'timestamp', 'detail', 'accountId'])
  const { body: project } = await projectApi.get<{ data: { accountId: string }[] }>('projects')
  const { events } = (await projectApi.get<{ events: { timestamp: string; detail: string }[] }>(`emails/${email}`)).body
  expect(heard.body).toEqual({
    type: 'email.delivered',
    messageId: email,
    recipient: 'delivered@simulator.posthouse.test',
    timestamp: events[0]?.timestamp,
    detail: events[0]?.detail,
    accountId: project.data[0]?.accountId,
  })
  expect(heard.headers).toMatchObject({
    'content-type': 'application/json',
    'x-service-event': 'email.delivered',
    'x-service-attempt': '1',
    'x-service-signature': signatureBySpecification(secret, heard),
    'webhook-signature': standardSignature(secret, heard),
    'webhook-id': expect.stringMatching(/^evt_/),
  })
  expect(Math.abs(Number(heard.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(30)
  const [delivery] = (await projectApi.get<{ data: { id: string }[] }>(`webhooks/${id}/deliveries`)).body.data
  expect(heard.headers['x-service-delivery']).toBe(delivery?.id)
})

test('what an endpoint does not acknowledge comes again, to the byte the same', async () => {
  const { endpoint, send, delivery, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(500, {}, 'not today') })
  const hook = await endpoint(receiver.url)
  await send('delivered')
  const first = await delivery(hook, 'one attempt', ({ attempts }) => attempts.length === 1)
  expect(first).toMatchObject({
    status: 'pending',
    attempts: [{ number: 1, status: 500, error: 'answered 500', answer: 'not today' }],
  })
  receiver.behave(answers(200))
  await advance({ seconds: 7 })
  const second = await delivery(hook, 'it is delivered', ({ status }) => status === 'delivered')
  expect(second.attempts.map(({ status }) => status)).toEqual([500, 200])
  const [one, two] = receiver.heard
  expect(two?.raw.equals(one!.raw)).toBe(true)
  expect(two?.headers).toMatchObject({
    'x-service-attempt': '2',
    'x-service-delivery': one?.headers['x-service-delivery'],
    'webhook-id': one?.headers['webhook-id'],
  })
})
