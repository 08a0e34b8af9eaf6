import { request, type ClientRequest } from 'node:http'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from '../../src/process/logger.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Metrics } from '../../src/http/metrics.ts'
import { RateLimiter } from '../../src/http/rate-limit.ts'
import { route } from '../../src/http/route.ts'
import { createServer } from '../../src/http/server.ts'
import type { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { world } from '../support/world.ts'

const MB = 1024 * 1024

/** Takes anything, and says how much text there was. */
const measure = () =>
  route({
    method: 'POST',
    path: '/toys/anything',
    scope: 'projects:write',
    context: 'workspace',
    summary: 'Measure a text.',
    bodyLimit: 64 * MB,
    body: Type.Record(Type.String(), Type.Unknown()),
    reply: { 200: Type.Object({ length: Type.Integer() }) },
    handle: async ({ body }) => ({ length: String(body['text']).length }),
  })

const post = (api: Client, body: string) =>
  api.request('POST', 'toys/anything', { body: Buffer.from(body), headers: { 'content-type': 'application/json' } })

test.each([
  ['numbers', `{"a":[${'0,'.repeat(120_000)}0]}`],
  ['empty objects', `{"a":[${'{},'.repeat(60_000)}0]}`],
  ['lists', `{"a":[${'[],'.repeat(60_000)}0]}`],
  ['numbers behind a text that ends with a backslash', `{"t":"x\\\\","a":[${'0,'.repeat(120_000)}0]}`],
])('a body of more values than anybody means is refused before they are made: %s', async (_, body) => {
  const { api } = await world({ routes: () => [measure()] })
  const reply = await post(api, body)
  expect(reply).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  expect(reply.body['error']).toContain('values')
})

test.each([
  ['commas and brackets', ',[{'],
  ['quotation marks', String.raw`\",`],
  ['backslashes', String.raw`\\`],
])('what a text is made of does not count as values: %s', async (_, piece) => {
  const { api } = await world({ routes: () => [measure()] })
  expect(await post(api, `{"text":"${piece.repeat(200_000)}","b":[1,2]}`)).toMatchObject({ status: 200 })
})

test('an object with more fields than anybody means is refused', async () => {
  const { api } = await world({ routes: () => [measure()] })
  const fields = Array.from({ length: 10_001 }, (_, i) => `"f${i}":0`)
  expect(await post(api, `{${fields.join()}}`)).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  expect(await post(api, `{${fields.slice(1).join()}}`)).toMatchObject({ status: 200 })
})

test('a refusal is small, however many problems a body has and however long its names are', async () => {
  const { api } = await world({ routes: () => [measure()] })
  for (const levels of [1, 18]) {
    const names = `{"${'k'.repeat(500_000 / levels)}":`.repeat(levels)
    const reply = await post(api, `${names}[${String.raw`"\u0000",`.repeat(50_000)}0]${'}'.repeat(levels)}`)
    expect(reply).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(JSON.stringify(reply.body).length).toBeLessThan(50_000)
  }
})

test('so is one of a query with thousands of names that cannot be stored', async () => {
  const { api } = await world()
  const names = Array.from({ length: 1_700 }, (_, i) => `%00${i.toString(36)}`)
  const { status, body } = await api.get<{ details: unknown[] }>(`health?z=+&${names.join('&')}`)
  expect(status).toBe(400)
  expect(body.details.length).toBeLessThan(1_200)
})

/** A server with room for little, and somebody who sends a part of a body and then waits. */
async function narrow() {
  const here = await world()
  const server = createServer({
    routes: [measure()],
    identify: here.services.keyIdentifier.identify,
    rateLimiter: new RateLimiter(here.db, { perSecond: 0, burst: 0 }, systemClock),
    metrics: new Metrics(),
    logger: createLogger('api', 'silent'),
    bodyRoom: { bytes: 5 * MB, bytesPerKey: 3 * MB },
  })
  onTestFinished(() => server.close())
  onTestFinished(() => server.server.closeAllConnections())
  const url = new URL('/api/v1/toys/anything', await server.listen({ host: '127.0.0.1', port: 0 }))
  const headersOf = ({ key }: Client) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })
  return {
    here,
    /** Announces a large body, sends so much of it and waits; comes again when there is no room yet. */
    hold: (client: Client, bytes: number): { end(): void } => {
      let sending: ClientRequest | undefined
      const begin = (): void => {
        const headers = { ...headersOf(client), 'content-length': 64 * MB }
        sending = request(url, { method: 'POST', headers }, begin).on('error', () => {})
        sending.write(Buffer.alloc(bytes, ' '))
      }
      begin()
      onTestFinished(() => void sending?.destroy())
      return { end: () => void sending?.destroy() }
    },
    /** A whole body of this size; how it is answered. */
    send: async (client: Client, bytes: number): Promise<number> => {
      const body = `{"text":"${'x'.repeat(bytes - 11)}"}`
      const answer = await fetch(url, { method: 'POST', headers: headersOf(client), body }).catch(() => undefined)
      return answer?.status ?? 503
    },
  }
}

test('large bodies share what room there is: one too many is told to come again, and a small one always fits', async () => {
  const { here, hold, send } = await narrow()
  const [ann, bob, carl] = [
    await here.clientWith({ scopes: ['*'] }),
    await here.clientWith({ scopes: ['*'] }),
    await here.clientWith({ scopes: ['*'] }),
  ]
  const held = [hold(ann, 3.5 * MB), hold(bob, 3.5 * MB)]
  await eventually('there is no room left', async () => (await send(carl, 3 * MB)) === 503)
  expect(await send(carl, 0.9 * MB)).toBe(200)
  for (const { end } of held) end()
  await eventually('there is room again', async () => (await send(carl, 3 * MB)) === 200)
})

test('nobody takes all of the room, and what is only announced takes none', async () => {
  const { here, hold, send } = await narrow()
  const [ann, bob] = [await here.clientWith({ scopes: ['*'] }), await here.clientWith({ scopes: ['*'] })]
  const announced = Array.from({ length: 5 }, () => hold(ann, 1_000))
  expect(await send(bob, 3 * MB)).toBe(200)
  for (const { end } of announced) end()
  hold(ann, 3.5 * MB)
  await eventually('one key has what it may have', async () => (await send(ann, 3 * MB)) === 503)
  expect(await send(bob, 3 * MB)).toBe(200)
})
