import { expect, test } from 'vitest'
import { csvOf } from '../../portal/src/pages/suppressions/csv.ts'
import { addressesIn } from '../../portal/src/pages/suppressions/pasted.ts'

test('a pasted list has one address on each line or between commas, each once', () => {
  expect(addressesIn(' a@b.c\r\nd@e.f, a@b.c;g@h.i\n\n')).toEqual(['a@b.c', 'd@e.f', 'g@h.i'])
  expect(addressesIn(' \n, ;')).toEqual([])
})

test('the file has a line for each, quoted where needed, and nothing that a program for tables would run', () => {
  const row = { email: 'a@b.c', reason: 'bounce', note: null, messageId: null, createdAt: '2026-11-16T10:00:00.000Z' }
  const rows = [
    row,
    { ...row, email: '=cmd@b.c', note: '550 "no", such\nuser' },
    { ...row, email: '+1@b.c', note: '@SUM(1)', messageId: 'em_1' },
  ]
  expect(csvOf(rows)).toBe(
    [
      'email,reason,createdAt,messageId,note',
      'a@b.c,bounce,2026-11-16T10:00:00.000Z,,',
      `'=cmd@b.c,bounce,2026-11-16T10:00:00.000Z,,"550 ""no"", such\nuser"`,
      `'+1@b.c,bounce,2026-11-16T10:00:00.000Z,em_1,'@SUM(1)`,
      '',
    ].join('\r\n'),
  )
})
