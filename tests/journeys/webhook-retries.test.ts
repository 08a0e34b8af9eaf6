import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { answers, startReceiver } from '../support/receiver.ts'
import { webhookWorld, type Delivery, type Endpoint } from '../support/webhooks.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const pauses = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]

/** Between the beginning of an attempt and the moment when its outcome is written down. */
const MAX_OVERHEAD = 3 * SECOND

test('what is never acknowledged is tried ten times, with pauses that grow, and then failed for good', async () => {
  const { endpoint, delivery, projectApi, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(503) })
  const hook = await endpoint(receiver.url)
  await projectApi.post(`webhooks/${hook.id}/test`)
  for (const [n, pause] of pauses.entries()) {
    const { status, attempts, nextAttemptAt } = await delivery(hook, `attempt ${n + 1}`, tried(n + 1))
    expect(status).toBe('pending')
    const waits = Date.parse(nextAttemptAt!) - Date.parse(attempts.at(-1)!.at)
    expect(waits, `after attempt ${n + 1}`).toBeGreaterThanOrEqual(0.8 * pause)
    expect(waits, `after attempt ${n + 1}`).toBeLessThanOrEqual(1.2 * pause + MAX_OVERHEAD)
    await advance({ seconds: waits / SECOND + 1 })
  }
  const over = await delivery(hook, 'the last attempt', tried(10))
  expect(over).toMatchObject({ status: 'failed', attemptCount: 10, nextAttemptAt: null, endedAt: expect.any(String) })
  expect(over.attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await advance({ hours: 48 })
  // Who is told of something else afterwards is not told of this.
  receiver.behave(answers(200))
  const { body: other } = await projectApi.post<Delivery>(`webhooks/${hook.id}/test`)
  await delivery(hook, 'another event', ({ id, status }) => id === other.id && status === 'delivered')
  expect(receiver.heard).toHaveLength(11)
  expect(receiver.heard.map(({ headers }) => Number(headers['x-service-attempt']))).toEqual([
    ...over.attempts.map(({ number }) => number),
    1,
  ])
})

test('a replay of what failed for good starts the pauses anew, and goes on counting', async () => {
  const { endpoint, delivery, projectApi, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(410) })
  const hook = await endpoint(receiver.url)
  const { body } = await projectApi.post<Delivery>(`webhooks/${hook.id}/test`)
  await delivery(hook, 'it failed', ({ status }) => status === 'failed')
  await projectApi.patch(`webhooks/${hook.id}`, { enabled: true })
  receiver.behave(answers(500))
  await projectApi.post(`webhooks/${hook.id}/deliveries/${body.id}/replay`)
  const { attempts, nextAttemptAt } = await delivery(hook, 'a second attempt', tried(2))
  const waits = Date.parse(nextAttemptAt!) - Date.parse(attempts[1]!.at)
  expect(waits).toBeGreaterThanOrEqual(0.8 * pauses[0]!)
  expect(waits).toBeLessThanOrEqual(1.2 * pauses[0]! + MAX_OVERHEAD)
  await advance({ seconds: 10 })
  expect((await delivery(hook, 'a third attempt', tried(3))).attempts.map(({ number }) => number)).toEqual([1, 2, 3])
})

test('who answers 410 is disabled with a reason: what waits is dropped, and nothing comes any more', async () => {
  const { endpoint, delivery, deliveries, projectApi, send, becomes, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(500) })
  const [hook, other] = [await endpoint(receiver.url), await endpoint((await startReceiver()).url)]
  await projectApi.post(`webhooks/${hook.id}/test`)
  const waiting = await delivery(hook, 'an attempt', tried(1))
  receiver.behave(answers(410))
  await projectApi.post(`webhooks/${hook.id}/test`)
  const last = await delivery(hook, 'it failed', ({ status }) => status === 'failed')
  expect(last).toMatchObject({ attempts: [{ status: 410, error: 'answered 410' }], nextAttemptAt: null })
  expect(await deliveries(hook)).toMatchObject([
    { id: last.id },
    { id: waiting.id, status: 'dropped', attemptCount: 1 },
  ])
  expect((await projectApi.get(`webhooks/${hook.id}`)).body).toMatchObject({
    enabled: false,
    disabledReason: expect.stringMatching(/410/),
  })
  await becomes(await send('delivered'), 'delivered')
  await delivery(other, 'the other endpoint hears of it', ({ status }) => status === 'delivered')
  await advance({ hours: 1 })
  expect(await deliveries(hook)).toHaveLength(2)
  expect(receiver.heard).toHaveLength(2)
})

