import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver, type Behaviour } from '../support/receiver.ts'
import { webhookWorld, type Delivery, type WebhookWorld } from '../support/webhooks.ts'

const url = 'https://hooks.example.com/'

test('a test event is queued like any other, of the kind that was asked for', async () => {
  const { endpoint, projectApi, projectId, config } = await webhookWorld({ workers: 0 })
  const { id } = await endpoint(url, { events: ['email.bounced', 'email.delivered'] })
  const { status, body } = await projectApi.post<Delivery>(`webhooks/${id}/test`)
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.stringMatching(/^whd_/),
    projectId,
    eventId: expect.stringMatching(/^evt_/),
    type: 'email.bounced',
    status: 'pending',
    payload: {
      type: 'email.bounced',
      messageId: expect.stringMatching(/^em_/),
      recipient: `test@${config.simulatorDomain}`,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      detail: expect.stringMatching(/test/),
      accountId: expect.stringMatching(/^acc_/),
    },
    attemptCount: 0,
    attempts: [],
    nextAttemptAt: expect.any(String),
    createdAt: expect.any(String),
    endedAt: null,
  })
  expect((await projectApi.get(`webhooks/${id}/deliveries/${body.id}`)).body).toEqual({ ...body, requestHeaders: null })
  // Also one that the endpoint is not subscribed to: who asks for it wants to see it.
  expect((await projectApi.post(`webhooks/${id}/test`, { type: 'email.clicked' })).body).toMatchObject({
    type: 'email.clicked',
    payload: { type: 'email.clicked' },
  })
  expect(await projectApi.post(`webhooks/${id}/test`, { type: 'email.sent' })).toMatchObject({
    status: 400,
    body: { details: [{ path: '/type' }] },
  })
})

test('a disabled endpoint is neither tested nor sent anything again', async () => {
  const { endpoint, projectApi, deliveries } = await webhookWorld({ workers: 0 })
  const { id } = await endpoint(url)
  const { body: delivery } = await projectApi.post<Delivery>(`webhooks/${id}/test`)
  await projectApi.patch(`webhooks/${id}`, { enabled: false })
  for (const path of ['test', 'deliveries/replay', `deliveries/${delivery.id}/replay`]) {
    const refusal = { status: 409, body: { code: 'invalid_state', state: 'disabled' } }
    expect(await projectApi.post(`webhooks/${id}/${path}`), path).toMatchObject(refusal)
  }
  expect(await deliveries({ id })).toMatchObject([{ id: delivery.id, status: 'dropped' }])
})

test('the log is filtered by status, kind and time, and read a page at a time', async () => {
  const { hook, all, projectApi, deliveries } = await oneOfEach()
  const { delivered, failed, dropped, pending } = all
  const ids = async (query: string): Promise<string[]> => (await deliveries(hook, query)).map(({ id }) => id)
  expect(await ids('')).toEqual([pending.id, failed.id, dropped.id, delivered.id])
  for (const status of ['delivered', 'failed', 'dropped', 'pending'] as const) {
    expect(await ids(`?status=${status}`), status).toEqual([all[status].id])
  }
  expect(await ids('?type=email.bounced')).toEqual([failed.id])
  expect(await ids('?type=email.bounced&status=delivered')).toEqual([])
  expect(await ids(`?createdAfter=${justAfter(dropped)}`)).toEqual([pending.id, failed.id])
  const zoned = encodeURIComponent(dropped.createdAt.replace('Z', '+00:00'))
  expect(await ids(`?createdBefore=${zoned}`)).toEqual([delivered.id])
  expect(await ids(`?createdAfter=${justAfter(delivered)}&createdBefore=${failed.createdAt}`)).toEqual([dropped.id])

  type Paged = { data: Delivery[]; hasMore: boolean; nextCursor: string | null }
  const first = (await projectApi.get<Paged>(`webhooks/${hook.id}/deliveries?limit=3`)).body
  expect(first.data.map(({ id }) => id)).toEqual([pending.id, failed.id, dropped.id])
  await projectApi.post(`webhooks/${hook.id}/test`)
  const path = `webhooks/${hook.id}/deliveries?limit=3&cursor=${first.nextCursor}`
  const second = (await projectApi.get<Paged>(path)).body
  expect(second).toMatchObject({ data: [{ id: delivered.id }], hasMore: false, nextCursor: null })

  for (const query of [
    'status=lost',
    'type=email.sent',
    'createdAfter=yesterday',
    'createdBefore=2026-01-01T00:00:00',
  ]) {
    expect(await projectApi.get(`webhooks/${hook.id}/deliveries?${query}`), query).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    })
  }
})

