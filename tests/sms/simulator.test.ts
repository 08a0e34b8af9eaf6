import { expect, test } from 'vitest'
import { applyReceipt, type PartStatus } from '../../src/sms/receipts.ts'
import {
  isSimulatedConsent,
  isVelocityLimited,
  simulate,
  simulatedRefusal,
  type Scene,
} from '../../src/sms/simulator.ts'

const number = (last: number): string => `+120255501${String(last).padStart(2, '0')}`
const scene = (
  last: number,
  more: { attempt?: number; concat?: { ref: number; total: number; seq: number } } = {},
): Scene => simulate({ to: number(last), partId: 'p', attempt: 1, ...more }, 1)
const states = ({ before, after }: Scene): string[] =>
  [...before, ...after].flatMap((event) => (event.kind === 'receipt' ? [event.receipt.state] : []))
const replies = ({ after }: Scene): string[] => after.flatMap((event) => (event.kind === 'inbound' ? [event.text] : []))

test.each([0, 20, 55, 98])('…%i is delivered', (last) => {
  expect(scene(last)).toMatchObject({ answer: { ok: true, providerIds: ['sim-p'] }, before: [] })
  expect(states(scene(last))).toEqual(['delivered'])
})

test.each([
  [1, 'unknown_subscriber'],
  [2, 'carrier_filtered'],
])('…0%i is undelivered: %s', (last, errorCode) => {
  expect(scene(last).after).toMatchObject([{ receipt: { state: 'undelivered', errorCode } }])
})

test('…03 is refused at once', () => {
  expect(scene(3)).toMatchObject({ answer: { ok: false, kind: 'permanent', errorCode: 'carrier_rejected' }, after: [] })
})

test.each([
  [4, 'suppressed'],
  [5, 'consent_required'],
  [15, 'insufficient_funds'],
  [16, 'quiet_hours'],
  [17, 'not_mobile'],
  [0, undefined],
  [14, undefined],
])('…%i is stopped by policy: %s', (last, refusal) => {
  expect(simulatedRefusal(number(last))).toBe(refusal)
})

test('every number has consented but …05, and no real one; …20 is limited', () => {
  expect(isSimulatedConsent(number(0))).toBe(true)
  expect(isSimulatedConsent(number(5))).toBe(false)
  expect(isSimulatedConsent('+12025551234')).toBe(false)
  expect([20, 21].map((last) => isVelocityLimited(number(last)))).toEqual([true, false])
})

test('…06 is accepted and never heard of again; …14 is not even answered', () => {
  expect(scene(6)).toMatchObject({ answer: { ok: true }, before: [], after: [] })
  expect(scene(14)).toMatchObject({ answer: { ok: false, kind: 'ambiguous' }, before: [], after: [] })
})

test('…07 is throttled three times', () => {
  const kinds = [1, 2, 3, 4].map((attempt) => scene(7, { attempt }).answer)
  expect(kinds.map((answer) => (answer.ok ? 'ok' : answer.kind))).toEqual(['throttled', 'throttled', 'throttled', 'ok'])
})

test('…08, …09, …10 and …19 answer, once for a message of several parts', () => {
  expect([8, 9, 10, 19].map((last) => replies(scene(last)))).toEqual([
    ['STOP'],
    ['HELP'],
    ['STOP', 'START'],
    ['Stop. Thank you'],
  ])
  const [stop, start] = scene(10).after.filter((event) => event.kind === 'inbound')
  expect(start!.afterMs - stop!.afterMs).toBe(5_000)
  const part = (seq: number) => replies(scene(8, { concat: { ref: 1, total: 2, seq } }))
  expect([part(1), part(2)]).toEqual([[], ['STOP']])
})

test('…11 loses its second part, if it has one', () => {
  const part = (seq: number) => scene(11, { concat: { ref: 1, total: 2, seq } }).answer
  expect([part(1).ok, part(2).ok, scene(11).answer.ok]).toEqual([true, false, true])
})

test('…12 is delivered before it is accepted; …13 is told of four times and delivered once', () => {
  expect(scene(12)).toMatchObject({ answer: { ok: true }, before: [{ receipt: { state: 'delivered' } }], after: [] })
  expect(states(scene(13))).toEqual(['delivered', 'delivered', 'enroute', 'undelivered'])
  const receipts = scene(13).after.flatMap((event) => (event.kind === 'receipt' ? [event.receipt] : []))
  const sent: PartStatus = { seq: 1, state: 'sent' }
  expect(receipts.reduce(applyReceipt, sent)).toMatchObject({ state: 'delivered' })
})

test('…18 is delivered after a minute, and time can be made to run faster', () => {
  expect(scene(18).after).toMatchObject([{ afterMs: 60_000 }])
  expect(simulate({ to: number(18), partId: 'p', attempt: 1 }, 0.01).after).toMatchObject([{ afterMs: 600 }])
  expect(simulate({ to: number(7), partId: 'p', attempt: 1 }, 0.01).answer).toMatchObject({ retryAfterMs: 10 })
})

test('the simulator sends to no real number, nor to its own sender', () => {
  for (const to of ['+12025551234', number(99)]) {
    expect(simulate({ to, partId: 'p', attempt: 1 }, 1)).toMatchObject({
      answer: { ok: false, kind: 'permanent' },
      after: [],
    })
  }
})
