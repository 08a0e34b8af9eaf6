import { expect, test } from 'vitest'
import { sentenceAtField, sentenceOf } from '../../portal/src/kit/problem.ts'
import { piecesOf, visibly } from '../../portal/src/kit/visible.ts'
import { headerLines } from '../../portal/src/kit/header-lines.ts'
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

test.each([
  [
    '/password',
    'is one of those that are tried first: choose another',
    'This is one of those that are tried first: choose another.',
  ],
  ['/to/0', 'must not be empty', 'This must not be empty.'],
  ['/html', 'line 3, column 5: the tag is not closed', 'Line 3, column 5: the tag is not closed.'],
  ['/projects', 'Choose at least one project.', 'Choose at least one project.'],
])('what is wrong with %s is a sentence below its field', (path, message, sentence) => {
  expect(sentenceAtField({ path, message })).toBe(sentence)
})

test.each([
  ['/', 'needs either token or secret', 'What was sent needs either token or secret.'],
  ['/emails/0/subject', 'must be one line', 'emails.0.subject must be one line.'],
  ['/', 'Choose at least one project.', 'Choose at least one project.'],
])('what is wrong with %s names it where there is no field', (path, message, sentence) => {
  expect(sentenceOf({ path, message })).toBe(sentence)
})

test.each([
  ['turns round', 'invoice\u202efdp.exe', 'invoice[U+202E]fdp.exe'],
  ['has no width', 'ad\u200bmin', 'ad[U+200B]min'],
  ['writes nothing', 'a\u{e0041}b', 'a[U+E0041]b'],
  ['controls a terminal', '\u001b[31m', '[U+001B][31m'],
  ['goes back to the beginning of its line', 'user\radmin', 'user[U+000D]admin'],
  ['joins letters that are not joined', 'ad\u200dmin', 'ad[U+200D]min'],
])('a character that %s is marked', (_, text, visible) => {
  expect(visibly(text)).toBe(visible)
  expect(piecesOf(text).filter(({ isMark }) => isMark)).toHaveLength(1)
})

test.each(['Ann Lee', 'one\r\ntwo\n\tthree', '👩‍👩‍👧', '👩🏽‍🚀', '🏳️‍🌈', 'می‌خواهم', 'שלום', 'Zoë'])(
  '%s stays as it is',
  (text) => {
    expect(visibly(text)).toBe(text)
    expect(piecesOf(text)).toEqual([{ text, isMark: false }])
  },
)

test.each([
  ['Hindi', 'क्\u200dष'],
  ['Hindi', 'श्\u200cरी'],
  ['Bengali', 'র\u200d্যাব'],
  ['Malayalam', 'അവന്\u200d'],
  ['Sinhala', 'ශ්\u200dරී ලංකා'],
  ['flags', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
])('what nobody sees is spelling in %s: %s', (_, text) => {
  expect(visibly(text)).toBe(text)
})

test.each([
  ['a joiner behind an accent', 'a\u0301\u200dd', 'a\u0301[U+200D]d'],
  ['letters behind a flag that is none', '🏴\u{e0067}\u{e007f}', '🏴[U+E0067][U+E007F]'],
  [
    'letters behind a whole flag',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}\u{e0061}',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}[U+E0061]',
  ],
])('%s are marked', (_, text, visible) => {
  expect(visibly(text)).toBe(visible)
})
