import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { diagnose, type Question } from '../../portal/src/pages/webhooks/diagnosis.ts'
import { newSecret } from '../../src/resources/webhooks/secrets.ts'
import { sentHeaders } from '../support/sent-webhooks.ts'

const secret = newSecret()
const earlier = newSecret()
const body = '{"type":"email.bounced","messageId":"em_1","recipient":"jörg/2@example.org","detail":"550 5.1.1 no"}'
const timestamp = 1_794_730_000
const now = timestamp * 1_000 + 2_000

/** The headers as the server sends them, written as a log shows them. */
function headersOf(secrets: readonly string[]): string {
  const headers = sentHeaders(secrets, timestamp, body)
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
}

const ask = (question: Partial<Question>) =>
  diagnose({
    body,
    headers: headersOf([secret]),
    computed: '',
    used: '',
    secret,
    since: '2026-01-01T00:00:00.000Z',
    earlier: [],
    now,
    ...question,
  })

const only = (header: string, headers = headersOf([secret])): string =>
  headers
    .split('\n')
    .filter((line) => line.startsWith(header))
    .join('\n')

describe('a request', () => {
  test('that the server sent is genuine by both signatures', async () => {
    expect((await ask({})).request).toEqual({ kind: 'genuine', form: 'plain' })
    expect((await ask({ headers: only('webhook-') })).request).toEqual({ kind: 'genuine', form: 'standard' })
  })

  test('whose body was parsed and written again is recognized', async () => {
    const { request } = await ask({ body: JSON.stringify(JSON.parse(body), undefined, 2) })
    expect(request).toEqual({ kind: 'body_rewritten', form: 'plain' })
  })

  test('with a line break behind its body is recognized', async () => {
    expect((await ask({ body: `${body}\n` })).request).toEqual({ kind: 'line_break', form: 'plain' })
  })

  test('with another body is not genuine', async () => {
    expect((await ask({ body: body.replace('em_1', 'em_2') })).request).toEqual({ kind: 'not_genuine' })
  })

  test('from before the rotation is recognized by the old secret, and by its time', async () => {
    const headers = headersOf([earlier])
    expect((await ask({ headers, earlier: [earlier] })).request).toEqual({ kind: 'earlier_secret' })
    expect((await ask({ headers, since: '2027-01-01T00:00:00.000Z' })).request).toEqual({ kind: 'earlier_secret' })
  })

  test('is genuine while it carries both signatures', async () => {
    const headers = only('webhook-', headersOf([earlier, secret]))
    expect((await ask({ headers })).request).toEqual({ kind: 'genuine', form: 'standard' })
  })

  test('with the signature of the other form is recognized', async () => {
    const standard = only('webhook-signature').replace('webhook-signature', 'x-service-signature')
    expect((await ask({ headers: standard })).request).toEqual({ kind: 'other_header' })
  })

  test('without the headers that are signed, or without a signature, says so', async () => {
    expect((await ask({ headers: only('webhook-signature') })).request).toEqual({ kind: 'no_parts' })
    expect((await ask({ headers: 'content-type: application/json' })).request).toEqual({ kind: 'no_signature' })
  })

  test('that is older than five minutes says how old', async () => {
    expect((await ask({})).oldSeconds).toBeUndefined()
    expect((await ask({ now: now + 600_000 })).oldSeconds).toBe(602)
  })

  test('is read from JSON, from variables of PHP and from a bare value', async () => {
    const [, value = ''] = only('x-service-signature').split(': ')
    for (const headers of [
      JSON.stringify({ 'X-Service-Signature': value }),
      `HTTP_X_SERVICE_SIGNATURE=${value}`,
      value,
    ]) {
      expect((await ask({ headers })).request).toEqual({ kind: 'genuine', form: 'plain' })
    }
  })
})

describe('what code computed', () => {
  const signed = `evt_1.${timestamp}.${body}`
  const inside = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = (key: string | Buffer, message: string) => createHmac('sha256', key).update(message)
  const python = body
    .replaceAll('":"', '": "')
    .replaceAll('","', '", "')
    .replace('ö', String.raw`\u00f6`)
  const php = body.replace('/', String.raw`\/`).replace('ö', String.raw`\u00f6`)

  test.each([
    ['is right', `sha256=${mac(secret, body).digest('hex')}`, []],
    ['is right by the other convention', `v1,${mac(inside, signed).digest('base64')}`, []],
    ['lacks the prefix alone', mac(secret, body).digest('hex'), ['prefix_left_out']],
    ['has a key without whsec_', mac(secret.slice(6), body).digest('hex'), ['key_without_prefix']],
    ['has a decoded key', mac(inside, body).digest('hex'), ['key_decoded']],
    ['has a key that is not decoded', `v1,${mac(secret, signed).digest('base64')}`, ['key_not_decoded']],
    ['has a line break in its key', mac(`${secret}\n`, body).digest('hex'), ['key_with_space']],
    ['has an old key', mac(earlier, body).digest('hex'), ['key_earlier']],
    ['signs what the other convention signs', `sha256=${mac(secret, signed).digest('hex')}`, ['other_content']],
    ['is base64', `sha256=${mac(secret, body).digest('base64')}`, ['base64_not_hex']],
    ['is hexadecimal', `v1,${mac(inside, signed).digest('hex')}`, ['hex_not_base64']],
    ['has no key', createHash('sha256').update(body).digest('hex'), ['no_key']],
    ['signs what Python writes', `sha256=${mac(secret, python).digest('hex')}`, ['body_rewritten']],
    ['signs what PHP writes', `sha256=${mac(secret, php).digest('hex')}`, ['body_rewritten']],
    ['signs a line break', `sha256=${mac(secret, `${body}\n`).digest('hex')}`, ['line_break']],
    ['has two mistakes', mac(inside, python).digest('hex'), ['key_decoded', 'body_rewritten']],
    ['fits nothing', mac('something else', body).digest('hex'), null],
  ])('%s', async (_, computed, mistakes) => {
    expect((await ask({ computed, earlier: [earlier] })).mistakes).toEqual(mistakes)
  })
})

test.each([
  [secret, 'right'],
  [secret.slice(6), 'without_prefix'],
  [` ${secret}\n`, 'with_space'],
  [`"${secret}"`, 'with_space'],
  [earlier, 'earlier'],
  [newSecret(), 'other'],
  ['', undefined],
])('the secret in the code is judged: %#', async (used, verdict) => {
  expect((await ask({ used, earlier: [earlier] })).used).toBe(verdict)
})