test('one delivery is sent again, whatever became of it: the same event under the same name', async () => {
  const { hook, all, projectApi, receiver } = await oneOfEach()
  receiver.behave(answers(200))
  for (const { id, attemptCount } of Object.values(all)) {
    const before = receiver.heard.length
    const { status, body } = await projectApi.post<Delivery>(`webhooks/${hook.id}/deliveries/${id}/replay`)
    expect({ status, body }).toMatchObject({ status: 202, body: { id, status: 'pending', attemptCount } })
    const path = `webhooks/${hook.id}/deliveries/${id}`
    const again = await eventually(`${id} is delivered again`, async () => {
      const found = (await projectApi.get<Delivery>(path)).body
      return found.status === 'delivered' && found.attemptCount > attemptCount && found
    })
    expect(again.attempts).toHaveLength(attemptCount + 1)
    expect(receiver.heard.slice(before)).toMatchObject([
      { headers: { 'x-service-delivery': id, 'x-service-attempt': String(attemptCount + 1) }, body: again.payload },
    ])
  }
  const unknown = await projectApi.post(`webhooks/${hook.id}/deliveries/whd_01h455vb4pex5vsknk084sn02q/replay`)
  expect(unknown.status).toBe(404)
})

test('all that did not arrive is sent again in one call, and nothing that did', async () => {
  const { hook, all, projectApi, receiver, heardAgain } = await oneOfEach()
  receiver.behave(answers(200))
  const before = receiver.heard.length
  const reply = await projectApi.post(`webhooks/${hook.id}/deliveries/replay`)
  expect(reply).toMatchObject({ status: 202, body: { id: hook.id, deliveries: 2 } })
  expect(await heardAgain(before, 2)).toEqual(new Set([all.dropped.id, all.failed.id]))
})

test('a stretch of time is sent again, with what arrived only if asked for', async () => {
  const { hook, all, projectApi, receiver, heardAgain } = await oneOfEach()
  receiver.behave(answers(200))
  const { delivered, dropped, failed } = all
  const again = (body: object) => projectApi.post(`webhooks/${hook.id}/deliveries/replay`, body)
  let before = receiver.heard.length
  const narrow = { createdAfter: justAfter(delivered), createdBefore: failed.createdAt }
  expect((await again(narrow)).body).toMatchObject({ deliveries: 1 })
  expect(await heardAgain(before, 1)).toEqual(new Set([dropped.id]))

  before = receiver.heard.length
  expect((await again({ status: 'any', createdBefore: failed.createdAt })).body).toMatchObject({ deliveries: 2 })
  expect(await heardAgain(before, 2)).toEqual(new Set([delivered.id, dropped.id]))

  before = receiver.heard.length
  expect((await again({ status: 'delivered' })).body).toMatchObject({ deliveries: 2 })
  expect(await heardAgain(before, 2)).toEqual(new Set([delivered.id, dropped.id]))
  expect(await again({ status: 'pending' })).toMatchObject({ status: 400, body: { details: [{ path: '/status' }] } })
  expect(await again({ createdAfter: 'x' })).toMatchObject({ status: 400, body: { code: 'validation_error' } })
})

const byKind: Behaviour = (request, response, heard) => {
  const status = { 'email.delivered': 200, 'email.bounced': 410 }[heard.body['type'] ?? ''] ?? 500
  answers(status)(request, response, heard)
}

/** What is shown ends with the milliseconds; the moment itself may be a little later. */
const justAfter = ({ createdAt }: Dated): string => new Date(Date.parse(createdAt) + 1).toISOString()

type Dated = Delivery & { createdAt: string }

/** An endpoint with one delivery in each state; in the order of time: delivered, dropped, failed, pending. */
async function oneOfEach() {
  const here = await webhookWorld()
  const { endpoint, projectApi } = here
  const receiver = await startReceiver({ behaviour: byKind })
  const hook = await endpoint(receiver.url)
  const delivered = await tested(here, hook, 'email.delivered', ({ status }) => status === 'delivered')
  const { id: dropped } = await tested(here, hook, 'email.quarantined', ({ attemptCount }) => attemptCount === 1)
  const failed = await tested(here, hook, 'email.bounced', ({ status }) => status === 'failed')
  await projectApi.patch(`webhooks/${hook.id}`, { enabled: true })
  const pending = await tested(here, hook, 'email.unsubscribed', ({ attemptCount }) => attemptCount === 1)
  const all = {
    delivered,
    dropped: (await projectApi.get<Dated>(`webhooks/${hook.id}/deliveries/${dropped}`)).body,
    failed,
    pending,
  }
  return {
    ...here,
    hook,
    receiver,
    all,
    heardAgain: async (before: number, count: number): Promise<Set<string | undefined>> => {
      await eventually(`${count} more requests`, () => receiver.heard.length >= before + count)
      await eventually('nothing else is on its way', async () => {
        const waiting = await here.deliveries(hook, '?status=pending')
        return waiting.every(({ id }) => id === pending.id)
      })
      return new Set(receiver.heard.slice(before).map(({ headers }) => headers['x-service-delivery']))
    },
  }
}

/** Sends a test event, and waits until it is like this. Each is created in a millisecond of its own. */
async function tested(
  { projectApi }: WebhookWorld,
  { id }: { id: string },
  type: string,
  isSo: (delivery: Delivery) => boolean,
): Promise<Dated> {
  const { body } = await projectApi.post<Delivery>(`webhooks/${id}/test`, { type })
  return eventually(`${type} came to its end`, async () => {
    const { body: found } = await projectApi.get<Dated>(`webhooks/${id}/deliveries/${body.id}`)
    return isSo(found) && found
  })
}
