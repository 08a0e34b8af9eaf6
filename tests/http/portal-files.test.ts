import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { encodeId, idPrefixes, newId, type IdPrefix } from '../../src/core/ids.ts'
import { addPortal } from '../../src/http/portal-files.ts'
import { testDirectory } from '../support/posthouse-process.ts'
import { tenants, world, type Tenant } from '../support/world.ts'

const tenant = tenants()
const dist = new URL('../../portal/dist/', import.meta.url)

interface Raw {
  status: number
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
  text: string
}

type Asked = Record<string, string>

/** Under the name of a host, without the decompression that `fetch` does by itself. */
const get = (url: string, path: string, headers: Asked = {}, method = 'GET', body?: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() })
      })
    })
    sent.on('error', reject).end(body)
  })

const from = ({ api }: Tenant, path: string, headers?: Asked) => get(api.url, path, headers)

const application = [
  '/',
  '/p/prj_1/overview',
  '/p/prj_1/emails/em_1?tab=html',
  '/settings',
  '/settings/people',
  '/me',
  '/me/passkeys',
]
const door = ['/sign-in', '/sign-in?next=%2Fme', '/setup', '/invitation', '/recover']
const ids = (Object.keys(idPrefixes) as IdPrefix[]).map((prefix) => `/${encodeId(prefix, newId())}`)
const isDoor = (page: string): boolean => /<title>Sign in/.test(page)

test.each([...application, ...door])('%s is a page of the portal', async (path) => {
  const { status, headers, text } = await from(await tenant(), path)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(isDoor(text)).toBe(door.includes(path))
})

test('any id is an address, and what only looks like one is not', async () => {
  const here = await tenant()
  for (const path of [...ids, `${ids.find((id) => id.startsWith('/em_'))}.12`]) {
    expect([path, (await from(here, path)).status]).toEqual([path, 200])
  }
  for (const path of ['/em_1', `${ids[0]}x`, '/xyz_01kf0q9h2rfx8b6t3m5vz7d4ce', '/settings2', '/p', '/assets/no.js']) {
    const { status, text } = await from(here, path)
    expect([path, status, JSON.parse(text)]).toEqual([path, 404, expect.objectContaining({ code: 'not_found' })])
  }
})

test('what was there before the portal stays as it is', async () => {
  const here = await tenant()
  expect((await from(here, '/docs')).text).toContain('<title>')
  expect((await from(here, '/openapi.json')).headers['content-type']).toMatch(/^application\/json/)
  const posted = await get(here.api.url, '/settings', {}, 'POST')
  expect([posted.status, JSON.parse(posted.text).code]).toEqual([404, 'not_found'])
})

test('a page has its policy, a nonce of its own, and is kept by nobody', async () => {
  const here = await tenant()
  const nonces = new Set<string>()
  for (const path of ['/', '/sign-in', '/']) {
    const { headers, text } = await from(here, path)
    const policy = String(headers['content-security-policy'])
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? []
    nonces.add(nonce)
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16)
    expect(text).toContain(`<meta property="csp-nonce" nonce="${nonce}"`)
    expect(policy.replace(nonce, '…')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-…'; img-src 'self' data:; font-src 'self'; " +
        "connect-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; " +
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; report-uri /policy-reports",
    )
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringContaining('camera=(), microphone=(), geolocation=()'),
    })
    expect(headers).not.toHaveProperty('strict-transport-security')
    expect(text).not.toContain('{nonce}')
  }
  expect(nonces.size).toBe(3)
})

test('where people come by https, browsers remember it', async () => {
  const { api } = await world({ env: { PUBLIC_URL: 'https://mail.example.org' } })
  const { headers } = await get(api.url, '/', { host: 'mail.example.org' })
  expect(headers['strict-transport-security']).toBe('max-age=31536000')
})

test.each([
  ['posthouse-scheme=dark', 'dark'],
  ['a=b; posthouse-scheme=light; c=d', 'light'],
  ['posthouse-scheme=dark"><script>', ''],
  ['not-posthouse-scheme=dark', ''],
  ['', ''],
])('the cookie %j makes the scheme %j before the first paint', async (cookie, scheme) => {
  const { text } = await from(await tenant(), '/', { cookie })
  expect(text).toContain(`<html lang="en" data-scheme="${scheme}">`)
})

test('files with a hash in their name are kept for a year, compressed as the client likes it', async () => {
  const here = await tenant()
  const names = readdirSync(new URL('assets/', dist))
  expect(names.length).toBeGreaterThan(2)
  for (const name of names) {
    const plain = await from(here, `/assets/${name}`)
    expect(plain.bytes.equals(readFileSync(new URL(`assets/${name}`, dist)))).toBe(true)
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'accept-encoding',
    })
    expect(plain.headers['content-type']).toMatch(
      name.endsWith('.js') ? /^text\/javascript/ : /^(text\/css|image|font)/,
    )
    const br = await from(here, `/assets/${name}`, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).toBe(true)
    const gzip = await from(here, `/assets/${name}`, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(gzip.bytes).equals(plain.bytes)).toBe(true)
  }
})

test('nothing else of the folder is handed out', async () => {
  const here = await tenant()
  for (const path of [
    '/.built',
    '/index.html',
    '/.vite/manifest.json',
    '/assets/..%2Findex.html',
    '/assets/../.built',
  ]) {
    expect([path, (await from(here, path)).status]).toEqual([path, 404])
  }
})

