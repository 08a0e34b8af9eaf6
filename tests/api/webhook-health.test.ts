import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { webhookWorld, type Delivery } from '../support/webhooks.ts'

interface Seen {
  health: {
    lastDeliveredAt: string | null
    failingSince: string | null
    pending: number
    successRate24h: number | null
    p95Ms: number | null
  }
}

test('an endpoint says how it does: also while it is down, when nothing comes to an end', async () => {
  const { endpoint, projectApi, send, delivery } = await webhookWorld()
  const receiver = await startReceiver()
  const hook = await endpoint(receiver.url)
  const health = async () => (await projectApi.get<Seen>(`webhooks/${hook.id}`)).body.health
  expect(await health()).toEqual({
    lastDeliveredAt: null,
    failingSince: null,
    pending: 0,
    successRate24h: null,
    p95Ms: null,
  })
  await send('delivered')
  await delivery(hook, 'it is told', ({ status }) => status === 'delivered')
  const well = await health()
  expect(well).toMatchObject({ failingSince: null, pending: 0, successRate24h: 1, p95Ms: expect.any(Number) })
  expect(Date.now() - Date.parse(well.lastDeliveredAt!)).toBeLessThan(150_000)
  receiver.behave(answers(500))
  await send('delivered')
  await delivery(hook, 'it failed', ({ status, attemptCount }) => status === 'pending' && attemptCount > 0)
  const ill = await health()
  expect(ill).toMatchObject({ lastDeliveredAt: well.lastDeliveredAt, pending: 1 })
  expect(ill.failingSince).not.toBeNull()
  // The failed delivery may have been tried again by now.
  expect(ill.successRate24h).toBeLessThanOrEqual(0.5)
  expect(ill.successRate24h).toBeGreaterThan(0)
})

test('a delivery is shown with the headers that were sent, but for the signatures', async () => {
  const { endpoint, projectApi, send, delivery } = await webhookWorld()
  const receiver = await startReceiver()
  const hook = await endpoint(receiver.url)
  await send('delivered')
  const told = await delivery(hook, 'it is told', ({ status }) => status === 'delivered')
  const { body } = await projectApi.get<Delivery & { requestHeaders: Record<string, string | null> }>(
    `webhooks/${hook.id}/deliveries/${told.id}`,
  )
  const heard = receiver.heard[0]!.headers
  const { 'x-service-signature': ours, 'webhook-signature': standard, ...plain } = body.requestHeaders
  expect([ours, standard]).toEqual([null, null])
  expect(heard).toMatchObject(plain)
  expect(Object.keys(plain).toSorted()).toEqual([
    'content-type',
    'user-agent',
    'webhook-id',
    'webhook-timestamp',
    'x-service-attempt',
    'x-service-delivery',
    'x-service-event',
  ])
})

test('deliveries are found by what they are about: an email, or one of its recipients', async () => {
  const { endpoint, projectApi, config, deliveries } = await webhookWorld()
  const receiver = await startReceiver()
  const hook = await endpoint(receiver.url)
  const at = (local: string): string => `${local}@${config.simulatorDomain}`
  const mail = { from: config.sandboxSender, subject: 'x', text: 'x' }
  const post = async (to: string[]): Promise<string> =>
    (await projectApi.post<{ id: string }>('email/send', { ...mail, to })).body.id
  const [two, one] = [await post([at('delivered'), at('bounced')]), await post([at('delivered')])]
  await eventually('all are told', async () => (await deliveries(hook, '?status=delivered')).length === 3)
  const about = async (id: string, more = ''): Promise<string[]> =>
    (await deliveries(hook, `?messageId=${id}${more}`)).map(({ payload }) => payload['messageId']!).toSorted()
  expect(await about(two)).toEqual([two, `${two}.2`])
  expect(await about(`${two}.2`)).toEqual([`${two}.2`])
  expect(await about(one)).toEqual([one])
  expect(await about(two, '&type=email.bounced')).toEqual([`${two}.2`])
  expect(await about(hook.id)).toEqual([])
  expect(await about('nonsense')).toEqual([])
})
