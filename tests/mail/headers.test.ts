import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  addressHeader,
  dateHeader,
  headBytes,
  needsSmtpUtf8,
  textHeader,
  toSingleLine,
  wordsHeader,
} from '../../src/mail/headers.ts'
import { composeHeaders, type MessageHeaders } from '../../src/mail/compose/message-headers.ts'
import { messageId, parseMessageId } from '../../src/mail/message-id.ts'
import { seedFor } from '../support/seed.ts'
import { address } from './contents.ts'
import { headerOf, readHeaders, readText } from './reading.ts'

const texts: [value: string, line: string][] = [
  ['', 'Subject:\r\n'],
  ['Hello', 'Subject: Hello\r\n'],
  ['Two  spaces', 'Subject: Two  spaces\r\n'],
  ['Your order № 4711 is here', 'Subject: Your order =?UTF-8?B?4oSW?= 4711 is here\r\n'],
  ['é a ü', 'Subject: =?UTF-8?B?w6kgYSDDvA==?=\r\n'],
  [' padded ', 'Subject: =?UTF-8?Q?_padded_?=\r\n'],
  ['a\tb', 'Subject: =?UTF-8?B?YQli?=\r\n'],
  ['=?utf-8?q?looks_like_one?=', 'Subject: =?UTF-8?B?PT91dGYtOD9xP2xvb2tzX2xpa2Vfb25lPz0=?=\r\n'],
  ['čĊ', 'Subject: =?UTF-8?B?xI3Eig==?=\r\n'],
  ['\ud800', 'Subject: =?UTF-8?B?77+9?=\r\n'],
]

test.each(texts)('a subject %j is written %j', (value, line) => {
  expect(textHeader('Subject', value)).toEqual({ name: 'Subject', line })
})

test('any text without a line break comes back exactly, in lines of 76 characters', () => {
  const text = fc.string({ unit: fc.oneof(fc.constantFrom(' ', ' ', 'a', 'word', 'é', '=?', '\t', '😀'), anyUnit) })
  fc.assert(
    fc.property(text, fc.constantFrom('Subject', 'X-A-Rather-Long-Name-For-A-Header-Field'), (value, name) => {
      const { line } = textHeader(name, value)
      expect(line).toMatch(/^[\r\n -~]*$/)
      const [read] = readHeaders(line)
      expect(readText(read!.value)).toBe(value.toWellFormed())
      const tooLong = line.split('\r\n').filter((part) => part.length > 76)
      expect(tooLong.filter((part) => / [!-~]+ [!-~]+$/.test(part))).toEqual([])
    }),
    { numRuns: 3_000, seed: seedFor('texts') },
  )
})

const anyUnit = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 3 })
  .map((text) => text.replaceAll(/[\r\n\0]/g, '') || 'x')

