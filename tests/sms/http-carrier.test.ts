import ipaddr from 'ipaddr.js'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { DnsResolver } from '../../src/net/dns.ts'
import { Poster } from '../../src/net/post.ts'
import type { InboundPart, Receipt } from '../../src/sms/carrier.ts'
import { HttpCarrier, type HttpCarrierOptions } from '../../src/sms/http-carrier.ts'
import { signatureOf } from '../../src/sms/http-signature.ts'
import { leastWork } from '../support/eventually.ts'
import { hangsUp, json, startProvider } from './provider.ts'
import { aPart, NUMBER, SECRET_TEXT } from './smpp-world.ts'

const TOKEN = '12345'
const SENDER = { kind: 'international', value: '+12025550199' } as const

async function world(more: Partial<HttpCarrierOptions> & { timeoutMs?: number; closed?: boolean } = {}) {
  const { timeoutMs = 5_000, closed = false, ...options } = more
  const provider = await startProvider()
  const poster = new Poster({
    dns: new DnsResolver({ servers: [], clock: systemClock }),
    egress: { allow: closed ? [] : [ipaddr.parseCIDR('127.0.0.0/8')], own: [] },
    timeoutMs,
  })
  onTestFinished(() => poster.stop())
  const [receipts, inbound, lines]: [Receipt[], InboundPart[], string[]] = [[], [], []]
  const log = (fields: object, message: string): void => void lines.push(JSON.stringify({ fields, message }))
  const carrier = new HttpCarrier({
    name: 'test',
    baseUrl: provider.baseUrl,
    accountSid: 'AC1',
    authToken: TOKEN,
    callbackUrl: 'https://sms.test/carrier/http/c1',
    maxPartsPerSecond: 10,
    poster,
    clock: systemClock,
    log: { debug: log, info: log, warn: log, error: log },
    ...options,
  })
  const sink = { fails: false }
  const keep =
    <T>(list: T[]) =>
    async (one: T): Promise<void> => {
      if (sink.fails) throw new Error(`no room for ${NUMBER} ${SECRET_TEXT}`)
      list.push(one)
    }
  await carrier.start({ receipt: keep(receipts), inbound: keep(inbound) })
  const submit = (part = {}) => carrier.submit({ ...aPart(), ...part }, new AbortController().signal)
  return { provider, carrier, receipts, inbound, sink, submit, logged: () => lines.join('\n') }
}

test('a message is one form-encoded request, with our name and password', async () => {
  const { provider, submit } = await world()
  const text = `olá & “go” ${'x'.repeat(400)}`
  provider.answer = json(201, { sid: 'SM77', num_segments: '7', body: text, to: NUMBER })
  expect(await submit({ text, encoding: 'ucs2' })).toEqual({ ok: true, providerIds: ['SM77'], providerSegments: 7 })
  expect(provider.asked).toHaveLength(1)
  const [asked] = provider.asked
  expect(asked).toMatchObject({
    method: 'POST',
    authorization: `Basic ${Buffer.from(`AC1:${TOKEN}`).toString('base64')}`,
    contentType: 'application/x-www-form-urlencoded',
  })
  expect(asked!.url.pathname).toBe('/2010-04-01/Accounts/AC1/Messages.json')
  expect(Object.fromEntries(asked!.form)).toEqual({
    To: NUMBER,
    From: SENDER.value,
    Body: text,
    ValidityPeriod: expect.stringMatching(/^(599|600)$/),
    SmartEncoded: 'false',
    StatusCallback: 'https://sms.test/carrier/http/c1/status',
  })
})

test('a pool of numbers is named instead of a sender, and no callback where there is none', async () => {
  const { provider, submit, carrier } = await world({ messagingServiceSid: 'MG1', callbackUrl: undefined })
  await submit()
  const form = Object.fromEntries(provider.asked[0]!.form)
  expect(form).toMatchObject({ MessagingServiceSid: 'MG1' })
  expect(Object.keys(form)).not.toContain('From')
  expect(Object.keys(form)).not.toContain('StatusCallback')
  expect(carrier.caps).toMatchObject({ splitsItself: true })
})

