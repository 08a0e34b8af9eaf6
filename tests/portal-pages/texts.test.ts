import { expect, test } from 'vitest'
import { headerLines } from '../../portal/src/pages/emails/source.ts'
import { respelled } from '../../portal/src/pages/emails/spelling.ts'
import { jsonObject, nested } from '../../portal/src/pages/send/draft.ts'

test.each([
  ['ann@gmial.com', 'ann@gmail.com'],
  ['Ann <ann@hotmial.com>', 'Ann <ann@hotmail.com>'],
  ['ann@gmail.co', 'ann@gmail.com'],
  ['ann@outlok.com', 'ann@outlook.com'],
  ['ann@gmail.com', undefined],
  ['ann@example.org', undefined],
  ['ann@my.com', undefined],
  ['ann@gmx.at', undefined],
  ['ann', undefined],
])('a misspelt domain is recognized: %s', (address, corrected) => {
  expect(respelled(address)).toBe(corrected)
})

test('header fields that go on in the next line are one', () => {
  const source = 'From: a@example.org\r\nDKIM-Signature: v=1;\r\n\tb=abc\r\nSubject: x: y\r\n\r\nTo: in the body'
  expect(headerLines(source)).toEqual([
    { place: 0, name: 'From', value: 'a@example.org' },
    { place: 1, name: 'DKIM-Signature', value: 'v=1;\tb=abc' },
    { place: 2, name: 'Subject', value: 'x: y' },
  ])
})

test('variables with dots become objects, and empty ones are left out', () => {
  expect(nested({ name: 'Ann', 'order.total': '3', 'order.number': '7', other: '' })).toEqual({
    name: 'Ann',
    order: { total: '3', number: '7' },
  })
})

test('what is no JSON object is told from nothing', () => {
  expect(jsonObject(' ')).toBeUndefined()
  expect(jsonObject('{"a": 1}')).toEqual({ a: 1 })
  for (const text of ['[1]', '1', 'null', '{']) expect(jsonObject(text)).toBeNull()
})