test.each([
  ['in seconds', (): string => '1800'],
  ['as a date', (): string => new Date(Date.now() + 1_800 * SECOND).toUTCString()],
])('who asks for patience %s gets it, for all that it should be told', async (_form, ask) => {
  const retryAfter = ask()
  const { endpoint, delivery, deliveries, projectApi, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(429, { 'retry-after': retryAfter }) })
  const hook = await endpoint(receiver.url)
  const other = await startReceiver()
  const otherHook = await endpoint(other.url)
  const test = async ({ id }: Endpoint): Promise<string> =>
    (await projectApi.post<Delivery>(`webhooks/${id}/test`)).body.id
  await test(hook)
  const { attempts, nextAttemptAt } = await delivery(hook, 'an attempt', tried(1))
  expect(attempts).toMatchObject([{ status: 429, error: 'answered 429' }])
  const isDate = retryAfter.endsWith('GMT')
  const asked = isDate ? Date.parse(retryAfter) : Date.parse(attempts[0]!.at) + 1_800 * SECOND
  expect(Date.parse(nextAttemptAt!)).toBeGreaterThanOrEqual(asked)

  receiver.behave(answers(200))
  await test(hook)
  await advance({ seconds: 1_700 })
  const heard = await test(otherHook)
  await delivery(otherHook, 'others are told', ({ id, status }) => id === heard && status === 'delivered')
  expect(receiver.heard).toHaveLength(1)
  expect((await deliveries(hook)).map(({ status, attemptCount }) => [status, attemptCount])).toEqual([
    ['pending', 0],
    ['pending', 1],
  ])
  await advance({ seconds: 110 })
  await eventually('both are told', async () => (await deliveries(hook, '?status=delivered')).length === 2)
  expect(receiver.heard).toHaveLength(3)
})

test('nobody can ask for more patience than a day, and nonsense is not asked for', async () => {
  const { endpoint, delivery, projectApi } = await webhookWorld()
  const asked = { '99999999999': 24 * HOUR, 'Fri, 31 Dec 9999 23:59:59 GMT': 24 * HOUR, soon: 0, '-5': 0, '0': 0 }
  for (const [retryAfter, least] of Object.entries(asked)) {
    const receiver = await startReceiver({ behaviour: answers(503, { 'retry-after': retryAfter }) })
    const hook = await endpoint(receiver.url)
    await projectApi.post(`webhooks/${hook.id}/test`)
    const { attempts, nextAttemptAt } = await delivery(hook, 'an attempt', tried(1))
    const waits = Date.parse(nextAttemptAt!) - Date.parse(attempts[0]!.at)
    expect(waits, retryAfter).toBeGreaterThanOrEqual(least || 4 * SECOND)
    expect(waits, retryAfter).toBeLessThanOrEqual((least || 6 * SECOND) + MAX_OVERHEAD)
  }
})

test('five days of nothing but failures disable an endpoint with a reason; one success among them starts anew', async () => {
  const { endpoint, delivery, deliveries, projectApi, advance, startWorker } = await webhookWorld({ workers: 0 })
  const receivers = [await startReceiver({ behaviour: answers(500) }), await startReceiver({ behaviour: answers(500) })]
  const [broken, shaky] = [await endpoint(receivers[0]!.url), await endpoint(receivers[1]!.url)]
  const enabled = async ({ id }: Endpoint) => (await projectApi.get<Endpoint>(`webhooks/${id}`)).body
  const test = async (): Promise<void> => {
    // A new one each time, which remembers no failure and makes no pause: what failed before is tried again as well.
    const worker = await startWorker()
    for (const hook of [broken, shaky]) {
      const { body } = await projectApi.post<Delivery>(`webhooks/${hook.id}/test`)
      await delivery(hook, 'an attempt', ({ id, attempts }) => id === body.id && attempts.length > 0)
    }
    await worker.stop()
  }
  await test()
  await advance({ hours: 40 })
  receivers[1]!.behave(answers(200))
  await test()
  receivers[1]!.behave(answers(500))
  await advance({ hours: 40 })
  await test()
  await advance({ hours: 39 })
  await test()
  // Four days and 23 hours.
  expect(await enabled(broken)).toMatchObject({ enabled: true, disabledReason: null })
  await advance({ hours: 2 })
  await startWorker()
  for (const { id } of [broken, shaky]) await projectApi.post(`webhooks/${id}/test`)
  await eventually('the broken one is disabled', async () => !(await enabled(broken)).enabled)
  expect((await enabled(broken)).disabledReason).toMatch(/5 days/)
  await eventually('nothing waits for it', async () => (await deliveries(broken, '?status=pending')).length === 0)
  expect(await enabled(shaky)).toMatchObject({ enabled: true, disabledReason: null })
})

test('what is under way when its endpoint is disabled is not tried again', async () => {
  const { endpoint, deliveries, projectApi } = await webhookWorld()
  const asked = Promise.withResolvers<() => void>()
  const receiver = await startReceiver({
    behaviour: (_, response) => asked.resolve(() => void response.writeHead(503, { 'retry-after': '3600' }).end()),
  })
  const hook = await endpoint(receiver.url)
  await projectApi.post(`webhooks/${hook.id}/test`)
  const fail = await asked.promise
  expect((await projectApi.patch(`webhooks/${hook.id}`, { enabled: false })).status).toBe(200)
  fail()
  await eventually('it has come to its end', async () => (await deliveries(hook, '?status=pending')).length === 0)
  expect(receiver.heard).toHaveLength(1)
})

test('a failure long after the last one is the first of its kind', async () => {
  const { endpoint, delivery, projectApi, advance } = await webhookWorld()
  const receiver = await startReceiver({ behaviour: answers(500) })
  const hook = await endpoint(receiver.url)
  await projectApi.post(`webhooks/${hook.id}/test`)
  await delivery(hook, 'a failure', tried(1))
  await advance({ hours: 6 * 24 })
  await delivery(hook, 'another failure', tried(2))
  expect((await projectApi.get<Endpoint>(`webhooks/${hook.id}`)).body.enabled).toBe(true)
})

const tried =
  (times: number) =>
  ({ attemptCount }: Delivery): boolean =>
    attemptCount === times