test('the portal exists under our own names only', async () => {
  const { api } = await world({ env: { PUBLIC_URL: 'https://mail.example.org' } })
  const [asset] = readdirSync(new URL('assets/', dist))
  const paths = ['/', '/p/prj_1/emails', '/sign-in', ids[0]!, `/assets/${asset}`, '/mail-frame']
  const known = [
    'mail.example.org',
    'MAIL.example.org:8443',
    'localhost:3000',
    '127.0.0.1',
    '192.0.2.7:80',
    '[::1]:3000',
  ]
  const strange = [
    'example.org',
    'links.customer.example',
    'localhost.example.org',
    'mail.example.org.evil.example',
    'a b',
  ]
  for (const path of paths) {
    for (const host of known)
      expect([path, host, (await get(api.url, path, { host })).status]).toEqual([path, host, 200])
    for (const host of strange) {
      const { status, text } = await get(api.url, path, { host })
      expect([path, host, status, JSON.parse(text).code]).toEqual([path, host, 404, 'not_found'])
    }
  }
})

test('without a portal there is the API alone, and / leads to its reference', async () => {
  const { api } = await world({ env: { PORTAL: 'off' } })
  const { status, headers } = await get(api.url, '/')
  expect([status, headers['location']]).toEqual([302, '/docs'])
  for (const path of [...application.slice(1), ...door, ids[0]!, '/mail-frame', '/assets/x.js']) {
    expect([path, (await get(api.url, path)).status]).toEqual([path, 404])
  }
})

/** A server with the portal of a folder, and nothing else. */
async function serverOf(folder: string): Promise<string> {
  const server = Fastify()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  addPortal(server, { folder: pathToFileURL(`${folder}/`), publicUrl: 'http://localhost', clock: Date, log })
  onTestFinished(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

test('where it is not built, every page says so and how to build it; once it is built, no restart is needed', async () => {
  const folder = join(testDirectory(), 'dist')
  const url = await serverOf(folder)
  for (const path of [...application, ...door, ids[0]!]) {
    const { status, headers, text } = await get(url, path)
    expect([path, status, headers['cache-control']]).toEqual([path, 503, 'no-store'])
    expect(text).toContain('npm run build:portal')
  }
  mkdirSync(join(folder, 'assets'), { recursive: true })
  expect((await get(url, '/')).status).toBe(503)
  cpSync(dist, folder, { recursive: true })
  expect((await get(url, '/')).status).toBe(200)
})

test('a page and the files that it names are those of one build, even when the folder is built anew', async () => {
  const folder = join(testDirectory(), 'dist')
  cpSync(dist, folder, { recursive: true })
  const url = await serverOf(folder)
  const { text } = await get(url, '/')
  rmSync(join(folder, 'assets'), { recursive: true })
  writeFileSync(join(folder, 'index.html'), 'another')
  const names = [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, name]) => name!)
  expect(names.length).toBeGreaterThan(0)
  expect(existsSync(join(folder, names[0]!))).toBe(false)
  for (const name of names) expect((await get(url, name)).status).toBe(200)
})

test('breaches of the policy are logged, at most ten a minute, without what may be secret', async () => {
  const { api, logs } = await world()
  const report = (more: object = {}) =>
    JSON.stringify({
      'csp-report': {
        'document-uri': 'http://localhost/setup#ps_secret',
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'https://evil.example/x.js?who=ann@example.org',
        'source-file': 'http://localhost/assets/main.js',
        'line-number': 7,
        ...more,
      },
    })
  const post = (body: string, type = 'application/csp-report', host = 'localhost') =>
    get(api.url, '/policy-reports', { 'content-type': type, host }, 'POST', body)
  expect((await post(report())).status).toBe(204)
  const said = logs.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'content policy violated')
  expect(said).toMatchObject({
    directive: 'script-src-elem',
    blocked: 'https://evil.example/x.js',
    source: 'http://localhost/assets/main.js',
    line: 7,
  })
  for (let i = 0; i < 20; i++) expect((await post(report({ 'blocked-uri': 'x'.repeat(5_000) }))).status).toBe(204)
  const lines = logs.filter((line) => line.includes('content policy violated'))
  expect(lines).toHaveLength(10)
  expect(lines.join('')).not.toMatch(/secret|ann@example|x{300}/)
  for (const body of ['', 'x', '[]', '{"csp-report":7}', 'null']) expect((await post(body)).status).toBe(204)
  expect((await post(report(), 'text/plain')).status).toBe(415)
  expect((await post('x'.repeat(20_000))).status).toBe(413)
  expect((await post(report(), 'application/csp-report', 'evil.example')).status).toBe(404)
})

test('the mail frame has no origin, one script, and pictures only when somebody asks for them', async () => {
  const here = await tenant()
  const [plain, withImages] = [await from(here, '/mail-frame'), await from(here, '/mail-frame?images=1')]
  const script = /<script>([\s\S]*)<\/script>/.exec(plain.text)?.[1] ?? ''
  const hash = (await crypto.subtle.digest('SHA-256', Buffer.from(script))) as ArrayBuffer
  const policy = (images: string): string =>
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox; ' +
    `default-src 'none'; script-src 'sha256-${Buffer.from(hash).toString('base64')}'; style-src 'unsafe-inline'; ` +
    `img-src ${images}; frame-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
  expect(plain.headers['content-security-policy']).toBe(policy('data:'))
  expect(withImages.headers['content-security-policy']).toBe(policy('data: https:'))
  expect(withImages.text).toBe(plain.text)
  for (const path of ['/mail-frame?images=0', '/mail-frame?images=1&images=1', '/mail-frame?images=1;x']) {
    expect((await from(here, path)).headers['content-security-policy']).toBe(policy('data:'))
  }
  const signedIn = await from(here, '/mail-frame', { cookie: 'posthouse=x; posthouse-scheme=dark' })
  expect(signedIn.text).toBe(plain.text)
})