test.each<[string, number, object, object]>([
  ['too many requests', 429, { code: 20429 }, { kind: 'throttled', retryAfterMs: 7_000 }],
  ['too many requests by code', 400, { code: 20429 }, { kind: 'throttled' }],
  ['an opt-out', 400, { code: 21610 }, { kind: 'opted_out', errorCode: 'opted_out_at_carrier', providerCode: '21610' }],
  ['no number', 400, { code: 21211 }, { kind: 'permanent', errorCode: 'invalid_number' }],
  ['a landline', 400, { code: 21614 }, { kind: 'permanent', errorCode: 'landline' }],
  ['a closed country', 400, { code: 21408 }, { kind: 'permanent', errorCode: 'carrier_rejected' }],
  ['something else', 400, { code: 99999 }, { kind: 'permanent', errorCode: 'carrier_rejected', providerCode: '99999' }],
  ['a refusal without words', 400, {}, { kind: 'permanent', errorCode: 'carrier_rejected', providerCode: '400' }],
  ['a failure of its own', 500, {}, { kind: 'ambiguous' }],
  ['a gateway', 503, {}, { kind: 'ambiguous' }],
  ['a yes to nothing', 201, {}, { kind: 'ambiguous' }],
  ['a yes with nonsense', 201, { sid: { a: 1 } }, { kind: 'ambiguous' }],
])('an answer that means %s is understood', async (_what, status, body, outcome) => {
  const { provider, submit } = await world()
  provider.answer = json(status, { message: `about ${NUMBER}`, ...body }, { 'retry-after': '7' })
  const given = await submit()
  expect(given).toMatchObject({ ok: false, ...outcome })
  expect(JSON.stringify(given)).not.toContain(NUMBER)
})

test.each([401, 403, 404, 302])('%i is for the operator to look at; the message is not lost', async (status) => {
  const { provider, submit, carrier, logged } = await world()
  provider.answer = json(status, {}, { location: 'http://169.254.169.254/' })
  expect(await submit()).toMatchObject({ ok: false, kind: 'transient' })
  expect(carrier.health()).toMatchObject({ state: 'misconfigured', lastError: expect.stringContaining(String(status)) })
  expect(logged()).not.toContain(TOKEN)
  provider.answer = json(201, { sid: 'SM1' })
  expect(await submit()).toMatchObject({ ok: true })
  expect(carrier.health().state).toBe('up')
})

test('86: no answer in time is ambiguous, and there is no second request', async () => {
  const { provider, submit } = await world({ timeoutMs: 2_000 })
  provider.answer = () => {}
  expect(await submit()).toEqual({ ok: false, kind: 'ambiguous' })
  expect(provider.asked).toHaveLength(1)
})

test('a request that was taken and not answered is ambiguous; one that never left is not', async () => {
  const taken = await world()
  taken.provider.answer = hangsUp
  expect(await taken.submit()).toEqual({ ok: false, kind: 'ambiguous' })
  const refused = await world({ baseUrl: 'http://127.0.0.1:1' })
  expect(await refused.submit()).toMatchObject({ ok: false, kind: 'transient' })
  const forbidden = await world({ closed: true })
  expect(await forbidden.submit()).toMatchObject({ ok: false, kind: 'transient' })
  expect(forbidden.provider.asked).toEqual([])
})

test('what is not valid any more is not sent', async () => {
  const { provider, submit } = await world()
  expect(await submit({ validUntil: new Date() })).toMatchObject({ kind: 'permanent', errorCode: 'expired' })
  expect(provider.asked).toEqual([])
})

test('a message is looked up by its id', async () => {
  const { provider, carrier } = await world()
  provider.answer = json(200, { sid: 'SM1', status: 'undelivered', error_code: 30003, body: SECRET_TEXT })
  expect(await carrier.lookup({ providerId: 'SM1', to: NUMBER, from: SENDER, after: new Date() })).toEqual({
    providerId: 'SM1',
    state: 'undelivered',
    errorCode: 'unreachable',
    providerCode: '30003',
  })
  expect(provider.asked[0]).toMatchObject({ method: 'GET' })
  expect(provider.asked[0]!.url.pathname).toBe('/2010-04-01/Accounts/AC1/Messages/SM1.json')
  provider.answer = json(404, {})
  expect(await carrier.lookup({ providerId: 'SM1', to: NUMBER, from: SENDER, after: new Date() })).toBeUndefined()
})

