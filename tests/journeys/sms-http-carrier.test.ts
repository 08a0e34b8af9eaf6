import { expect, test } from 'vitest'
import { carrierOf } from '../../src/app/sms-connections.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Poster } from '../../src/net/post.ts'
import { SmsLookups } from '../../src/resources/sms/index.ts'
import { signatureOf } from '../../src/sms/http-signature.ts'
import { hangsUp, json, startProvider, type Provider } from '../sms/provider.ts'
import { eventually } from '../support/eventually.ts'
import { LIVE_SEGMENT, liveWorld, OURS, THEIRS, type LiveWorld } from '../support/sms-live.ts'

const TOKEN = 'very-secret'
const PUBLIC = 'https://sms.example.com'

const withProvider = async (provider: Provider, maxPartsPerSecond = 1_000): Promise<LiveWorld> => {
  const connection = {
    kind: 'http',
    baseUrl: provider.baseUrl,
    accountSid: 'AC1',
    authToken: TOKEN,
    callbacks: true,
    maxPartsPerSecond,
  }
  const here = await liveWorld(connection, { env: { PUBLIC_URL: PUBLIC } })
  await here.consent(THEIRS)
  return here
}

/** As the provider would, through a proxy that has another name. */
const callBack = async (
  { api }: LiveWorld,
  kind: string,
  fields: Record<string, string>,
  token = TOKEN,
): Promise<number> => {
  const parameters = new URLSearchParams(fields)
  const response = await fetch(`${api.url}/carrier/http/main/${kind}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-twilio-signature': signatureOf(token, `${PUBLIC}/carrier/http/main/${kind}`, parameters),
    },
    body: parameters.toString(),
  })
  return response.status
}

test('86: a message of several segments is one request, and each segment has what became of it', async () => {
  const provider = await startProvider()
  provider.answer = json(201, { sid: 'SM9', num_segments: '2' })
  const here = await withProvider(provider)
  const id = String((await here.live(THEIRS, { body: 'a'.repeat(161) })).body['id'])
  const { parts } = await here.smsBecomes(id, 'sent')
  expect(provider.asked).toHaveLength(1)
  expect(parts.map(({ status, providerMessageId }) => [status, providerMessageId])).toEqual([
    ['sent', 'SM9'],
    ['sent', 'SM9'],
  ])
  expect(await callBack(here, 'status', { MessageSid: 'SM9', MessageStatus: 'delivered' })).toBe(204)
  await here.smsBecomes(id, 'delivered')
  expect(await callBack(here, 'status', { MessageSid: 'SM9', MessageStatus: 'sent' })).toBe(204)
  expect((await here.sms(id)).status).toBe('delivered')
  await here.expectBooksInOrder()
})

test('86: a connection is paced by segments, also where those of a message leave together', async () => {
  const provider = await startProvider()
  const times: number[] = []
  provider.answer = (request, response) => {
    times.push(performance.now())
    json(201, { sid: `SM${times.length}` })(request, response)
  }
  const here = await withProvider(provider, 4)
  for (let i = 0; i < 3; i++) await here.live(THEIRS, { body: 'a'.repeat(300) })
  await eventually('all have left', () => times.length === 3)
  // Two segments each, four in a second: half a second for each message but the last.
  expect(times[2]! - times[0]!).toBeGreaterThan(700)
})

test('86: a callback that is not signed as it must be changes nothing', async () => {
  const provider = await startProvider()
  const here = await withProvider(provider)
  const id = String((await here.live(THEIRS)).body['id'])
  await here.smsBecomes(id, 'sent')
  expect(await callBack(here, 'status', { MessageSid: 'SM1', MessageStatus: 'delivered' }, 'wrong')).toBe(403)
  expect((await here.sms(id)).status).toBe('sent')
  expect(await callBack(here, 'other', {})).toBe(404)
})

test('86: whom the provider knows to have opted out is suppressed here too', async () => {
  const provider = await startProvider()
  provider.answer = json(400, { code: 21610, message: 'Attempt to send to unsubscribed recipient' })
  const here = await withProvider(provider)
  const id = String((await here.live(THEIRS)).body['id'])
  expect(await here.smsBecomes(id, 'failed')).toMatchObject({ errorCode: 'opted_out_at_carrier' })
  const { data } = (await here.projectApi.get<{ data: object[] }>('sms/suppressions')).body
  expect(data).toMatchObject([{ origin: 'carrier', scope: 'project', status: 'active' }])
  expect(await here.live(THEIRS)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  await here.expectBooksInOrder()
})

test('86: STOP that the provider has answered is recorded and not answered again', async () => {
  const provider = await startProvider()
  const here = await withProvider(provider)
  const fields = { MessageSid: 'SM5', From: THEIRS, To: OURS, Body: 'STOP', OptOutType: 'STOP' }
  expect([await callBack(here, 'inbound', fields), await callBack(here, 'inbound', fields)]).toEqual([200, 200])
  const { data } = (await here.projectApi.get<{ data: { direction: string }[] }>('sms/messages')).body
  expect(data.map(({ direction }) => direction)).toEqual(['inbound'])
})

test.each([
  ['one segment', 'one'],
  ['several segments', `one${'!'.repeat(320)}`],
])('86: a request of %s that got no answer is not made again', async (_what, body) => {
  const provider = await startProvider()
  provider.answer = hangsUp
  const here = await withProvider(provider)
  const id = String((await here.live(THEIRS, { body })).body['id'])
  await here.smsBecomes(id, 'unconfirmed')
  await here.advance({ minutes: 5 })
  provider.answer = json(201, { sid: 'SM2', num_segments: '1' })
  await here.smsBecomes(String((await here.live(THEIRS, { body: 'two' })).body['id']), 'sent')
  const posted = provider.asked.filter(({ method }) => method === 'POST')
  expect(posted.map(({ form }) => form.get('Body'))).toEqual([body, 'two'])
  const { segments, status } = await here.sms(id)
  expect(status).toBe('unconfirmed')
  expect(await here.balance('live')).toMatchObject({ reservedMicros: segments * LIVE_SEGMENT })
  // Whoever has something to say about it has it.
  const told = { MessageSid: 'SM1', MessageStatus: 'delivered', To: THEIRS, From: OURS }
  expect(await callBack(here, 'status', told)).toBe(204)
  await here.advance({ minutes: 3 })
  await here.services.sms.housekeeping.sweep()
  expect(await here.sms(id)).toMatchObject({ status: 'delivered', chargedMicros: segments * LIVE_SEGMENT })
  await here.expectBooksInOrder()
})

/** What a worker does every minute. */
async function lookUp({ services, db, logs }: LiveWorld): Promise<void> {
  const { config, dns, egress, sms, smsConnections } = services
  const poster = new Poster({ dns, egress, timeoutMs: 5_000 })
  const keep = (fields: object, message: string): void => void logs.push(JSON.stringify({ fields, message }))
  const log = { debug: keep, info: keep, warn: keep, error: keep }
  const carrier = carrierOf('main', smsConnections['main']!, { config, dns, egress, poster, clock: systemClock, log })
  await new SmsLookups({ ...sms, db, carriers: new Map([['main', carrier]]), log }).runOnce()
  await poster.stop()
}

test('86: a request that got no answer is searched for at the provider, by its text, and not made again', async () => {
  const provider = await startProvider()
  provider.answer = hangsUp
  const here = await withProvider(provider)
  const body = `Lost and found${'!'.repeat(200)}`
  const id = String((await here.live(THEIRS, { body })).body['id'])
  await here.smsBecomes(id, 'unconfirmed')
  const found = { sid: 'SM7', status: 'sent', body, date_created: new Date().toUTCString() }
  provider.answer = json(200, { messages: [found, { ...found, sid: 'SM8', body: 'other' }] })
  const looks = (): number => provider.asked.filter(({ method }) => method === 'GET').length
  await lookUp(here)
  expect(looks()).toBe(0)
  await here.advance({ minutes: 3 })
  await lookUp(here)
  await lookUp(here)
  const { ledger, parts } = await eventually('it is found', async () => {
    const detail = await here.sms(id)
    return detail.chargedMicros > 0 && detail
  })
  expect(looks()).toBe(1)
  expect(ledger.map(({ type, amountMicros }) => [type, amountMicros])).toEqual([
    ['reservation', 2 * LIVE_SEGMENT],
    ['charge', 2 * LIVE_SEGMENT],
  ])
  expect(parts.map(({ providerMessageId }) => providerMessageId)).toEqual(['SM7', 'SM7'])
  // An hour later by its name, which is known now.
  provider.answer = json(200, { ...found, status: 'delivered' })
  await here.advance({ minutes: 61 })
  await lookUp(here)
  await here.smsBecomes(id, 'delivered')
  expect(provider.asked.at(-1)!.url.pathname).toMatch(/SM7\.json$/)
  expect(provider.asked.filter(({ method }) => method === 'POST')).toHaveLength(1)
  await here.expectBooksInOrder()
})

test('86: what was taken and not reported on is asked about, and a provider that counts otherwise is noticed', async () => {
  const provider = await startProvider()
  provider.answer = json(201, { sid: 'SM3', num_segments: '2' })
  const here = await withProvider(provider)
  const id = String((await here.live(THEIRS)).body['id'])
  await here.smsBecomes(id, 'sent')
  expect(here.logs.join('\n')).toContain('carrier segment count differs')
  provider.answer = json(200, { sid: 'SM3', status: 'undelivered', error_code: 30007 })
  await here.advance({ minutes: 16 })
  await lookUp(here)
  expect(await here.smsBecomes(id, 'undelivered')).toMatchObject({ errorCode: 'carrier_filtered' })
})

test('a START that the provider tells again, after the STOP that followed it, is not meant again', async () => {
  const provider = await startProvider()
  const here = await withProvider(provider)
  const say = (MessageSid: string, Body: string) =>
    callBack(here, 'inbound', { MessageSid, From: THEIRS, To: OURS, Body })
  for (const [sid, word] of [
    ['SM1', 'STOP'],
    ['SM2', 'START'],
    ['SM3', 'STOP'],
    ['SM2', 'START'],
  ] as const) {
    expect(await say(sid, word)).toBe(200)
  }
  expect(await here.live(THEIRS)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  await here.advance({ hours: 1 })
  await here.services.sms.housekeeping.sweep()
  expect(await say('SM2', 'START')).toBe(200)
  expect(await here.live(THEIRS)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  // Said once more by the person, it has another name.
  expect(await say('SM4', 'START')).toBe(200)
  expect(await here.live(THEIRS)).toMatchObject({ status: 202 })
})
