import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { statusOf } from '../../src/http/errors.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Reply } from '../support/client.ts'
import { toyRoutes } from '../support/toys.ts'
import { world } from '../support/world.ts'

/** Every refusal, whoever makes it, looks like this. */
const expectRefusal = (reply: Reply, code: keyof typeof statusOf) => {
  expect(reply.body, reply.text).toMatchObject({ code, error: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(reply.status).toBe(statusOf[code])
  expect(reply.body['requestId']).toBe(reply.headers.get('x-request-id'))
  expect(reply.headers.get('x-request-id')).toMatch(/^req_/)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
}

test('paths that do not exist are 404 with and without a key, methods that do not are 405', async () => {
  const { api } = await world()
  for (const client of [api, api.with(undefined)]) {
    expectRefusal(await client.get('nothing/here'), 'not_found')
    expectRefusal(await client.get('/elsewhere'), 'not_found')
    expectRefusal(await client.get('/api/v1/projects/%ff'), 'not_found')
    const wrongMethod = await client.request('PUT', 'projects')
    expectRefusal(wrongMethod, 'method_not_allowed')
    expect(wrongMethod.headers.get('allow')).toBe('GET, POST, HEAD')
    expectRefusal(await client.request('OPTIONS', 'projects/prj_1'), 'method_not_allowed')
  }
})

test('what is wrong first is said first', async () => {
  const { api, clientWith, newProject } = await world({ routes: toyRoutes })
  const archived = await newProject()
  await api.delete(`projects/${archived}`)
  const narrow = await clientWith({ scopes: ['projects:read'] })
  const text = { 'content-type': 'text/plain' }
  const nowhere = { 'x-service-project-id': 'prj_nowhere' }
  const here = (headers: Record<string, string>) => ({ headers, body: 'not json' })
  expectRefusal(
    await api.with('ph_live_wrong').request('POST', 'toys/here', here({ ...text, ...nowhere })),
    'unauthorized',
  )
  expectRefusal(await narrow.request('POST', 'toys/here', here({ ...text, ...nowhere })), 'insufficient_scope')
  expectRefusal(await api.request('POST', 'toys/here', here(text)), 'project_required')
  expectRefusal(await api.request('POST', 'toys/here', here({ ...text, ...nowhere })), 'not_found')
  expectRefusal(
    await api.request('POST', 'toys/here', here({ ...text, 'x-service-project-id': archived })),
    'project_archived',
  )
  expectRefusal(await api.request('PATCH', 'projects/prj_nowhere', here(text)), 'unsupported_media_type')
  expectRefusal(await api.request('PATCH', 'projects/prj_nowhere', here({})), 'invalid_json')
  expectRefusal(await api.patch('projects/prj_nowhere', { status: 'archived' }), 'validation_error')
  expectRefusal(await api.patch('projects/prj_nowhere', { status: 'paused' }), 'not_found')
})

test('all problems of a request are named at once', async () => {
  const { api } = await world()
  const reply = await api.request<{ details: { path: string }[] }>('POST', 'projects?limit=1', {
    body: { nmae: 'typo', quota: { emailsPerDay: -1, perYear: 1 } },
  })
  const paths = reply.body.details.map(({ path }) => path)
  expect(paths.toSorted()).toEqual(['/name', '/nmae', '/query/limit', '/quota/emailsPerDay', '/quota/perYear'])
})

test('bodies that are not JSON, not UTF-8, too deep, or hostile are refused', async () => {
  const { api } = await world()
  const send = (body: string | Uint8Array) => api.request('POST', 'projects', { body })
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  for (const body of ['{', '{"name":"a"}}', "{'name':'a'}", 'NaN', nested(21), '{"__proto__":{"x":1},"name":"a"}']) {
    expectRefusal(await send(body), 'invalid_json')
  }
  expectRefusal(
    await send(Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')])),
    'invalid_json',
  )
  expectRefusal(await send(nested(20)), 'validation_error')
  expectRefusal(await send('{"name":"half \\ud800"}'), 'validation_error')
  expectRefusal(await send(''), 'validation_error')
  expectRefusal(await send('null'), 'validation_error')
})

test('only plain application/json is read', async () => {
  const { api } = await world()
  const body = JSON.stringify({ name: 'a' })
  const send = (headers: Record<string, string>) => api.request('POST', 'projects', { body, headers })
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'nonsense']) {
    expectRefusal(await send({ 'content-type': type }), 'unsupported_media_type')
  }
  for (const encoding of ['gzip', 'br', 'identity']) {
    expectRefusal(await send({ 'content-encoding': encoding }), 'unsupported_media_type')
  }
  expect((await send({ 'content-type': 'application/json; charset=utf-8' })).status).toBe(201)
})

test('a body over the limit is 413 and says the limit', async () => {
  const { api } = await world()
  const reply = await api.post('projects', { name: 'x'.repeat(1024 * 1024) })
  expectRefusal(reply, 'payload_too_large')
  expect(reply.body['limitBytes']).toBe(1024 * 1024)
})

test('a call without a body takes an empty object too, and nothing else', async () => {
  const { projectApi } = await world({ routes: toyRoutes })
  expect((await projectApi.post('toys/here')).status).toBe(200)
  expect((await projectApi.post('toys/here', {})).status).toBe(200)
  expectRefusal(await projectApi.post('toys/here', { surprise: 1 }), 'validation_error')
  expectRefusal(await projectApi.post('toys/here', []), 'validation_error')
})

test('lists refuse limits and cursors that make no sense', async () => {
  const { api } = await world()
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'cursor=nonsense',
    'cursor=',
    'cursor=%00',
    'page=2',
    'limit=1&limit=2',
  ]) {
    expectRefusal(await api.get(`projects?${query}`), 'validation_error')
  }
  expect((await api.get('projects?limit=100')).status).toBe(200)
})

