import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { addCarrierCallbacks } from '../../src/app/carrier-callbacks.ts'
import { createLogger } from '../../src/process/logger.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import { LinkHosts } from '../../src/links/hosts.ts'
import { addLinks } from '../../src/links/server.ts'
import { keysOf, linksOf, mailed } from '../links/link-world.ts'
import { milliseconds } from '../support/eventually.ts'
import { connectionsFile } from '../support/sms-live.ts'
import { world, type World } from '../support/world.ts'

/** Instead of half a minute. */
const PATIENCE_MS = 400
/** Between two drops. */
const DROP_MS = 50
const LETTERS = 12

/** Says how many bytes came, of JSON and of a file; over the file it may think. */
const counting = (thinkMs: number) => [
  route({
    method: 'POST',
    path: '/toys/json',
    scope: null,
    context: 'none',
    summary: 'Measure a text.',
    body: Type.Object({ text: Type.String() }, { additionalProperties: false }),
    reply: { 200: Type.Object({ length: Type.Integer() }) },
    handle: async ({ body }) => ({ length: body.text.length }),
  }),
  route({
    method: 'POST',
    path: '/toys/file',
    scope: null,
    context: 'none',
    summary: 'Measure a file.',
    uploads: ['text/csv'],
    reply: { 200: Type.Object({ length: Type.Integer() }) },
    handle: async ({ upload }) => {
      let length = 0
      for await (const chunk of upload.bytes) {
        length += chunk.length
        await sleep(thinkMs)
      }
      return { length }
    },
  }),
]

interface Door {
  thinkMs?: number
  env?: Record<string, string>
  /** What else is behind it. */
  add?(server: FastifyInstance, here: World): void | Promise<void>
}

/** A server with little patience. */
async function door({ thinkMs = 0, env = {}, add }: Door = {}) {
  const here = await world({ env })
  const logs: string[] = []
  const server = createServer({
    routes: counting(thinkMs),
    identify: here.services.keyIdentifier.identify,
    rateLimiter: new RateLimiter(here.db, { perSecond: 0, burst: 0 }, systemClock),
    metrics: new Metrics(),
    logger: createLogger('api', 'debug', { write: (line) => void logs.push(line) }),
    bodyPatienceMs: PATIENCE_MS,
  })
  await add?.(server, here)
  onTestFinished(() => server.close())
  const { hostname, port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  /** Begins to post a body that comes in chunks. */
  const post = (path: string, type: string): Socket => {
    const socket = connect(Number(port), hostname).on('error', () => {})
    onTestFinished(() => void socket.destroy())
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
    )
    return socket
  }
  return { here, logs, post }
}

const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
const END = '0\r\n\r\n'

/** Letter by letter, never silent for long, until all is said or nobody listens any more. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const letter of text) {
    if (socket.destroyed || socket.readableEnded) return
    socket.write(chunk(letter))
    await sleep(DROP_MS)
  }
  socket.write(END)
}

/** Everything that is said until the connection ends. */
async function answer(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (data: Buffer) => (text += data.toString()))
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve))
  return text
}

const JSON_TYPE = 'application/json'

test('a body that comes in drops is refused when its time is over, though its sender is never silent', async () => {
  const { post } = await door()
  const socket = post('/api/v1/toys/json', JSON_TYPE)
  let text = ''
  const took = await milliseconds(async () => {
    void drip(socket, JSON.stringify({ text: 'x'.repeat(100) }))
    text = await answer(socket)
  })
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"validation_error"/)
  expect(took).toBeGreaterThanOrEqual(PATIENCE_MS - 20)
  // And one that is in time is not.
  const quick = post('/api/v1/toys/json', JSON_TYPE)
  quick.write(chunk('{"text":') + chunk('"abc"}') + END)
  expect(await answer(quick)).toMatch(/^HTTP\/1\.1 200 [^]*\{"length":3\}/)
})

test('a body that stops half-way is refused when its time is over', async () => {
  const { post } = await door()
  const socket = post('/api/v1/toys/json', JSON_TYPE)
  socket.write(chunk('{"text":'))
  expect(await answer(socket)).toMatch(/^HTTP\/1\.1 400 [^]*"code":"validation_error"/)
})