test('a long word is kept whole, a very long one is encoded', () => {
  const url = `https://example.com/${'x'.repeat(300)}`
  expect(textHeader('X-Link', `see ${url} there`).line).toBe(`X-Link: see\r\n ${url}\r\n there\r\n`)
  const lines = textHeader('X-Blob', 'x'.repeat(3000)).line.split('\r\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(76)
})

test('no line is made of nothing but spaces', () => {
  const full = 'x'.repeat(76 - 'Subject: '.length)
  const values = [2, 8, 9, 100, 2000].map((spaces) => `a${' '.repeat(spaces)}b `.repeat(40).trim())
  for (const value of [...values, `${full}   ${'y'.repeat(80)}`]) {
    const { line } = textHeader('Subject', value)
    const lines = line.split('\r\n').slice(0, -1)
    expect(lines.every((part) => /\S/.test(part) && part.length <= 998)).toBe(true)
    expect(readText(readHeaders(line)[0]!.value)).toBe(value)
  }
})

test('addresses are folded between each other and between the words of a name', () => {
  const many = Array.from({ length: 50 }, (_, index) => address(`"Recipient, No. ${index}" <r${index}@example.com>`))
  const { line } = addressHeader('To', many)
  expect(line.split('\r\n').every((part) => part.length <= 78)).toBe(true)
  expect(readHeaders(line)[0]!.value.split(/(?<=>), /)).toHaveLength(50)
  const [first, second] = addressHeader('From', [address(`${'Großmutter '.repeat(9)}<a@example.com>`)]).line.split(
    '\r\n',
  )
  expect(first).toMatch(/^From: =\?UTF-8\?Q\?.*\?=$/)
  expect(second).toMatch(/^ =\?UTF-8\?Q\?.*\?=$/)
})

test('an address that needs SMTPUTF8 is written in UTF-8, its letters stay letters', () => {
  const header = addressHeader('To', [address('čĊ@example.com')])
  expect(headBytes([header])).toEqual(Buffer.from('To: čĊ@example.com\r\n\r\n', 'utf8'))
  expect([...headBytes([header])].filter((byte) => byte === 0x0d)).toHaveLength(2)
  expect(needsSmtpUtf8([header])).toBe(true)
  expect(needsSmtpUtf8([addressHeader('To', [address('čĊ <ann@müller.de>')])])).toBe(false)
})

test('the date is in UTC', () => {
  const date = new Date('2026-11-05T09:08:07.654Z')
  expect(dateHeader('Date', date).line).toBe('Date: Thu, 05 Nov 2026 09:08:07 +0000\r\n')
})

test('what would end a line never gets into one', () => {
  for (const bad of ['a\r\nBcc: b', 'a\n', '\r', 'a\0b']) {
    expect(() => textHeader('Subject', bad)).toThrow('more than one line')
    expect(() => wordsHeader('X-A', [bad])).toThrow('not ASCII')
    expect(() => addressHeader('To', [{ ...address('a@example.com'), email: bad }])).toThrow('unsafe')
    expect(() => textHeader(`X-${bad}`, 'a')).toThrow('unsafe')
    expect(toSingleLine(bad)).not.toMatch(/[\r\n\0]/)
  }
  expect(() => wordsHeader('X-A', ['é'])).toThrow('not ASCII')
  expect(() => textHeader('', 'a')).toThrow('unsafe')
  expect(() => textHeader('X A', 'a')).toThrow('unsafe')
  expect(toSingleLine('Ann\r\nBcc: b\0 č')).toBe('Ann Bcc: b  č')
})

test('a message has the fields it needs, in one order', () => {
  const headers = composeHeaders(message, [wordsHeader('MIME-Version', ['1.0'])])
  expect(headBytes(headers).toString()).toBe(
    [
      'From: Posthouse <news@example.com>',
      'To: ann@example.org, Bob <bob@example.org>',
      'Cc: cc@example.org',
      'Reply-To: help@example.com',
      'Subject: Hello',
      'Date: Thu, 05 Nov 2026 09:08:07 +0000',
      'Message-ID: <em_1@example.com>',
      'In-Reply-To: <earlier@example.org>',
      'References: <earlier@example.org>',
      'List-Unsubscribe: <https://example.com/u/1>, <mailto:u+1@example.com>',
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
      'Feedback-ID: b:p:posthouse',
      'CFBL-Address: fbl@mx.example.com; report=arf',
      'CFBL-Feedback-ID: token',
      'X-Campaign: =?UTF-8?B?RnLDvGhsaW5nIOKYgA==?=',
      'MIME-Version: 1.0',
      '',
      '',
    ].join('\r\n'),
  )
})

test('somebody who knows the whole thread brings its references along', () => {
  const headers = composeHeaders({ ...message, custom: { references: '<a@example.org> <earlier@example.org>' } }, [])
  expect(headerOf(readHeaders(headers.map(({ line }) => line).join('')), 'references')).toMatch(/^<a@/)
})

test('an unsubscribe link that is not plain is a defect', () => {
  for (const url of ['https://example.com/>,<x', 'https://example.com/a b', 'https://exämple.com/', 'x\r\ny']) {
    expect(() => composeHeaders({ ...message, unsubscribe: { url } }, [])).toThrow('plain URL')
  }
})

test('message ids of others are taken as they are, if they are ids', () => {
  expect(messageId('em_1', 'example.com')).toBe('<em_1@example.com>')
  for (const id of ['<a@b>', 'a@b', '<CAF=x+y_z$1@mail.gmail.com>']) {
    expect(parseMessageId(id)).toEqual({ ok: true, value: `<${id.replaceAll(/[<>]/g, '')}>` })
  }
  for (const id of ['', 'a', '<a@b', '<a@b> <c@d>', 'a@b\r\n', 'ä@b', 'a b@c', '<<a@b>>', `${'a'.repeat(600)}@b`]) {
    expect(parseMessageId(id)).toMatchObject({ ok: false })
  }
})

const message: MessageHeaders = {
  from: address('Posthouse <news@example.com>'),
  to: [address('ann@example.org'), address('Bob <bob@example.org>')],
  cc: [address('cc@example.org')],
  replyTo: [address('help@example.com')],
  subject: 'Hello',
  date: new Date('2026-11-05T09:08:07Z'),
  messageId: '<em_1@example.com>',
  inReplyTo: '<earlier@example.org>',
  unsubscribe: { url: 'https://example.com/u/1', mailto: 'u+1@example.com' },
  feedbackId: 'b:p:posthouse',
  complaints: { address: 'fbl@mx.example.com', reference: 'token' },
  custom: { 'X-Campaign': 'Frühling ☀' },
}
