import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isHours, presets, quietHours, type Hours } from '../../src/sms/quiet-hours.ts'

const NEW_YORK = 'America/New_York'
const verdict = (at: string, zones: string[] = [NEW_YORK], hours: Hours = presets.federal, random = () => 0) =>
  quietHours(new Date(at), { zones, hours, random })
const until = (moment: string) => ({ kind: 'deferred', until: new Date(moment) })
const allowed = { kind: 'allowed' }

test.each([
  ['07:59:59.999', '2026-11-03T12:59:59.999Z', until('2026-11-03T13:00:00Z')],
  ['08:00', '2026-11-03T13:00:00Z', allowed],
  ['20:59:59.999', '2026-11-04T01:59:59.999Z', allowed],
  ['21:00', '2026-11-04T02:00:00Z', until('2026-11-04T13:00:00Z')],
])('76: at %s in New York', (_local, at, expected) => {
  expect(verdict(at)).toEqual(expected)
})

test('76: where an area spans two zones it must be day in both', () => {
  const indiana = ['America/New_York', 'America/Chicago']
  expect(verdict('2026-11-03T13:30:00Z', indiana)).toEqual(until('2026-11-03T14:00:00Z'))
  expect(verdict('2026-11-04T02:30:00Z', indiana)).toEqual(until('2026-11-04T14:00:00Z'))
  expect(verdict('2026-11-03T14:00:00Z', indiana)).toEqual(allowed)
})

test('76: on the day that the clocks spring forward eight comes an hour earlier', () => {
  expect(verdict('2026-03-08T03:00:00Z')).toEqual(until('2026-03-08T12:00:00Z'))
  expect(verdict('2026-03-07T03:00:00Z')).toEqual(until('2026-03-07T13:00:00Z'))
})

test('76: on the day that they fall back it comes an hour later', () => {
  expect(verdict('2026-11-01T04:00:00Z')).toEqual(until('2026-11-01T13:00:00Z'))
  expect(verdict('2026-10-31T04:00:00Z')).toEqual(until('2026-10-31T12:00:00Z'))
})

test('an hour that the clocks jump over has come when they have jumped', () => {
  expect(verdict('2026-03-08T06:00:00Z', [NEW_YORK], { start: '02:30', end: '21:00' })).toEqual(
    until('2026-03-08T07:00:00Z'),
  )
})

test('an hour that the clocks show twice is open at each of its turns, and shut between them', () => {
  const hours = { start: '01:30', end: '21:00' }
  expect(verdict('2026-11-01T05:15:00Z', [NEW_YORK], hours)).toEqual(until('2026-11-01T05:30:00Z'))
  expect(verdict('2026-11-01T05:45:00Z', [NEW_YORK], hours)).toEqual(allowed)
  expect(verdict('2026-11-01T06:15:00Z', [NEW_YORK], hours)).toEqual(until('2026-11-01T06:30:00Z'))
})

test('the strict preset begins at nine, ends at eight and has a late Sunday', () => {
  const strict = (at: string) => verdict(at, [NEW_YORK], presets.strict)
  expect(strict('2026-11-03T13:30:00Z')).toEqual(until('2026-11-03T14:00:00Z'))
  expect(strict('2026-11-04T01:00:00Z')).toEqual(until('2026-11-04T14:00:00Z'))
  expect(strict('2026-11-08T14:00:00Z')).toEqual(until('2026-11-08T17:00:00Z'))
  expect(strict('2026-11-08T17:00:00Z')).toEqual(allowed)
})

test('hours that suit no two ends of a country at once mean never', () => {
  const zones = ['Asia/Kamchatka', 'Europe/Kaliningrad']
  expect(verdict('2026-11-03T00:00:00Z', zones, { start: '12:00', end: '13:00' })).toEqual({ kind: 'never' })
  expect(verdict('2026-11-03T00:00:00Z', zones).kind).toBe('deferred')
})

test('what was deferred is spread over ten minutes, but not past the end of the hours', () => {
  expect(verdict('2026-11-03T03:00:00Z', [NEW_YORK], presets.federal, () => 0.5)).toEqual(until('2026-11-03T13:05:00Z'))
  const short = { start: '08:00', end: '08:02' }
  expect(verdict('2026-11-03T03:00:00Z', [NEW_YORK], short, () => 0.5)).toEqual(until('2026-11-03T13:00:00Z'))
})

test('hours are times of one day, the end after the start', () => {
  expect(isHours({ start: '00:00', end: '24:00' })).toBe(true)
  for (const hours of [
    { start: '9:00', end: '20:00' },
    { start: '20:00', end: '09:00' },
    { start: '09:00', end: '24:01' },
    { start: '09:00', end: '20:00', sundayStart: '20:00' },
  ]) {
    expect(isHours(hours)).toBe(false)
  }
})

test('wherever it is, the moment found is open, it is not before the question, and asking again agrees', () => {
  const zones = fc.subarray(
    [
      'America/New_York',
      'America/Los_Angeles',
      'Pacific/Honolulu',
      'Europe/Lisbon',
      'Asia/Kolkata',
      'America/St_Johns',
    ],
    { minLength: 1, maxLength: 3 },
  )
  const moments = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moments, zones, fc.constantFrom<Hours>(presets.federal, presets.strict), (at, some, hours) => {
      const found = quietHours(at, { zones: some, hours, random: () => 0 })
      if (found.kind !== 'deferred') return
      expect(found.until.getTime()).toBeGreaterThan(at.getTime())
      for (const zone of some) {
        const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
        const time = local.format(found.until)
        expect(time >= hours.start && time < hours.end, `${zone} ${time}`).toBe(true)
      }
      expect(quietHours(found.until, { zones: some, hours, random: () => 0 })).toEqual({ kind: 'allowed' })
    }),
  )
})