test('an upload may take longer than any silence within it', async () => {
  const { post } = await door()
  const socket = post('/api/v1/toys/file', 'text/csv')
  const took = await milliseconds(async () => {
    await Promise.all([
      drip(socket, 'x'.repeat(LETTERS)),
      expect(answer(socket)).resolves.toMatch(new RegExp(`^HTTP/1.1 200 [^]*"length":${LETTERS}\\}`)),
    ])
  })
  expect(took).toBeGreaterThan(PATIENCE_MS)
})

test('an upload that falls silent is given up, and its sender hears so', async () => {
  const { post, logs } = await door()
  const socket = post('/api/v1/toys/file', 'text/csv')
  socket.write(chunk('email\n'))
  let text = ''
  const took = await milliseconds(async () => (text = await answer(socket)))
  expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"validation_error"[^]*did not come to its end/)
  expect(took).toBeGreaterThanOrEqual(PATIENCE_MS - 20)
  expect(logs.filter((line) => line.includes('request failed'))).toEqual([])
})

test('an upload that never says anything is given up as well', async () => {
  const { post } = await door()
  expect(await answer(post('/api/v1/toys/file', 'text/csv'))).toMatch(/^HTTP\/1\.1 400 [^]*did not come to its end/)
})

test('the time in which we are busy with an upload is not the sender’s silence', async () => {
  const { post } = await door({ thinkMs: PATIENCE_MS + 100 })
  const socket = post('/api/v1/toys/file', 'text/csv')
  socket.write(chunk('abc') + END)
  expect(await answer(socket)).toMatch(/^HTTP\/1\.1 200 [^]*"length":3\}/)
})

test('a form that comes in drops is cut off, and unsubscribes nobody', async () => {
  const { here, post } = await door({
    add: (server, { services }) => {
      const { preferences, engagement } = services
      const log = createLogger('api', 'silent')
      const hosts = new LinkHosts({ own: 'x', load: async () => [], clock: systemClock, log })
      addLinks(server, {
        keys: () => keysOf({ services }),
        preferences,
        engagement,
        hosts,
        log,
        bodyPatienceMs: PATIENCE_MS,
      })
    },
  })
  const mail = await mailed(here)
  const { pathname } = new URL(linksOf(here).unsubscribe(mail))
  const socket = post(pathname, 'application/x-www-form-urlencoded')
  const form = 'List-Unsubscribe=One-Click'
  void drip(socket, form)
  expect(await answer(socket)).toBe('')
  const path = `audiences/${mail.audience}/contacts/${mail.contact.id}`
  expect((await here.projectApi.get(path)).body).toMatchObject({ subscribed: true })
  const quick = post(pathname, 'application/x-www-form-urlencoded')
  quick.write(chunk(form) + END)
  expect(await answer(quick)).toMatch(/^HTTP\/1\.1 200 /)
  expect((await here.projectApi.get(path)).body).toMatchObject({ subscribed: false })
})

test('a callback of a carrier that comes in drops is cut off, and nobody looks at its signature', async () => {
  const connection = {
    kind: 'http',
    baseUrl: 'http://127.0.0.1:1',
    accountSid: 'AC1',
    authToken: 'secret',
    callbacks: true,
    maxPartsPerSecond: 1,
  }
  const { post } = await door({
    env: {
      SMS_LIVE_ENABLED: 'true',
      SMS_CONNECTIONS_FILE: connectionsFile({ main: connection }),
      PUBLIC_URL: 'https://sms.example.com',
    },
    add: (server, { services }) =>
      addCarrierCallbacks(server, services, systemClock, createLogger('api', 'silent'), PATIENCE_MS),
  })
  const path = '/carrier/http/main/status'
  const form = 'MessageSid=SM1&MessageStatus=delivered'
  const socket = post(path, 'application/x-www-form-urlencoded')
  void drip(socket, form)
  expect(await answer(socket)).toBe('')
  const quick = post(path, 'application/x-www-form-urlencoded')
  quick.write(chunk(form) + END)
  expect(await answer(quick)).toMatch(/^HTTP\/1\.1 403 /)
})
