import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { tenants, world, type Tenant } from '../support/world.ts'

const tenant = tenants()

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

/** Without the decompression that `fetch` does by itself. */
const get = ({ api }: Tenant, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject).end()
  })

const pages = ['/openapi.json', '/docs']

test.each(pages)('%s comes as it is or compressed, as the client likes it', async (path) => {
  const here = await tenant()
  const plain = await get(here, path)
  expect(plain.headers).not.toHaveProperty('content-encoding')
  const forms: [accept: string, coding: string | undefined, read: (bytes: Buffer) => Buffer][] = [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['br;q=0.1, gzip;q=0.8', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
    ['gzip;q=0, br;q=0', undefined, (bytes) => bytes],
    ['identity, gzip;q=0.5', undefined, (bytes) => bytes],
    ['zstd', undefined, (bytes) => bytes],
  ]
  for (const [accept, coding, read] of forms) {
    const { headers, bytes } = await get(here, path, { 'accept-encoding': accept })
    expect(headers['content-encoding'], accept).toBe(coding)
    expect(headers['vary'], accept).toBe('accept-encoding')
    expect(read(bytes).equals(plain.bytes), accept).toBe(true)
    expect(headers['content-length'], accept).toBe(String(bytes.length))
    if (coding !== undefined) expect(bytes.length).toBeLessThan(plain.bytes.length / 5)
  }
  const head = await get(here, path, {}, 'HEAD')
  expect({ status: head.status, length: head.headers['content-length'] }).toEqual({
    status: 200,
    length: String(plain.bytes.length),
  })
  expect(head.bytes.length).toBe(0)
})

test.each(pages)('whoever has %s already is told so, and gets it again when it is another one', async (path) => {
  const here = await tenant()
  const tags = new Set<string>()
  for (const accept of ['identity', 'gzip', 'br']) {
    const { headers } = await get(here, path, { 'accept-encoding': accept })
    const tag = String(headers['etag'])
    tags.add(tag)
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(here, path, { 'accept-encoding': accept, 'if-none-match': condition })
      expect({ status: again.status, bytes: again.bytes.length }).toEqual({ status: 304, bytes: 0 })
      expect(again.headers).toMatchObject({ etag: tag, vary: 'accept-encoding' })
    }
    const other = await get(here, path, { 'accept-encoding': accept, 'if-none-match': '"other"' })
    expect(other.status).toBe(200)
  }
  expect(tags.size).toBe(3)
})

test('the reference and the document show the address under which this installation is reached', async () => {
  const here = await world()
  const ofPort = `http://localhost:${new URL(here.api.url).port}`
  const elsewhere = await world({ env: { PUBLIC_URL: 'https://mail.example.org/' } })
  for (const [asked, address] of [
    [here, ofPort],
    [elsewhere, 'https://mail.example.org'],
  ] as const) {
    const document = JSON.parse((await get(asked, '/openapi.json')).bytes.toString()) as { servers: unknown }
    expect(document.servers).toEqual([{ url: `${address}/api/v1` }])
    const reference = (await get(asked, '/docs')).bytes.toString()
    expect(reference).toContain(`curl ${address}/api/v1/health`)
    expect(reference).not.toContain('localhost:3000')
  }
})
