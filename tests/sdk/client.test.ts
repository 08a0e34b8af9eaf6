import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ApiError, createClient, NetworkError } from '../../packages/sdk/src/index.ts'
import { at, SANDBOX } from '../support/emails.ts'
import { tenants, type Tenant } from '../support/world.ts'

const tenant = tenants()

const clientOf = ({ api }: Tenant) => createClient({ baseUrl: api.url, key: api.key ?? '' })

const email = { from: SANDBOX, to: at('ann'), subject: 'Hello', html: '<p>Hello.</p>' }

const failureOf = (call: Promise<unknown>): Promise<unknown> => call.then(() => undefined).catch((error) => error)

test('it sends with an idempotency key and reads what it sent, in the project that it names', async () => {
  const here = await tenant()
  const { call } = clientOf(here)
  const options = { body: email, project: here.projectId, idempotencyKey: 'welcome-1' }
  const [first, again] = [await call('POST /email/send', options), await call('POST /email/send', options)]
  if (!('id' in first)) throw new Error('a dry run')
  expect(again).toEqual(first)
  const read = await call('GET /emails/:id', { params: { id: first.id }, project: here.projectId })
  expect(read).toMatchObject({ id: first.id, projectId: here.projectId, subject: 'Hello' })
})

test('a query is written as the server reads it: words, numbers, flags, and nothing for what is undefined', async () => {
  const here = await tenant()
  const { call } = clientOf(here)
  const project = here.projectId
  const dry = await call('POST /email/send', { body: email, query: { dryRun: true }, project })
  expect(dry).toMatchObject({ subject: 'Hello' })
  const page = await call('GET /emails', { query: { limit: 1, to: 'a+b@example.org', from: undefined }, project })
  expect(page).toMatchObject({ data: [], hasMore: false, nextCursor: null })
})

test('a refusal is an error with everything that the server said', async () => {
  const here = await tenant()
  const { call } = clientOf(here)
  const wrong = await failureOf(call('POST /email/send', { body: { ...email, to: [] }, project: here.projectId }))
  expect(wrong).toBeInstanceOf(ApiError)
  expect(wrong).toMatchObject({
    status: 400,
    code: 'validation_error',
    requestId: expect.stringMatching(/^req_/),
    details: [{ path: '/to', message: expect.any(String) }],
  })
  const { key = '' } = await here.clientWith({ scopes: ['projects:read'] })
  const narrow = createClient({ baseUrl: here.api.url, key })
  const refused = await failureOf(narrow.call('GET /emails', { project: here.projectId }))
  expect(refused).toMatchObject({ status: 403, extra: { requiredScope: 'email:send' }, details: [] })
  const stranger = createClient({ baseUrl: here.api.url })
  expect(await failureOf(stranger.call('GET /projects'))).toMatchObject({ status: 401, code: 'unauthorized' })
})

test('pages follow each other to the last', async () => {
  const here = await tenant()
  const { call, pages } = clientOf(here)
  const project = here.projectId
  const names = ['a', 'b', 'c', 'd', 'e']
  for (const name of names) await call('POST /audiences', { body: { name }, project })
  const sizes: number[] = []
  const found: string[] = []
  for await (const { data } of pages('GET /audiences', { query: { limit: 2 }, project })) {
    sizes.push(data.length)
    found.push(...data.map((audience) => audience.name))
  }
  expect(sizes).toEqual([2, 2, 1])
  expect(found.toSorted()).toEqual(names)
})

test('a file is uploaded as it is and downloaded with its name and its progress', async () => {
  const here = await tenant()
  const { call, download } = clientOf(here)
  const project = here.projectId
  const audience = await call('POST /audiences', { body: { name: 'Readers' }, project })
  const params = { id: audience.id }
  await call('POST /audiences/:id/contacts', {
    params,
    body: { email: 'ann@example.org', consent: { source: 'a form' } },
    project,
  })
  const imported = await call('POST /audiences/:id/contacts/import', {
    params,
    body: 'email,Where from\nben@example.org,a fair\n',
    contentType: 'text/csv',
    query: { map: { 'Where from': 'consentSource' } },
    project,
  })
  expect(imported).toMatchObject({ id: expect.stringMatching(/^imp_/) })
  const progress: number[] = []
  const file = await download('GET /audiences/:id/contacts/export', {
    params,
    project,
    onProgress: (received) => progress.push(received),
  })
  expect(file.filename).toMatch(/\.csv$/)
  expect(await file.blob.text()).toContain('ann@example.org')
  expect(progress.at(-1)).toBe(file.blob.size)
})

/** A server that answers as it is told, for what Posthouse never does. */
async function strangeServer(status: number, body: string | undefined, headers = {}): Promise<string> {
  const server = createServer((_request, response) => {
    if (body === undefined) response.destroy()
    else response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('what is no answer of ours is told apart: no answer, a page of a proxy, a call that was given up', async () => {
  const call = (baseUrl: string, signal?: AbortSignal) => createClient({ baseUrl }).call('GET /projects', { signal })
  expect(await failureOf(call(await strangeServer(0, undefined)))).toBeInstanceOf(NetworkError)
  expect(await failureOf(call(await strangeServer(200, '<p>Please sign in to the hotel.</p>')))).toBeInstanceOf(
    NetworkError,
  )
  expect(await failureOf(call(await strangeServer(502, '<h1>Bad gateway</h1>', { 'retry-after': '7' })))).toMatchObject(
    {
      name: 'ApiError',
      status: 502,
      code: 'unknown',
      retryAfter: 7,
    },
  )
  const given = AbortSignal.abort()
  expect(await failureOf(call('http://127.0.0.1:1', given))).toBe(given.reason)
})

test('signing in and out is beside the API, and a version travels in quotes', async () => {
  const asked: Request[] = []
  const { call } = createClient({
    baseUrl: 'http://portal.test',
    headers: { 'x-own': 'yes' },
    fetch: async (...parameters) => {
      asked.push(new Request(...parameters))
      return Response.json({})
    },
  })
  await call('POST /session/password', { body: { email: 'ann@example.org', password: 'a long one' } })
  await call('PATCH /templates/:id', { params: { id: 'a/b' }, body: { name: 'New' }, ifMatch: 7 })
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST http://portal.test/session/password',
    'PATCH http://portal.test/api/v1/templates/a%2Fb',
  ])
  expect(asked.map(({ headers }) => [headers.get('x-own'), headers.get('if-match')])).toEqual([
    ['yes', null],
    ['yes', '"7"'],
  ])
})
