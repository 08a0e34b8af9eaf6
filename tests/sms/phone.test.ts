import { expect, test } from 'vitest'
import { isE164, readPhone, simulatorNumber, simulatorSender } from '../../src/sms/phone.ts'
import { timeZone, timeZonesOf } from '../../src/sms/time-zones.ts'

test.each<[string, string, string | undefined]>([
  ['spaces and parentheses', '+1 (202) 555-0100', '+12025550100'],
  ['a URI', 'tel:+12025550100', '+12025550100'],
  ['an extension', '+12025550100 ext. 5', '+12025550100'],
  ['full-width digits', '＋１２０２５５５０１００', '+12025550100'],
  ['two zeros for the plus', '0012025550100', '+12025550100'],
  ['sixteen digits', '+1202555010012345', undefined],
  ['no plus', '12025550100', undefined],
  ['a national number', '(202) 555-0100', undefined],
  ['a plus and a zero', '+0123456789', undefined],
  ['too few digits', '+123456', undefined],
  ['a line break after it', '+12025550100\n', '+12025550100'],
  ['Arabic digits', '+١٢٠٢٥٥٥٠١٠٠', undefined],
  ['nothing', '', undefined],
  ['words', 'call me', undefined],
  ['very much', `+${'1 '.repeat(10_000)}`, undefined],
])('91: %s is not accepted as a recipient', async (_what, text, suggestion) => {
  const reading = await readPhone(text)
  expect(reading.ok).toBe(false)
  if (suggestion !== undefined) expect(reading).toEqual({ ok: false, suggestion })
  else if (!reading.ok && reading.suggestion !== undefined) expect(isE164(reading.suggestion)).toBe(true)
})

test('no suggestion is made where a country would have to be guessed', async () => {
  for (const text of ['12025550100', '(202) 555-0100', '+1202555010012345', 'call me']) {
    expect(await readPhone(text)).toEqual({ ok: false, suggestion: undefined })
  }
})

test.each([
  ['+12025550100', 'US', '1'],
  ['+18765551234', 'JM', '1'],
  ['+12425551234', 'BS', '1'],
  ['+14165550123', 'CA', '1'],
  ['+447400123456', 'GB', '44'],
  ['+4915112345678', 'DE', '49'],
])('the country of %s is found in the whole number', async (e164, country, callingCode) => {
  expect(await readPhone(e164)).toMatchObject({ ok: true, e164, country, callingCode })
})

test.each([
  ['+447400123456', 'mobile', true],
  ['+12025550100', 'fixed_line_or_mobile', true],
  ['+442079460000', 'fixed_line', false],
  ['+18005551234', 'toll_free', false],
  ['+19005551234', 'premium_rate', false],
  ['+491801234567', 'shared_cost', false],
  ['+447012345678', 'personal_number', false],
  ['+447640123456', 'pager', false],
  ['+445612345678', 'voip', true],
  ['+447700900123', 'unknown', true],
])('the line of %s is %s', async (e164, line, takesSms) => {
  expect(await readPhone(e164)).toMatchObject({ ok: true, line, takesSms })
})

test('a calling code that does not exist is no number', async () => {
  expect(await readPhone('+9991234567')).toEqual({ ok: false, suggestion: undefined })
})

test.each([
  ['+12025550100', '+1********00'],
  ['+447400123456', '+44********56'],
  ['+35312345678', '+353******78'],
])('of %s only %s is shown', async (e164, masked) => {
  expect(await readPhone(e164)).toMatchObject({ masked })
})

test('the simulator block is a hundred numbers and none more', () => {
  expect(simulatorNumber('+12025550100')).toBe(0)
  expect(simulatorNumber(simulatorSender)).toBe(99)
  for (const other of ['+12025550200', '+12025550099', '+120255501000', '+12035550100', '12025550100']) {
    expect(simulatorNumber(other)).toBeUndefined()
  }
})

test.each<[string, string, string[]]>([
  ['+12125550100', 'US', ['America/New_York']],
  ['+13125550100', 'US', ['America/Chicago']],
  ['+18125550100', 'US', ['America/New_York', 'America/Chicago']],
  ['+12705550100', 'US', ['America/New_York', 'America/Chicago']],
  ['+18085550100', 'US', ['Pacific/Honolulu']],
  ['+18765551234', 'JM', ['America/Jamaica']],
  ['+447400123456', 'GB', ['Europe/London']],
])('%s in %s may be in %j', (e164, country, zones) => {
  expect(timeZonesOf({ e164, country })).toEqual(zones)
})

test('an area that is not known has every zone of its country, and no country is the whole world', () => {
  const anywhere = timeZonesOf({ e164: '+15005550100', country: 'US' })
  expect(anywhere).toContain('America/New_York')
  expect(anywhere).toContain('Pacific/Honolulu')
  expect(timeZonesOf({ e164: '+8835100123456', country: undefined })).toHaveLength(2)
})

test('what a person told beats the guess, if it is a time zone', () => {
  const phone = { e164: '+12125550100', country: 'US' }
  expect(timeZonesOf({ ...phone, told: 'Europe/Berlin' })).toEqual(['Europe/Berlin'])
  expect(timeZonesOf({ ...phone, told: 'europe/berlin' })).toEqual(['Europe/Berlin'])
  expect(timeZonesOf({ ...phone, told: 'Mars/Olympus' })).toEqual(['America/New_York'])
  expect(timeZone('+05:30')).toBeUndefined()
})
