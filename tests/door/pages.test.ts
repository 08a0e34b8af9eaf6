/** Where the way in exists, and for which pages: every route of it, tried from everywhere else. */
import { expect, test } from 'vitest'
import { statusUnder } from '../support/client.ts'
import { filledPath, routesOfDoor } from '../support/door.ts'
import { setUp, signIn, visitor } from '../support/people.ts'
import { tenants, world } from '../support/world.ts'

const tenant = tenants()

const routes = async () => routesOfDoor((await tenant()).services)

test('every row is there', async () => {
  expect((await routes()).map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [
      'GET /session',
      'DELETE /session',
      'POST /session/password',
      'POST /session/passkey/options',
      'POST /session/passkey',
      'POST /session/confirm',
      'POST /session/setup',
      'POST /session/invitation/read',
      'POST /session/invitation',
      'POST /session/recovery',
      'POST /session/recovery/finish',
      'PATCH /session/me',
      'POST /session/me/password',
      'POST /session/me/passkeys/options',
      'POST /session/me/passkeys',
      'PATCH /session/me/passkeys/:id',
      'DELETE /session/me/passkeys/:id',
      'POST /session/me/totp',
      'POST /session/me/totp/confirm',
      'DELETE /session/me/totp',
      'GET /session/me/sessions',
      'DELETE /session/me/sessions/:id',
      'DELETE /session/me/sessions',
    ].toSorted(),
  )
})

const foreign: [string, Record<string, string>][] = [
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['another host of our site', { 'sec-fetch-site': 'same-site', origin: 'https://other.localhost' }],
  ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3001' }],
  ['a page without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
  ['an old browser on another page', { 'sec-fetch-site': '', origin: 'https://evil.example' }],
  ['who does not say', { 'sec-fetch-site': '' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
]

test('nothing is changed for a page that is not ours, whatever it says', async () => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'owner' })
  for (const { method, path, body } of await routes()) {
    for (const [what, headers] of foreign) {
      if (method === 'GET' && headers['sec-fetch-site'] !== 'cross-site') continue
      const reply = await client.request(method, filledPath(path), { headers, ...(body ? { body: {} } : {}) })
      expect(reply, `${method} ${path} from ${what}`).toMatchObject({ status: 403, body: { code: 'origin_refused' } })
      expect(reply.headers.get('access-control-allow-origin')).toBeNull()
    }
  }
  expect((await client.get('/session')).status).toBe(200)
})

test('our own pages are known by their origin where a browser does not say more', async () => {
  const here = await tenant()
  const ours = ['http://localhost:3000', here.api.url]
  for (const origin of ours) {
    const reply = await visitor(here).request('POST', '/session/passkey/options', {
      headers: { 'sec-fetch-site': '', origin },
    })
    expect(reply.status, origin).toBe(200)
  }
})

test('under a name that is not ours there is no way in, whoever points it at us', async () => {
  const here = await world({ env: { PUBLIC_URL: 'http://mail.example.com' } })
  const { port } = new URL(here.api.url)
  for (const host of [
    'evil.example',
    'links.customer.example',
    'mail.example.com.evil.example',
    'localhost.evil.example',
    'xmail.example.com',
  ]) {
    for (const { method, path } of await routes()) {
      expect(await statusUnder(here.api.url, host, method, filledPath(path)), `${method} ${path} at ${host}`).toBe(404)
    }
    expect(await statusUnder(here.api.url, host, 'PUT', '/session')).toBe(404)
  }
  for (const host of [
    'mail.example.com',
    `mail.example.com:${port}`,
    `localhost:${port}`,
    `127.0.0.1:${port}`,
    '[::1]',
  ]) {
    expect(await statusUnder(here.api.url, host, 'GET', '/session'), host).toBe(401)
    expect(await statusUnder(here.api.url, host, 'PUT', '/session'), host).toBe(405)
  }
})

test('who is not signed in is told so before anything else', async () => {
  const here = await tenant()
  for (const { method, path, context, body } of await routes()) {
    if (context !== 'session') continue
    const reply = await visitor(here).request(method, filledPath(path), body ? { body: { nonsense: true } } : {})
    expect(reply, `${method} ${path}`).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(reply.headers.get('cache-control')).toBe('no-store')
  }
})

test('bodies of the wrong shape are refused field by field, and large ones unread', async () => {
  const here = await tenant()
  const { client } = await signIn(here, { role: 'owner' })
  for (const { method, path, body } of await routes()) {
    if (body === undefined) continue
    const send = (sent: unknown, headers = {}) => client.request(method, filledPath(path), { body: sent, headers })
    const wrongs: [string, unknown, number, object?][] = [
      ['an unknown field', { nonsense: 1 }, 400],
      ['an array', [], 400],
      ['no JSON', '{', 400],
      ['a form', 'a=b', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
      ['much', JSON.stringify({ name: 'x'.repeat(70_000) }), 413],
    ]
    for (const [what, sent, status, headers] of wrongs) {
      const reply = await send(sent, headers)
      expect(reply.status, `${method} ${path} with ${what}: ${reply.text}`).toBe(status)
      expect(reply.body).toMatchObject({ error: expect.any(String), requestId: expect.stringMatching(/^req_/) })
    }
  }
  expect(await client.post('/session/password', { email: 5, password: null })).toMatchObject({
    status: 400,
    body: { details: [{ path: '/email' }, { path: '/password' }] },
  })
})

test('the document of the API does not speak of it, and no key opens it', async () => {
  const here = await world()
  await setUp(here)
  expect((await here.api.get('/openapi.json')).text).not.toContain('"/session')
  const withKey = { headers: { 'sec-fetch-site': 'same-origin' } }
  expect((await here.api.get('/session', withKey)).status).toBe(401)
  expect((await here.api.get('/session/me/sessions', withKey)).status).toBe(401)
})