test('a defect answers 500 without a word of what went wrong inside, which only the log knows', async () => {
  const { api, logs } = await world({ routes: toyRoutes })
  const reply = await api.get('toys/broken')
  expectRefusal(reply, 'internal_error')
  expect(reply.text).not.toContain('hunter2')
  expect(logs.some((line) => line.includes('hunter2') && line.includes(String(reply.body['requestId'])))).toBe(true)
})

test('a statement that failed is logged without the row it failed on', async () => {
  const { api, db, logs } = await world()
  await db.run(sql`alter table projects add check (name <> 'confidential')`)
  expectRefusal(await api.post('projects', { name: 'confidential' }), 'internal_error')
  const log = logs.join('')
  expect(log).toContain('projects_name_check')
  expect(log).not.toContain('confidential')
})

test('the log names the route and the key, never the path, the query, the body or the secret', async () => {
  const { api, logs, projectId } = await world()
  await api.get('projects?cursor=someone@example.com')
  await api.get(`projects/${projectId}`)
  await api.post('projects', { name: 'confidential name' })
  const log = logs.join('')
  expect(log).toContain('"route":"/api/v1/projects/:id"')
  expect(log).toMatch(/"key":"key_/)
  for (const private_ of ['someone@example.com', projectId, 'confidential', api.key!])
    expect(log).not.toContain(private_)
})

test('metrics count requests by route, and are open to loopback only when no proxy stands in between', async () => {
  const { api } = await world()
  await api.get('projects')
  const { text } = await api.with(undefined).get('/metrics')
  expect(text).toContain('posthouse_http_requests_total{method="GET",route="/api/v1/projects",status="200"} 1')
  expectRefusal(await api.get('/metrics', { headers: { 'x-forwarded-for': '203.0.113.9' } }), 'not_found')
  for (const mark of ['forwarded', 'via', 'x-real-ip', 'x-forwarded-proto']) {
    expectRefusal(await api.get('/metrics', { headers: { [mark]: '1.1 x' } }), 'not_found')
  }
  const closed = await world({ env: { METRICS_ALLOW: '10.0.0.0/8' } })
  expectRefusal(await closed.api.get('/metrics'), 'not_found')
})

test('behind a proxy that leaves no mark, loopback opens no metrics; a token does', async () => {
  const METRICS_TOKEN = 'a-long-secret-of-the-operator'
  const { api } = await world({ env: { PUBLIC_URL: 'https://mail.example.org', METRICS_TOKEN } })
  const stranger = api.with(undefined)
  expectRefusal(await stranger.get('/metrics'), 'not_found')
  expectRefusal(await stranger.with('another-secret').get('/metrics'), 'not_found')
  const forwarded = await stranger.with(METRICS_TOKEN).get('/metrics', { headers: { 'x-forwarded-for': '192.0.2.1' } })
  expect(forwarded.text).toContain('posthouse_http_requests_total')
  // Who names the networks knows his proxy.
  const named = await world({ env: { PUBLIC_URL: 'https://mail.example.org', METRICS_ALLOW: '127.0.0.1' } })
  expect((await named.api.get('/metrics')).status).toBe(200)
  const proxied = await world({ env: { HTTP_PROXIES: '127.0.0.1' } })
  expectRefusal(await proxied.api.get('/metrics'), 'not_found')
})

test('the reference and its machine-readable twin need no key', async () => {
  const { api } = await world()
  const stranger = api.with(undefined)
  expect((await stranger.get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
  const reference = await stranger.get('/docs')
  expect(reference.text).toContain('Posthouse')
  expect(reference.headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/)
})

test('what is not HTTP is answered in the same shape, and the connection closed', async () => {
  const { api } = await world()
  const answer = await rawExchange(api.url, 'BREW /pot HTCPCP/1.0\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    requestId: expect.stringMatching(/^req_/),
  })
})

test('headers over 16 KiB are refused', async () => {
  const { api } = await world()
  const answer = await rawExchange(
    api.url,
    `GET /api/v1/health HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(17_000)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
})

/** Sends bytes and reads until the other side closes. */
const rawExchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
