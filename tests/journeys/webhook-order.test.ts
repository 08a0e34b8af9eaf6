import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import { answers, startReceiver, type Behaviour } from '../support/receiver.ts'
import { signatureBySpecification, standardSignature, webhookWorld, type Endpoint } from '../support/webhooks.ts'
import { created } from '../support/world.ts'

/** Acknowledges after a while that is different every time, so that who comes later may be done earlier. */
const unsteady: Behaviour = (request, response, heard) =>
  void setTimeout(() => answers(204)(request, response, heard), Math.random() * 40)

test.each([1, 2])(
  'a healthy endpoint hears of each message in the order of what happened (%i workers)',
  async (workers) => {
    const { endpoint, send, advance, email } = await webhookWorld({ workers })
    const receiver = await startReceiver({ behaviour: unsteady })
    await endpoint(receiver.url, { events: ['email.deferred', 'email.delivered', 'email.filteredspam'] })
    const sequences: Record<string, string[]> = {
      deferred: ['email.deferred', 'email.delivered'],
      complained: ['email.delivered', 'email.filteredspam'],
    }
    const expected = new Map<string, string[]>()
    const recipients = Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? 'deferred' : 'complained')).entries()
    const sender = async (): Promise<void> => {
      for (const [n, part] of recipients) expected.set(await send(`${part}+${n}`), sequences[part]!)
    }
    await Promise.all(Array.from({ length: 8 }, sender))
    await eventually('the receiver heard of everything', async () => {
      if (receiver.heard.length >= 400) return true
      await advance({ seconds: 1 })
      return false
    })
    const told = new Map([...expected.keys()].map((id) => [id, [] as string[]]))
    for (const { body } of receiver.heard) told.get(body['messageId'] ?? '')?.push(body['type'] ?? '')
    expect(told).toEqual(expected)

    // It was put off twice, and the endpoint told once.
    const [twice] = [...expected].find(([, sequence]) => sequence[0] === 'email.deferred')!
    expect((await email(twice)).events.map(({ type }) => type)).toEqual([
      'email.deferred',
      'email.deferred',
      'email.delivered',
    ])
  },
)

test('a message that is put off twice is told once for each recipient', async () => {
  const { endpoint, projectApi, config, advance } = await webhookWorld()
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: ['email.deferred', 'email.delivered'] })
  const to = ['deferred+a', 'deferred+b'].map((part) => `${part}@${config.simulatorDomain}`)
  await projectApi.post('email/send', { from: config.sandboxSender, to, subject: 'x', text: 'x' })
  await eventually('both are delivered', async () => {
    if (receiver.heard.filter(({ body }) => body['type'] === 'email.delivered').length === 2) return true
    await advance({ seconds: 1 })
    return false
  })
  for (const recipient of to) {
    const own = receiver.heard.filter(({ body }) => body['recipient'] === recipient)
    expect(own.map(({ body }) => body['type'])).toEqual(['email.deferred', 'email.delivered'])
  }
})

test('a pause is part of the history of an email, and webhooks tell what its server said, once', async () => {
  const here = await mailWorld({ circumstances: steadyPauses, env: { WEBHOOK_ALLOW_HTTP: 'true' } })
  const { projectApi, send, becomes, email, advance } = here
  const receiver = await startReceiver()
  created(await projectApi.post('webhooks', { url: receiver.url, events: ['email.deferred', 'email.delivered'] }))
  await becomes(await send('first@sink.test'), 'delivered')
  const pauses = async (state: 'pause' | 'resume') =>
    expect((await projectApi.post(`queue/mx.sink.test/${state}`)).status).toBe(200)
  await pauses('pause')
  const id = await send('greylist-1@sink.test')
  const happened = async (...kinds: string[]) =>
    eventually(`${id} was ${kinds.join(', ')}`, async () => {
      const { events } = await email(id)
      return (
        JSON.stringify(events.map(({ type, smtp }) => `${type}${smtp === null ? ', paused' : ''}`)) ===
        JSON.stringify(kinds)
      )
    })
  await happened('email.deferred, paused')
  await pauses('resume')
  await happened('email.deferred, paused', 'email.deferred')
  await pauses('pause')
  await advance({ minutes: 5 })
  await happened('email.deferred, paused', 'email.deferred', 'email.deferred, paused')
  await pauses('resume')
  await becomes(id, 'delivered')
  const told = () => receiver.heard.filter(({ body }) => body['recipient'] === 'greylist-1@sink.test')
  await eventually('the delivery is told', () => told().some(({ body }) => body['type'] === 'email.delivered'))
  expect(told().map(({ body }) => body['type'])).toEqual(['email.deferred', 'email.delivered'])
})

test('after a rotation the new secret signs at once, and the old one beside it for a day', async () => {
  const { endpoint, projectApi, advance } = await webhookWorld()
  const receiver = await startReceiver()
  const { id, secret: old } = await endpoint(receiver.url)
  const tell = async () => {
    const before = receiver.heard.length
    await projectApi.post(`webhooks/${id}/test`)
    return eventually('a request', () => receiver.heard[before])
  }
  const first = await tell()
  expect(first.headers['x-service-signature']).toBe(signatureBySpecification(old, first))
  expect(first.headers['webhook-signature']).toBe(standardSignature(old, first))

  const { secret } = (await projectApi.post<Endpoint>(`webhooks/${id}/rotate-secret`)).body
  for (const hours of [0, 23]) {
    await advance({ hours })
    const heard = await tell()
    expect(heard.headers['x-service-signature'], `after ${hours} hours`).toBe(signatureBySpecification(secret, heard))
    expect(heard.headers['webhook-signature'], `after ${hours} hours`).toBe(
      `${standardSignature(secret, heard)} ${standardSignature(old, heard)}`,
    )
  }
  await advance({ hours: 1, minutes: 1 })
  const last = await tell()
  expect(last.headers['x-service-signature']).toBe(signatureBySpecification(secret, last))
  expect(last.headers['webhook-signature']).toBe(standardSignature(secret, last))
})

test('what happens while an endpoint is disabled is never told, nor of kinds that it did not choose', async () => {
  const { endpoint, send, becomes, projectApi, deliveries } = await webhookWorld()
  const receiver = await startReceiver()
  const { id } = await endpoint(receiver.url, { events: ['email.delivered'] })
  await projectApi.patch(`webhooks/${id}`, { enabled: false })
  await becomes(await send('delivered+1'), 'delivered')
  await projectApi.patch(`webhooks/${id}`, { enabled: true })
  await becomes(await send('bounced'), 'bounced')
  const email = await send('delivered+2')
  await eventually('the last is told', () => receiver.heard.length > 0)
  await eventually('and written down', async () => (await deliveries({ id }, '?status=delivered')).length > 0)
  expect(receiver.heard.map(({ body }) => [body['messageId'], body['type']])).toEqual([[email, 'email.delivered']])
  expect(await deliveries({ id })).toHaveLength(1)
})