test.each([
  ['nested without end', '['.repeat(100_000)],
  ['of nothing', 'null'],
  ['with a date that is none', { messages: [{ sid: 'SM1', body: SECRET_TEXT, date_created: { toString: 1 } }] }],
  ['with names of JavaScript', '{"messages":{"length":1e9},"__proto__":{"sid":"SM1"}}'],
])('a list %s has nothing in it', async (_what, list) => {
  const { provider, carrier } = await world()
  provider.answer = (asked, response) =>
    typeof list === 'string' ? void response.end(list) : json(200, list)(asked, response)
  const question = { to: NUMBER, from: SENDER, after: new Date(0), text: SECRET_TEXT }
  expect(await carrier.lookup({ providerId: undefined, ...question })).toBeUndefined()
})

test('one whose id is unknown is found by what it said, if there is only one', async () => {
  const { provider, carrier } = await world()
  const after = new Date('2026-11-03T12:00:00Z')
  const message = (sid: string, more: object = {}) => ({
    sid,
    status: 'sent',
    body: SECRET_TEXT,
    date_created: 'Tue, 03 Nov 2026 12:00:05 +0000',
    ...more,
  })
  const old = { date_created: 'Tue, 03 Nov 2026 11:00:00 +0000' }
  const look = (...messages: object[]) => {
    provider.answer = json(200, { messages: [...messages, null, 7] })
    return carrier.lookup({ to: NUMBER, from: SENDER, after, text: SECRET_TEXT, known: new Set(['SM9']) })
  }
  expect(await look(message('SM1'), message('SM2', { body: 'other' }), message('SM3', old), message('SM9'))).toEqual({
    providerId: 'SM1',
    state: 'enroute',
  })
  expect(Object.fromEntries(provider.asked[0]!.url.searchParams)).toEqual({
    To: NUMBER,
    From: SENDER.value,
    'DateSent>': '2026-11-03',
    PageSize: '50',
  })
  expect(await look(message('SM1'), message('SM2'))).toBeUndefined()
  expect(await look()).toBeUndefined()
})

type World = Awaited<ReturnType<typeof world>>

function callback(
  one: World,
  kind: 'status' | 'inbound',
  form: Record<string, string>,
  more: { url?: string; signature?: string; query?: string } = {},
) {
  const parameters = new URLSearchParams(form)
  const query = more.query === undefined ? '' : `?${more.query}`
  const url = more.url ?? `https://sms.test/carrier/http/c1/${kind}${query}`
  const signature = more.signature ?? signatureOf(TOKEN, url, parameters)
  return one.carrier.callback({ kind, signature, query: more.query, body: Buffer.from(parameters.toString()) })
}

test('the signature is that of the published example', () => {
  const caller = '+14158675309'
  const form = { Digits: '1234', CallSid: 'CA1234567890ABCDE', To: '+18005551212', Caller: caller, From: caller }
  const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
  expect(signatureOf('12345', url, new URLSearchParams(form))).toBe('RSOYDt4T1cUTdK1PDd93/VVr8B8=')
})

test('86: a callback with the right signature is kept and then answered', async () => {
  const one = await world()
  expect(await callback(one, 'status', { MessageSid: 'SM1', MessageStatus: 'delivered' })).toEqual({ status: 204 })
  expect(
    await callback(one, 'status', { SmsSid: 'SM2', SmsStatus: 'failed', ErrorCode: '30005' }, { query: 'a=b' }),
  ).toEqual({
    status: 204,
  })
  expect(one.receipts).toEqual([
    { providerId: 'SM1', state: 'delivered' },
    { providerId: 'SM2', state: 'undelivered', errorCode: 'unknown_subscriber', providerCode: '30005' },
  ])
})

test.each([
  ['of another address', { url: 'http://10.0.0.1:3000/carrier/http/c1/status' }],
  ['that is empty', { signature: '' }],
  ['that is too short', { signature: 'abc=' }],
  ['of nobody', { signature: Buffer.alloc(20).toString('base64') }],
  ['with letters of another alphabet', { signature: 'é'.repeat(28) }],
])('86: a signature %s is refused, and nothing is kept', async (_what, more) => {
  const one = await world()
  expect(await callback(one, 'status', { MessageSid: 'SM1', MessageStatus: 'delivered' }, more)).toEqual({
    status: 403,
  })
  expect(one.receipts).toEqual([])
})

