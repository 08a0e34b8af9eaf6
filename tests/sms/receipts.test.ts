import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smsErrorCodes, type Receipt } from '../../src/sms/carrier.ts'
import { applyReceipt, applyReceiptToParts, messageStatus, partRank } from '../../src/sms/receipts.ts'
import type { PartStatus, PartState } from '../../src/sms/receipts.ts'

const receipt = (state: Receipt['state'], more: Partial<Receipt> = {}): Receipt => ({ providerId: 'x', state, ...more })
const sent: PartStatus = { seq: 1, state: 'sent' }
const after = (part: PartStatus, ...receipts: Receipt[]): PartStatus => receipts.reduce(applyReceipt, part)

test('77: delivered, then undelivered, stays delivered', () => {
  const part = after(sent, receipt('delivered'), receipt('undelivered', { errorCode: 'unreachable' }))
  expect(part).toEqual({ seq: 1, state: 'delivered' })
})

test('77: undelivered, then delivered, stays undelivered with its error', () => {
  const part = after(
    sent,
    receipt('undelivered', { errorCode: 'unreachable', providerCode: '27' }),
    receipt('delivered'),
  )
  expect(part).toEqual({ seq: 1, state: 'undelivered', errorCode: 'unreachable', providerCode: '27' })
})

test('77: a duplicate changes nothing, not even the object', () => {
  const once = after(sent, receipt('delivered'))
  expect(applyReceipt(once, receipt('delivered'))).toBe(once)
})

test('a receipt before the answer to the submit counts, and one without a code gets one', () => {
  expect(after({ seq: 1, state: 'submitting' }, receipt('undelivered'))).toMatchObject({
    state: 'undelivered',
    errorCode: 'unknown',
  })
})

test('whoever has something to say about an unanswered submit has accepted it', () => {
  const unknown: PartStatus = { seq: 1, state: 'unknown' }
  expect(after(unknown, receipt('enroute'))).toEqual({ seq: 1, state: 'sent' })
  expect(after(unknown, receipt('delivered'))).toEqual({ seq: 1, state: 'delivered' })
})

test('a late receipt settles what was unconfirmed; nothing revives what was refused or stopped', () => {
  expect(after({ seq: 1, state: 'unconfirmed' }, receipt('delivered')).state).toBe('delivered')
  for (const state of ['refused', 'stopped'] as const) {
    expect(after({ seq: 1, state }, receipt('delivered')).state).toBe(state)
  }
})

test('78: part 2 fails first, part 1 is delivered later: undelivered, the error kept', () => {
  let parts: PartStatus[] = [
    { seq: 1, state: 'sent' },
    { seq: 2, state: 'sent' },
  ]
  parts = applyReceiptToParts(parts, 2, receipt('undelivered', { errorCode: 'carrier_filtered' }), 'part')
  expect(messageStatus(parts)).toMatchObject({ state: 'undelivered', errorCode: 'carrier_filtered' })
  parts = applyReceiptToParts(parts, 1, receipt('delivered'), 'part')
  expect(messageStatus(parts)).toMatchObject({ state: 'undelivered', errorCode: 'carrier_filtered' })
})

test('one receipt for all parts is as good as one for each', () => {
  const parts: PartStatus[] = [
    { seq: 1, state: 'sent' },
    { seq: 2, state: 'sent' },
  ]
  expect(messageStatus(applyReceiptToParts(parts, 2, receipt('delivered'), 'message')).state).toBe('delivered')
  expect(messageStatus(applyReceiptToParts(parts, 2, receipt('delivered'), 'part')).state).toBe('sent')
})

test.each<[PartState[], string]>([
  [['queued', 'queued'], 'queued'],
  [['sent', 'queued'], 'submitting'],
  [['sent', 'submitting'], 'submitting'],
  [['sent', 'sent'], 'sent'],
  [['delivered', 'sent'], 'sent'],
  [['delivered', 'delivered'], 'delivered'],
  [['delivered', 'undelivered'], 'undelivered'],
  [['sent', 'refused'], 'undelivered'],
  [['unknown', 'refused'], 'undelivered'],
  [['refused', 'queued'], 'failed'],
  [['refused', 'submitting'], 'submitting'],
  [['refused', 'refused'], 'failed'],
  [['stopped', 'stopped'], 'failed'],
  [['sent', 'unknown'], 'unconfirmed'],
  [['delivered', 'unconfirmed'], 'unconfirmed'],
])('parts that are %j make a message that is %s', (states, expected) => {
  expect(messageStatus(states.map((state, i) => ({ seq: i + 1, state }))).state).toBe(expected)
})

const codes = fc.option(fc.constantFrom(...smsErrorCodes), { nil: undefined })
const passing = fc.constantFrom(receipt('enroute'), receipt('accepted'), receipt('unknown'))
const starts = fc.constantFrom<PartState>('submitting', 'sent', 'unknown', 'unconfirmed')
const finals = fc.oneof(
  fc.constant(receipt('delivered')),
  codes.map((errorCode) => receipt('undelivered', { errorCode, providerCode: '7' })),
)

test('order and duplicates do not matter: what is final counts, whatever comes around it', () => {
  fc.assert(
    fc.property(
      starts,
      finals,
      fc.array(passing),
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.nat()),
      (state, final, others, times, dice) => {
        const all = [...others, ...Array.from({ length: times }, () => final)]
        const shuffled = all.map((one) => ({ one, at: dice.next().value ?? 0 })).toSorted((a, b) => a.at - b.at)
        const part: PartStatus = { seq: 1, state }
        expect(after(part, ...shuffled.map(({ one }) => one))).toEqual(after(part, final))
      },
    ),
  )
})

test('a part never falls, and the first final receipt wins', () => {
  fc.assert(
    fc.property(starts, fc.array(fc.oneof(finals, passing)), (state, receipts) => {
      let part: PartStatus = { seq: 1, state }
      for (const one of receipts) {
        const next = applyReceipt(part, one)
        expect(partRank[next.state]).toBeGreaterThanOrEqual(partRank[part.state])
        part = next
      }
      const first = receipts.find((one) => one.state === 'delivered' || one.state === 'undelivered')
      if (first !== undefined) expect(part.state).toBe(first.state)
    }),
  )
})
