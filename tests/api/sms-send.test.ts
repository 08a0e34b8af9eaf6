import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { SEGMENT, smsWorld } from '../support/sms-world.ts'
import { world } from '../support/world.ts'

const least = { to: '+12025550100', category: 'transactional', body: 'Your order has shipped.' }

test('a number, a category and a text are enough, and the answer says what it costs', async () => {
  const { text, projectId } = await smsWorld({ workers: 0 })
  const { status, body } = await text('00')
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.stringMatching(/^sms_/),
    projectId,
    object: 'sms_message',
    mode: 'test',
    direction: 'outbound',
    status: 'queued',
    category: 'transactional',
    toMasked: '+1********00',
    country: 'US',
    recipientRef: expect.stringMatching(/^[0-9a-f]{16}$/),
    senderId: expect.stringMatching(/^smssn_/),
    programId: expect.stringMatching(/^smspg_/),
    encoding: 'GSM-7',
    units: 23,
    segments: 1,
    priceMicros: SEGMENT,
    currency: 'USD',
    deferredUntil: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
})

test('42: without its own header nothing is sent, and the common one does not count', async () => {
  const { projectApi } = await smsWorld({ workers: 0 })
  const missing = { status: 400, body: { code: 'sms_idempotency_key_required' } }
  expect(await projectApi.post('sms/messages', least)).toMatchObject(missing)
  expect(await projectApi.post('sms/messages', least, { 'idempotency-key': 'a' })).toMatchObject(missing)
  const with256 = await projectApi.post('sms/messages', least, { 'sms-idempotency-key': 'x'.repeat(256) })
  expect(with256.status).toBe(202)
  for (const key of ['x'.repeat(257), 'tab\there', 'ümlaut']) {
    expect(await projectApi.post('sms/messages', least, { 'sms-idempotency-key': key })).toMatchObject({
      status: 400,
      body: { code: 'sms_idempotency_key_invalid' },
    })
  }
})

test('the name of the header can be another one', async () => {
  const { projectApi, services, projectId } = await world({ env: { SMS_IDEMPOTENCY_HEADER: 'X-Once' } })
  await services.sms.operator.invite((await services.projects.workspace())!, decodeId('prj', projectId)!)
  expect((await projectApi.post('sms/messages', least, { 'x-once': 'a' })).status).toBe(202)
  expect((await projectApi.post('sms/messages', least, { 'sms-idempotency-key': 'a' })).status).toBe(400)
})

test('43: fifty at once with one key are one message, one reservation, and the same answer for all', async () => {
  const { insist, db, balance, expectBooksInOrder } = await smsWorld({ workers: 0 })
  const replies = await Promise.all(Array.from({ length: 50 }, () => insist('00', 'once')))
  expect(new Set(replies.map(({ text: bytes }) => bytes)).size).toBe(1)
  expect(replies.filter(({ headers }) => headers.get('idempotency-replayed') === 'true')).toHaveLength(49)
  expect(replies.every(({ status }) => status === 202)).toBe(true)
  const { count } = await db.one(sql<{ count: number }>`select count(*) as count from sms_messages`)
  expect(count).toBe(1)
  expect(await balance()).toMatchObject({ reservedMicros: SEGMENT })
  await expectBooksInOrder()
})

test('43: also when the money is enough for just one of them', async () => {
  const { insist, services, workspace, project, balance } = await smsWorld({ workers: 0 })
  const { availableMicros } = await balance()
  const less = -BigInt(availableMicros - SEGMENT)
  await services.sms.operator.adjust({ workspace, project, mode: 'test' }, less, 'less', 'a test')
  const replies = await Promise.all(Array.from({ length: 20 }, () => insist('00', 'once')))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]))
})

test('44: the same key with another text is refused; written in another way it is the same request', async () => {
  const { projectApi, text } = await smsWorld({ workers: 0 })
  const first = await text('00', { metadata: { a: '1', b: '2' } }, 'k')
  expect(await text('00', { body: 'Your order has  shipped.', metadata: { a: '1', b: '2' } }, 'k')).toMatchObject({
    status: 409,
    body: { code: 'idempotency_mismatch' },
  })
  const reordered = await projectApi.request('POST', 'sms/messages', {
    headers: { 'content-type': 'application/json', 'sms-idempotency-key': 'k' },
    body: `{ "metadata": {"b": "2", "a": "1"}, "body": "${least.body}",\n "encoding": "auto", "category": "transactional",
            "maxSegments": 10, "senderId": null, "to": "+12025550100", "validitySeconds": 14400 }`,
  })
  expect(reordered).toMatchObject({ status: 202, text: first.text })
})

