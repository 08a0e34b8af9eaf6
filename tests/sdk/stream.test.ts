import { expect, test } from 'vitest'
import { createClient, NetworkError } from '../../packages/sdk/src/index.ts'
import { eventually } from '../support/eventually.ts'
import { liveWorld } from '../support/live.ts'
import { simulated } from '../contract/requests.ts'

test('events come as they happen, with their types, until one side ends the stream', async () => {
  const here = await liveWorld()
  const { call, stream } = createClient({ baseUrl: here.api.url, key: here.projectApi.key ?? '' })
  const events = await stream('GET /live', { query: { topics: 'emails' } })
  const hello = (await events.next()).value
  expect(hello?.event === 'hello' && hello.data.version).toBe('9.9.9')
  expect((await events.next()).value).toMatchObject({ event: 'change', data: { topic: 'emails', more: 0 } })
  const sent = await call('POST /email/send', { body: simulated })
  here.pass(15_000)
  await here.look()
  here.pass(15_000)
  await here.look()
  expect((await events.next()).value).toMatchObject({ data: { newestId: 'id' in sent ? sent.id : '', more: 1 } })
  here.live.stop()
  expect(await events.next()).toEqual({ done: true, value: undefined })
})

test('a refusal is thrown before the first event, and leaving ends the stream', async () => {
  const here = await liveWorld()
  const { stream } = createClient({ baseUrl: here.api.url, key: here.projectApi.key ?? '' })
  await expect(stream('GET /live', { query: { topics: 'weather' } })).rejects.toMatchObject({
    code: 'validation_error',
  })
  const leaving = new AbortController()
  const events = await stream('GET /live', { query: { topics: 'overview' }, signal: leaving.signal })
  await events.next()
  await events.next()
  const next = events.next()
  leaving.abort(new Error('enough'))
  await expect(next).rejects.toThrow('enough')
  const others = await stream('GET /live', { query: { topics: 'overview' } })
  await others.next()
  await others.return()
  await eventually('nobody watches', () => !here.isLooking())
})

test('a stream that breaks off is an error of the network', async () => {
  const half = async () =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('event: hello\ndata: {"version":"1","at":"x"}\n\nevent: ch'))
        },
        pull: (controller) => controller.error(new Error('cut')),
      }),
    )
  const { stream } = createClient({ fetch: half })
  const events = await stream('GET /live', { query: { topics: 'overview' } })
  expect((await events.next()).value).toEqual({ event: 'hello', data: { version: '1', at: 'x' } })
  await expect(events.next()).rejects.toBeInstanceOf(NetworkError)
})
