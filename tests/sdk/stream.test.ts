import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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

/** A server that does with every call what it is told to. */
async function serverThat(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const HELLO = 'event: hello\ndata: {"version":"1","at":"x"}\n\n'

test('a stream that goes silent is given up, before its first event too, and its connection is closed', async () => {
  let closed = 0
  const baseUrl = await serverThat((request, response) => {
    request.socket.on('close', () => closed++)
    if (request.url?.includes('overview') === true) response.write(HELLO)
  })
  const { stream } = createClient({ baseUrl })
  const events = await stream('GET /live', { query: { topics: 'overview' }, maxSilenceMs: 1_000 })
  expect((await events.next()).value).toMatchObject({ event: 'hello' })
  await expect(events.next()).rejects.toBeInstanceOf(NetworkError)
  await expect(stream('GET /live', { query: { topics: 'queue' }, maxSilenceMs: 50 })).rejects.toThrow('silent')
  await eventually('both connections are closed', () => closed === 2)
})

test('comments keep a stream open on which nothing else comes', async () => {
  const baseUrl = await serverThat((_, response) => {
    let comments = 0
    const timer = setInterval(() => response.write(++comments < 8 ? ':\n\n' : HELLO), 500)
    response.on('close', () => clearInterval(timer))
  })
  const { stream } = createClient({ baseUrl })
  const events = await stream('GET /live', { query: { topics: 'overview' }, maxSilenceMs: 3_000 })
  expect((await events.next()).value).toMatchObject({ event: 'hello' })
  await events.return()
})