test('45: a refusal for lack of money does not use the key up', async () => {
  const { text, services, workspace, project, balance } = await smsWorld({ workers: 0 })
  const of = { workspace, project, mode: 'test' } as const
  await services.sms.operator.adjust(of, -BigInt((await balance()).availableMicros), 'all', 'a test')
  expect(await text('00', {}, 'k')).toMatchObject({
    status: 402,
    body: { code: 'sms_insufficient_funds', requiredMicros: SEGMENT, availableMicros: 0 },
  })
  await services.sms.operator.topUp(of, 1_000_000n, 'more')
  expect((await text('00', {}, 'k')).status).toBe(202)
})

test('how much is missing is told only to whoever may read the wallet', async () => {
  const { text, clientWith, projectId } = await smsWorld({ workers: 0 })
  const sender = await clientWith({ scopes: ['sms:send'], projectId })
  const { body } = await text('15', {}, 'k', sender)
  expect(body).toMatchObject({ code: 'sms_insufficient_funds' })
  expect(body).not.toHaveProperty('availableMicros')
})

test('46: the same key in another project is another key', async () => {
  const { text, clientWith, newProject, invite } = await smsWorld({ workers: 0 })
  const other = await newProject()
  await invite(other)
  const there = await clientWith({ scopes: ['*'], projectId: other })
  const [a, b] = [await text('00', {}, 'k'), await text('00', { body: 'Something else.' }, 'k', there)]
  expect([a.status, b.status]).toEqual([202, 202])
  expect(a.body['id']).not.toBe(b.body['id'])
  expect(a.body['recipientRef']).not.toBe(b.body['recipientRef'])
})

test('62: what a message costs is decided when it is accepted', async () => {
  const { sendSms, startWorker, smsBecomes, services, workspace } = await smsWorld({ workers: 0 })
  const id = await sendSms('00')
  await services.sms.operator.loadRates(workspace, [
    {
      country: 'US',
      senderType: 'simulator',
      category: null,
      base: 1n,
      carrierFee: 1n,
      currency: 'USD',
      refundUndelivered: false,
      effectiveFrom: new Date(Date.now() - 1_000),
    },
  ])
  await startWorker()
  expect(await smsBecomes(id, 'delivered')).toMatchObject({ chargedMicros: SEGMENT })
  expect((await smsBecomes(await sendSms('00'), 'delivered')).chargedMicros).toBe(2)
})

test('63: one below the price is too little, and nothing is reserved', async () => {
  const { text, balance } = await smsWorld({ workers: 0 })
  expect(await text('00', { maxPriceMicros: SEGMENT - 1 })).toMatchObject({
    status: 422,
    body: { code: 'sms_price_exceeds_max', priceMicros: SEGMENT },
  })
  expect(await balance()).toMatchObject({ reservedMicros: 0, ledgerSeq: 1 })
  expect((await text('00', { maxPriceMicros: SEGMENT })).status).toBe(202)
})

test('29, 30, 32, 35: what does not fit, or cannot be written, is refused; what can be written plainly may be', async () => {
  const { text, sms } = await smsWorld({ workers: 0 })
  expect((await text('00', { body: 'a'.repeat(1_530) })).body).toMatchObject({ segments: 10 })
  for (const body of ['a'.repeat(1_531), 'á'.repeat(671)]) {
    expect(await text('00', { body })).toMatchObject({ status: 422, body: { code: 'sms_body_too_long', segments: 11 } })
  }
  expect(await text('00', { body: 'a'.repeat(161), maxSegments: 1 })).toMatchObject({ status: 422 })
  expect(await text('00', { body: '“Hi”', encoding: 'gsm7' })).toMatchObject({
    status: 422,
    body: { code: 'sms_encoding_not_possible' },
  })
  const curly = await text('00', { body: `“Hi”${'a'.repeat(150)}`, transliterate: true })
  expect(curly.body).toMatchObject({ encoding: 'GSM-7', units: 154, segments: 1 })
  expect(await sms(String(curly.body['id']))).toMatchObject({ bodySent: `"Hi"${'a'.repeat(150)}` })
  for (const body of ['a\u001bb', 'a\u0000b', 'a\ud800b', '', 'a\u0007b']) {
    expect(await text('00', { body }), JSON.stringify(body)).toMatchObject({
      status: 400,
      body: { code: 'validation_error' },
    })
  }
})

