import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { SEGMENT, smsWorld } from '../support/sms-world.ts'

const LONG = 'a'.repeat(161)

test('55: a delivered message is reserved, charged once, and told of', async () => {
  const { text, smsBecomes, balance, expectBooksInOrder } = await smsWorld()
  const reply = await text('00')
  expect(reply.status, reply.text).toBe(202)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  const detail = await smsBecomes(String(reply.body['id']), 'delivered')
  expect(detail.ledger.map(({ type, amountMicros }) => [type, amountMicros])).toEqual([
    ['reservation', SEGMENT],
    ['charge', SEGMENT],
  ])
  expect(await balance()).toMatchObject({ availableMicros: 100_000_000 - SEGMENT, reservedMicros: 0 })
  await expectBooksInOrder()
})

test.each([
  ['01', 'undelivered', 'unknown_subscriber', ['reservation', 'charge']],
  ['02', 'undelivered', 'carrier_filtered', ['reservation', 'charge']],
  ['03', 'failed', 'carrier_rejected', ['reservation', 'release']],
  ['07', 'delivered', null, ['reservation', 'charge']],
  ['12', 'delivered', null, ['reservation', 'charge']],
  ['18', 'delivered', null, ['reservation', 'charge']],
])('56: the number …01%s becomes %s', async (number, status, errorCode, ledger) => {
  const { sendSms, smsBecomes, expectBooksInOrder } = await smsWorld()
  const detail = await smsBecomes(await sendSms(number), status)
  expect(detail).toMatchObject({ errorCode })
  expect(detail.ledger.map(({ type }) => type)).toEqual(ledger)
  await expectBooksInOrder()
})

test('57: of two segments of which one is refused, one is charged and one released', async () => {
  const { sendSms, smsBecomes, balance, expectBooksInOrder } = await smsWorld()
  const detail = await smsBecomes(await sendSms('11', { body: LONG }), 'undelivered')
  expect(detail.ledger.map(({ type, amountMicros }) => [type, amountMicros])).toEqual([
    ['reservation', 2 * SEGMENT],
    ['charge', SEGMENT],
    ['release', SEGMENT],
  ])
  expect(detail).toMatchObject({ errorCode: 'carrier_rejected', chargedMicros: SEGMENT })
  expect(await balance()).toMatchObject({ availableMicros: 100_000_000 - SEGMENT, reservedMicros: 0 })
  await expectBooksInOrder()
})

test('77: duplicates and regressions of …13: delivered once, the rest is for the records', async () => {
  const { sendSms, smsBecomes, sms } = await smsWorld()
  const id = await sendSms('13')
  await smsBecomes(id, 'delivered')
  const detail = await eventually('all four reports came', async () => {
    const found = await sms(id)
    return found.events.filter(({ type }) => type === 'receipt').length === 4 && found
  })
  expect(detail).toMatchObject({ status: 'delivered', errorCode: null })
  expect(detail.events.filter(({ type }) => type === 'delivered')).toHaveLength(1)
})

test('…06 and …14: nothing is heard for three days: what was taken stays paid, what may not have been is released', async () => {
  const { sendSms, smsBecomes, sms, advance, services, expectBooksInOrder, balance } = await smsWorld()
  const [silent, lost] = [await sendSms('06'), await sendSms('14')]
  await smsBecomes(silent, 'sent')
  expect((await smsBecomes(lost, 'unconfirmed')).ledger.map(({ type }) => type)).toEqual(['reservation'])
  expect(await balance()).toMatchObject({ reservedMicros: SEGMENT })
  await advance({ hours: 1 })
  await services.sms.housekeeping.sweep()
  expect((await sms(silent)).status).toBe('unconfirmed')
  expect((await sms(silent)).ledger.map(({ type }) => type)).toEqual(['reservation', 'charge'])
  expect((await sms(lost)).status).toBe('unconfirmed')
  expect((await sms(lost)).ledger.map(({ type }) => type)).toEqual(['reservation', 'release'])
  await expectBooksInOrder()
})

test('…04, …05, …15 and …17: numbers that are refused, each with its code, and nothing reserved', async () => {
  const { text, balance } = await smsWorld()
  expect(await text('04')).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  expect(await text('05')).toMatchObject({ status: 422, body: { code: 'sms_consent_required' } })
  expect(await text('15')).toMatchObject({ status: 402, body: { code: 'sms_insufficient_funds' } })
  expect(await text('17')).toMatchObject({ status: 422, body: { code: 'sms_recipient_not_mobile' } })
  expect(await balance()).toMatchObject({ availableMicros: 100_000_000, reservedMicros: 0 })
})

test('…16: marketing at night is deferred, or refused if that is wanted', async () => {
  const { text, smsBecomes } = await smsWorld()
  const reply = await text('16', { category: 'marketing' })
  expect(reply).toMatchObject({ status: 202, body: { status: 'deferred', deferredUntil: expect.any(String) } })
  expect(await text('16', { category: 'marketing', onQuietHours: 'reject' })).toMatchObject({
    status: 422,
    body: { code: 'sms_quiet_hours' },
  })
  await smsBecomes(String(reply.body['id']), 'delivered')
  expect((await text('16')).body['status']).toBe('queued')
})