test('a callback without a signature, or with a word changed, is refused; where none are wanted there is nothing', async () => {
  const one = await world()
  const body = Buffer.from('MessageSid=SM1&MessageStatus=delivered')
  expect(await one.carrier.callback({ kind: 'status', signature: undefined, body })).toEqual({ status: 403 })
  const signature = signatureOf(
    TOKEN,
    'https://sms.test/carrier/http/c1/status',
    new URLSearchParams('MessageSid=SM1&MessageStatus=sent'),
  )
  expect(await one.carrier.callback({ kind: 'status', signature, body })).toEqual({ status: 403 })
  const without = await world({ callbackUrl: undefined })
  expect(await without.carrier.callback({ kind: 'status', signature, body })).toEqual({ status: 404 })
})

test('a stranger with a form of nothing but names is refused at once', async () => {
  const one = await world()
  const names = Array.from({ length: 16_000 }, (_, i) => i.toString(36))
  const body = Buffer.from(names.join('&'))
  const took = await leastWork(2_000, async () =>
    expect(await one.carrier.callback({ kind: 'status', signature: 'mine', body })).toEqual({ status: 403 }),
  )
  // Everybody else waits for as long: it was four to eight seconds.
  expect(took).toBeLessThan(2_000)
})

test.each([
  ['queued', 'accepted'],
  ['sent', 'enroute'],
  ['read', 'delivered'],
  ['canceled', 'undelivered'],
  ['whatever', 'unknown'],
  ['constructor', 'unknown'],
])('the status %s means %s', async (status, state) => {
  const one = await world()
  await callback(one, 'status', { MessageSid: 'SM1', MessageStatus: status })
  expect(one.receipts).toMatchObject([{ state }])
})

test('86: an inbound message is kept and answered with nothing; OptOutType says that the provider has replied', async () => {
  const one = await world()
  const reply = await callback(one, 'inbound', { MessageSid: 'SM5', From: NUMBER, To: SENDER.value, Body: 'Stop ✋' })
  expect(reply).toMatchObject({ status: 200, contentType: 'text/xml', body: expect.stringContaining('<Response/>') })
  await callback(one, 'inbound', {
    MessageSid: 'SM6',
    From: NUMBER,
    To: SENDER.value,
    Body: 'STOP',
    OptOutType: 'STOP',
  })
  expect(one.inbound).toMatchObject([
    { from: NUMBER, to: SENDER.value, text: 'Stop ✋', providerId: 'SM5', answeredByCarrier: false },
    { text: 'STOP', answeredByCarrier: true },
  ])
})

test('a NUL, which no database takes, is left out wherever it stands', async () => {
  const one = await world()
  const parties = { From: `${NUMBER}\0`, To: `\0${SENDER.value}` }
  expect(await callback(one, 'inbound', { ...parties, Body: 'a\0b' })).toMatchObject({ status: 200 })
  expect(one.inbound).toMatchObject([{ from: NUMBER, to: SENDER.value, text: 'ab' }])
  expect(await callback(one, 'status', { ...parties, MessageSid: 'SM1', MessageStatus: 'sent' })).toMatchObject({
    status: 204,
  })
  expect(one.receipts).toMatchObject([{ parties: { handset: SENDER.value, ours: NUMBER } }])
})

test('what makes no sense is refused, and what cannot be kept comes again; no log quotes it', async () => {
  const one = await world()
  expect(await callback(one, 'status', { MessageStatus: 'sent' })).toEqual({ status: 400 })
  expect(await callback(one, 'inbound', { From: NUMBER })).toEqual({ status: 400 })
  one.sink.fails = true
  expect(await callback(one, 'inbound', { From: NUMBER, To: SENDER.value, Body: SECRET_TEXT })).toEqual({ status: 503 })
  expect(one.logged()).toContain('carrier callback not stored')
  for (const secret of [NUMBER, SECRET_TEXT, TOKEN]) expect(one.logged()).not.toContain(secret)
})

test('stopping waits for what is under way and takes nothing more', async () => {
  const { provider, submit, carrier } = await world()
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<() => void>()
  provider.answer = (one, response) => onAsked(() => json(201, { sid: 'SM1' })(one, response))
  const outcome = submit()
  const answer = await asked
  const stopped = carrier.stop(5_000)
  expect(await submit()).toMatchObject({ ok: false, kind: 'transient' })
  answer()
  await stopped
  expect(await outcome).toMatchObject({ ok: true })
  expect(carrier.health().state).toBe('down')
})