test('91: a number is E.164 or refused, with what may have been meant, and never repeated in the refusal', async () => {
  const { text } = await smsWorld({ workers: 0 })
  const meant: [string, string | undefined][] = [
    ['+1 (202) 555-0100', '+12025550100'],
    ['tel:+12025550100', '+12025550100'],
    ['0012025550100', '+12025550100'],
    ['＋１２０２５５５０１００', '+12025550100'],
    ['2025550100', undefined],
    ['+1234567890123456', undefined],
    ['+0123456789', undefined],
    ['nobody', undefined],
  ]
  for (const [to, suggestion] of meant) {
    const reply = await text(to)
    expect(reply, to).toMatchObject({ status: 422, body: { code: 'sms_invalid_recipient' } })
    expect(reply.body['suggestion'], to).toBe(suggestion)
    expect(String(reply.body['error'])).not.toContain('555')
  }
})

test('a dry run tells everything that speaks against a message, and leaves nothing behind', async () => {
  const { text, db, balance } = await smsWorld({ workers: 0 })
  expect(await text('00', { dryRun: true, body: 'á'.repeat(71) }, 'k')).toMatchObject({
    status: 200,
    body: {
      dryRun: true,
      encoding: 'UCS-2',
      units: 71,
      segments: 2,
      priceMicros: 2 * SEGMENT,
      currency: 'USD',
      wouldSend: true,
      refusals: [],
    },
  })
  const { body } = await text('04', { dryRun: true, maxPriceMicros: 1 }, 'k')
  expect(body['wouldSend']).toBe(false)
  expect((body['refusals'] as { code: string }[]).map(({ code }) => code)).toEqual([
    'recipient_suppressed',
    'sms_price_exceeds_max',
  ])
  expect((await balance()).ledgerSeq).toBe(1)
  expect(await db.all(sql`select from sms_messages`)).toEqual([])
  expect((await text('00', {}, 'k')).status).toBe(202)
})

test('fields out of shape are all named at once', async () => {
  const { projectApi } = await smsWorld({ workers: 0 })
  const reply = await projectApi.post<{ details: { path: string }[] }>(
    'sms/messages',
    { to: 7, category: 'spam', body: 'x', sendAt: '2030-01-01T00:00:00Z', maxSegments: 11, validitySeconds: 59 },
    { 'sms-idempotency-key': 'k' },
  )
  expect(reply.status).toBe(400)
  expect(reply.body.details.map(({ path }) => path).toSorted()).toEqual([
    '/category',
    '/maxSegments',
    '/sendAt',
    '/to',
    '/validitySeconds',
  ])
})

test('the order of refusals: what is suppressed is said before what is not agreed to, dear or unpaid', async () => {
  const { text, projectApi, services, workspace, project, balance } = await smsWorld({ workers: 0 })
  await services.sms.operator.adjust(
    { workspace, project, mode: 'test' },
    -BigInt((await balance()).availableMicros),
    'all',
    'a test',
  )
  const codes: string[] = []
  const all = { maxPriceMicros: 1, category: 'marketing' }
  const code = async (more = {}): Promise<void> =>
    void codes.push(String((await text('05', { ...all, ...more })).body['code']))
  await projectApi.post('sms/suppressions', { phone: '+12025550105' })
  await code()
  await text('05')
  const open = await text('20', { maxPriceMicros: 1 })
  codes.push(String(open.body['code']))
  codes.push(String((await text('20')).body['code']))
  expect(codes).toEqual(['recipient_suppressed', 'sms_price_exceeds_max', 'sms_insufficient_funds'])
})

test('90: the sixth message to one number within an hour is too many, and says when the next may come', async () => {
  const { text, advance } = await smsWorld({ workers: 0 })
  for (let i = 0; i < 5; i++) expect((await text('20')).status).toBe(202)
  const reply = await text('20')
  expect(reply).toMatchObject({ status: 429, body: { code: 'sms_velocity_limited' } })
  const seconds = Number(reply.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(3_000)
  expect(seconds).toBeLessThanOrEqual(3_600)
  await advance({ seconds })
  expect((await text('20')).status).toBe(202)
  for (let i = 0; i < 8; i++) expect((await text('21')).status).toBe(202)
})
