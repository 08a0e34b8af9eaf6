import { connect } from 'node:net'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { route } from '../../src/http/route.ts'
import type { Client } from '../support/client.ts'
import { world } from '../support/world.ts'

const LIMIT = 300_000

/** Counts what it is sent, and sends what it is asked for. */
const windows = () => [
  route({
    method: 'POST',
    path: '/toys/bytes',
    scope: 'projects:write',
    context: 'workspace',
    summary: 'Count bytes.',
    uploads: ['text/csv', 'application/x-ndjson'],
    bodyLimit: LIMIT,
    reply: { 200: Type.Object({ type: Type.String(), bytes: Type.Integer(), chunks: Type.Integer() }) },
    handle: async ({ upload }) => {
      const counted = { type: upload.type, bytes: 0, chunks: 0 }
      for await (const chunk of upload.bytes) {
        counted.bytes += chunk.length
        counted.chunks++
      }
      return counted
    },
  }),
  route({
    method: 'GET',
    path: '/toys/lines',
    scope: 'projects:read',
    context: 'workspace',
    summary: 'Say lines.',
    query: Type.Object({ fail: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    reply: { 200: Type.String() },
    downloads: ['text/csv'],
    handle: async ({ query }) => ({
      type: 'text/csv',
      filename: 'lines.csv',
      content: lines(query.fail === true),
    }),
  }),
]

async function* lines(fail: boolean): AsyncIterable<string> {
  for (let i = 0; i < 1_000; i++) yield `${i},ü\r\n`
  if (fail) throw new Error('the database is gone')
}

const send = (client: Client, body: Uint8Array | undefined, headers: Record<string, string> = {}) =>
  client.request('POST', 'toys/bytes', { ...(body && { body }), headers })

test('a handler takes a body as it comes, in one of the types that the route names', async () => {
  const { api } = await world({ routes: windows })
  const reply = await send(api, Buffer.alloc(LIMIT, 'x'), { 'content-type': 'Text/CSV; charset=utf-8' })
  expect(reply).toMatchObject({ status: 200, body: { type: 'text/csv', bytes: LIMIT } })
  expect(reply.body['chunks']).toBeGreaterThan(1)
  const other = await send(api, Buffer.from('{}'), { 'content-type': 'application/x-ndjson' })
  expect(other).toMatchObject({ status: 200, body: { type: 'application/x-ndjson', bytes: 2 } })
  expect(await send(api, Buffer.alloc(0), { 'content-type': 'text/csv' })).toMatchObject({ body: { bytes: 0 } })
})

test('another type, an encoding, or none at all is refused, and JSON elsewhere is still JSON', async () => {
  const { api } = await world({ routes: windows })
  const unsupported = { status: 415, body: { code: 'unsupported_media_type' } }
  expect(await send(api, undefined)).toMatchObject(unsupported)
  for (const type of ['application/json', 'text/plain', 'text/csvx', ';', '']) {
    expect(await send(api, Buffer.from('x'), { 'content-type': type }), type).toMatchObject(unsupported)
  }
  const encoded = { 'content-type': 'text/csv', 'content-encoding': 'gzip' }
  expect(await send(api, Buffer.from('x'), encoded)).toMatchObject(unsupported)
  const elsewhere = await api.request('POST', 'projects', { body: 'name', headers: { 'content-type': 'text/csv' } })
  expect(elsewhere).toMatchObject(unsupported)
  // Who the caller is comes first.
  expect(await send(api.with(undefined), Buffer.from('x'))).toMatchObject({ status: 401 })
})

test('a body that is too large is refused, announced or not', async () => {
  const { api } = await world({ routes: windows })
  const tooLarge = { status: 413, body: { code: 'payload_too_large', limitBytes: LIMIT } }
  expect(await send(api, Buffer.alloc(LIMIT + 1), { 'content-type': 'text/csv' })).toMatchObject(tooLarge)
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST /api/v1/toys/bytes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\n` +
      `Content-Type: text/csv\r\nTransfer-Encoding: chunked\r\n\r\n`,
  )
  const chunk = Buffer.alloc(50_000, 'x')
  for (let i = 0; i < 7; i++) socket.write(Buffer.concat([Buffer.from('c350\r\n'), chunk, Buffer.from('\r\n')]))
  const answer = await new Promise<string>((resolve) => socket.once('data', (data: Buffer) => resolve(String(data))))
  socket.destroy()
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
})

test('a download is a file to be saved, made while it is sent', async () => {
  const { api } = await world({ routes: windows })
  const reply = await api.get('toys/lines')
  expect(reply.status).toBe(200)
  expect(reply.text.split('\r\n')).toHaveLength(1_001)
  expect(Object.fromEntries(reply.headers)).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="lines.csv"',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': expect.stringMatching(/^req_/),
  })
  const head = await api.request('HEAD', 'toys/lines')
  expect(head).toMatchObject({ status: 200, text: '' })
  // One that breaks off must not look like a whole one.
  await expect(api.get('toys/lines?fail=true')).rejects.toThrow(/terminated/)
})
