import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import type { Reply } from '../support/client.ts'
import { toyRoutes } from '../support/toys.ts'
import { world } from '../support/world.ts'
import { simulated } from '../contract/requests.ts'

const told = ({ body }: Reply): Record<string, string> => {
  const { details = [] } = body as { details?: { path: string; message: string }[] }
  return Object.fromEntries(details.map(({ path, message }) => [path, message]))
}

test('a body that is refused says what is wrong and what to write instead', async () => {
  const { projectApi } = await world()
  const cases: [fields: Record<string, unknown>, path: string, sentence: RegExp][] = [
    [{ sendAt: 'tomorrow' }, '/sendAt', /^must be a time with an offset, like 2026-05-01T09:30:00Z or /],
    [{ sendAt: '2026-05-01T09:30:00' }, '/sendAt', /^lacks its offset from UTC: .*Z/],
    [{ sendAt: '2026-05-01 09:30' }, '/sendAt', /^lacks its offset from UTC: .*Z/],
    [{ sendAt: '2026-05-01' }, '/sendAt', /^is a date without a time/],
    [{ sendAt: 1_777_627_800 }, '/sendAt', /^must be a string, not a number; it must be a time with an offset, like /],
    [{ subject: 'x'.repeat(999) }, '/subject', /^must not be longer than 998 characters$/],
    [
      { tags: { 'no spaces': 'x' } },
      '/tags/no spaces',
      /^is no name for a tag: take 1 to 64 letters, digits, _ and -$/,
    ],
    [{ tags: { a: 7 } }, '/tags/a', /^must be a string, not a number$/],
    [{ tracking: { opens: 'yes' } }, '/tracking/opens', /^must be true or false, not a string$/],
    [{ attachments: [{ filename: '' }] }, '/attachments/0/filename', /^must not be empty$/],
    [{ attachments: {} }, '/attachments', /^must be an array, not an object$/],
    [{ reply_to: 'ann@example.com' }, '/reply_to', /^is not known here; its name is replyTo$/],
    [{ colour: 'red' }, '/colour', /^is not known here$/],
    [{ to: 7 }, '/to', /^must be a string or an array, not a number$/],
    [{ cc: Array.from({ length: 1_001 }, () => 'a@b.c') }, '/cc', /^must not have more than 50 items; this has 1,001$/],
  ]
  for (const [fields, path, sentence] of cases) {
    const reply = await projectApi.post('email/send', { ...simulated, ...fields })
    expect(reply.status, path).toBe(400)
    expect(told(reply)[path], JSON.stringify(fields).slice(0, 100)).toMatch(sentence)
  }
})

test('a plus that was not escaped in a query is told apart from everything else that can be wrong', async () => {
  const { projectApi, api } = await world()
  const plus = /; in a query a \+ means a space, so write it as %2B$/
  const broken: [path: string, field: string][] = [
    ['emails?to=ann+news@example.com', '/query/to'],
    ['emails?createdAfter=2026-05-01T09:30:00+02:00', '/query/createdAfter'],
    ['suppressions?email=ann+news@example.com&createdAfter=2026-05-01T09:30:00Z', '/query/email'],
    ['webhooks/whk_x/deliveries?createdAfter=2026-05-01T09:30:00+02:00', '/query/createdAfter'],
  ]
  for (const [path, field] of broken) {
    const reply = await projectApi.get(path)
    expect(reply, path).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(told(reply)[field], path).toMatch(plus)
  }
  for (const path of ['emails?to=ann%2Bnews@example.com', 'emails?createdAfter=2026-05-01T09:30:00%2B02:00'])
    expect((await projectApi.get(path)).status, path).toBe(200)
  // What is wrong for another reason is not blamed on a plus elsewhere.
  const other = told(await api.get('projects?limit=x&cursor=a+b'))
  expect(other['/query/limit']).toBe('must be a whole number')
})

test('so is one in front of a phone number', async () => {
  const { projectApi, services, projectId } = await world()
  await services.sms.operator.invite((await services.projects.workspace())!, decodeId('prj', projectId)!)
  const reply = await projectApi.get('sms/consents?phone=+12025550100')
  expect(told(reply)['/query/phone']).toMatch(/^must be a phone number with \+ .*, so write it as %2B$/)
  expect((await projectApi.get('sms/consents?phone=%2B12025550100')).status).toBe(200)
})

test('a query says what is wrong with it', async () => {
  const { api } = await world()
  const cases: [query: string, path: string, sentence: string][] = [
    ['limit=1000', '/query/limit', 'must be from 1 to 100'],
    ['limit=1.5', '/query/limit', 'must be a whole number'],
    ['limit=1&limit=2', '/query/limit', 'must be given only once'],
    ['Limit=1', '/query/Limit', 'is not known here; its name is limit'],
    ['status=gone', '/query/status', 'must be one of active, paused, archived'],
  ]
  for (const [query, path, sentence] of cases)
    expect(told(await api.get(`projects?${query}`))).toEqual({ [path]: sentence })
})

test('an empty body is called empty, whatever its type is called, and is enough where none is needed', async () => {
  const { projectApi, api } = await world({ routes: toyRoutes })
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const send = (path: string) => projectApi.request('POST', path, { body: '', headers: { 'content-type': type } })
    const reply = await send('email/send')
    expect(reply, type).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(reply.body['error']).toBe(
      'The request is not valid: it needs a JSON body, and this request has none or an empty one.',
    )
    expect((await send('toys/here')).status, type).toBe(200)
  }
  expect(told(await api.post('projects'))['/']).toContain('needs a JSON body')
})

test('a body that is not JSON says where it stops being JSON, and repeats nothing of it', async () => {
  const { api } = await world()
  const sent = '{\n  "name": "Ours",\n  secret: 1\n}'
  const reply = await api.request('POST', 'projects', { body: sent })
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid_json' } })
  expect(reply.body['error']).toMatch(/^The body is not valid JSON, beginning with line 3, column 3\. .*double quotes/)
  const cut = await api.request('POST', 'projects', { body: '{"secret' })
  expect(JSON.stringify([reply.body, cut.body])).not.toContain('secret')
})

test.each([20, 200, 2_000])('headers of %i KiB are answered with what is too much, not with silence', async (kib) => {
  const { api } = await world()
  const answer = await exchange(
    api.url,
    `GET /api/v1/health HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(kib * 1024)}\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({
    code: 'validation_error',
    details: [{ path: '/headers', message: expect.stringContaining('must not be larger than 16 KiB') }],
  })
})

/** What came before the connection ended, however it ended. */
const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.setEncoding('utf8').on('data', (chunk) => (answer += chunk))
    socket.on('error', () => {}).on('close', () => resolve(answer))
  })
