import { expect, test } from 'vitest'
import { lastMatch, parseCron } from '../../src/jobs/cron.ts'

const lastOf = (pattern: string, now: string, since: string): string | undefined =>
  lastMatch(parseCron(pattern), { now: Date.parse(now), since: Date.parse(since) })?.toISOString()

test.for([
  ['* * * * *', '2026-02-03T04:05:59.999Z', '2026-02-03T04:05:00.000Z'],
  ['*/10 * * * *', '2026-02-03T04:19:00Z', '2026-02-03T04:10:00.000Z'],
  ['17 * * * *', '2026-02-03T04:16:59Z', '2026-02-03T03:17:00.000Z'],
  ['41 3 * * *', '2026-02-03T03:41:00Z', '2026-02-03T03:41:00.000Z'],
  ['0 0 1 * *', '2026-03-02T12:00:00Z', '2026-03-01T00:00:00.000Z'],
  ['0 12 * 2 0', '2026-03-02T00:00:00Z', '2026-02-22T12:00:00.000Z'],
] as const)('%s was last due, at %s, at %s', ([pattern, now, last]) => {
  expect(lastOf(pattern, now, '2026-02-01T00:00:00Z')).toBe(last)
})

test('what was due is not due again', () => {
  expect(lastOf('41 3 * * *', '2026-02-04T03:40:59Z', '2026-02-03T03:41:00Z')).toBeUndefined()
  expect(lastOf('* * * * *', '2026-02-03T04:05:30Z', '2026-02-03T04:05:00Z')).toBeUndefined()
})

test.for([
  '',
  '* * * *',
  '* * * * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 7',
  '*/0 * * * *',
  'a * * * *',
  '-1 * * * *',
  '1-5 * * * *',
])('"%s" is refused', (pattern) => {
  expect(() => parseCron(pattern)).toThrow('of a schedule')
})
