import { createHash } from 'node:crypto'
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import { expect, test } from 'vitest'
import type { Attachment } from '../../src/mail/compose/attachment.ts'
import { decodeBase64, encodeBase64 } from '../../src/mail/base64.ts'
import { composeBody } from '../../src/mail/compose/body.ts'
import { headBytes } from '../../src/mail/headers.ts'
import { composeHeaders } from '../../src/mail/compose/message-headers.ts'
import { decodeQuotedPrintable, encodeQuotedPrintable } from '../../src/mail/quoted-printable.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { runs } from '../support/runs.ts'
import { seedFor } from '../support/seed.ts'
import { anyContent, normalised } from './contents.ts'

const read = (message: string, charset: BufferEncoding = 'utf8') =>
  readMimeMessage(Buffer.from(message.replaceAll('\n', '\r\n'), charset))

/** How a text comes back: line breaks of Unix, no NUL, no mark of the byte order in front. */
const asRead = (text: string): string =>
  normalised(text)
    .replaceAll('\r\n', '\n')
    .replaceAll('\0', '\ufffd')
    .replace(/^\ufeff/, '')

const anyLine = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim(),
)

test('a message of our own comes back as it was written', () => {
  fc.assert(
    fc.property(anyContent, anyLine, anyLine, (content, subject, name) => {
      const body = composeBody(content, '<em_1@example.com>')
      const headers = composeHeaders(
        {
          from: { name, email: 'ann@example.com' },
          to: [
            { name: '', email: 'ben@example.net' },
            { name, email: 'cleo@example.org' },
          ],
          subject,
          date: new Date('2026-11-03T09:14:00Z'),
          messageId: '<em_1@example.com>',
          inReplyTo: '<other@example.net>',
        },
        body.contentHeaders,
      )
      const message = readMimeMessage(Buffer.concat([headBytes(headers), body.body]))
      const isInline = ({ disposition }: Attachment) => disposition === 'inline' && content.html !== undefined
      const given = content.attachments ?? []
      // Those that belong to the html stand beside it.
      const attachments = [...given.filter(isInline), ...given.filter((file) => !isInline(file))].map((file) => ({
        filename: file.filename.trim() || undefined,
        contentType: file.contentType.type,
        contentId: file.contentId,
        disposition: file.disposition,
        content: file.content,
        sha256: createHash('sha256').update(file.content).digest('hex'),
      }))
      expect(message).toMatchObject({
        subject,
        from: { name, email: 'ann@example.com' },
        to: [
          { email: 'ben@example.net', name: '' },
          { email: 'cleo@example.org', name },
        ],
        messageId: '<em_1@example.com>',
        inReplyTo: '<other@example.net>',
        references: ['<other@example.net>'],
        date: new Date('2026-11-03T09:14:00Z'),
        isCut: false,
      })
      expect(message.attachments).toEqual(attachments)
      expect(withoutEnd(message.html)).toBe(withoutEnd(content.html && asRead(content.html)))
      const isEmpty = content.text === undefined && content.html === undefined
      expect(withoutEnd(message.text)).toBe(isEmpty ? '' : withoutEnd(content.text && asRead(content.text)))
    }),
    { numRuns: runs(300), seed: seedFor('round trips') },
  )
})

/** A message ends with a line break, whether its text did or not. */
const withoutEnd = (text: string | undefined): string | undefined => text?.replace(/\n$/, '')

test('a message that another composer wrote comes back as it was written', async () => {
  const message = await new MailComposer({
    from: '"Example, Änn" <ann@example.com>',
    to: 'Ben <ben@example.net>, cleo@example.org',
    replyTo: 'reply@example.com',
    subject: 'Grüße aus 東京 und zurück, mit einem Betreff, der in mehrere Zeilen gefaltet werden muss',
    text: 'Hallo Wörld\n',
    html: '<p>Hallo <img src="cid:logo@example.com"></p>',
    attachments: [
      {
        filename: 'Übersicht mit einem sehr langen Namen, der in Stücke zerlegt wird 東京.pdf',
        content: Buffer.from('pdf'),
      },
      { filename: 'logo.png', cid: 'logo@example.com', content: Buffer.from('png'), contentDisposition: 'inline' },
    ],
  })
    .compile()
    .build()
  expect(readMimeMessage(message)).toMatchObject({
    from: { email: 'ann@example.com', name: 'Example, Änn' },
    to: [
      { email: 'ben@example.net', name: 'Ben' },
      { email: 'cleo@example.org', name: '' },
    ],
    replyTo: [{ email: 'reply@example.com', name: '' }],
    subject: 'Grüße aus 東京 und zurück, mit einem Betreff, der in mehrere Zeilen gefaltet werden muss',
    text: 'Hallo Wörld\n',
    html: '<p>Hallo <img src="cid:logo@example.com"></p>',
    attachments: [
      { filename: 'logo.png', contentId: 'logo@example.com', disposition: 'inline', contentType: 'image/png' },
      {
        filename: 'Übersicht mit einem sehr langen Namen, der in Stücke zerlegt wird 東京.pdf',
        contentType: 'application/pdf',
        disposition: 'attachment',
        sha256: createHash('sha256').update('pdf').digest('hex'),
      },
    ],
  })
})

test('fields keep their order and are all there, raw and decoded', () => {
  const { fields } = read(
    'Received: one\nSubject: =?utf-8?q?=C3=A4?=\n =?utf-8?q?=C3=B6?=\nX : y\nno field\nReceived: two\n\n',
  )
  expect(fields).toEqual([
    { name: 'Received', raw: 'one', value: 'one' },
    { name: 'Subject', raw: '=?utf-8?q?=C3=A4?= =?utf-8?q?=C3=B6?=', value: 'äö' },
    { name: 'X', raw: 'y', value: 'y' },
    { name: 'Received', raw: 'two', value: 'two' },
  ])
})

test.each([
  ['a character torn between two words', '=?utf-8?B?4pw=?= =?utf-8?B?kw==?=', '✓'],
  ['two charsets', '=?iso-8859-1?q?=E4?= =?utf-8?q?=C3=B6?= x', 'äö x'],
  ['a charset that nobody knows', '=?x-nobody?q?a?=', '=?x-nobody?q?a?='],
  ['a language', '=?utf-8*de?q?=C3=A4?=', 'ä'],
  ['Japanese', '=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=', '日本'],
  ['a line break in a word', '=?utf-8?q?a=0D=0ABcc:_x?=', 'a Bcc: x'],
  ['no words', 'plain = ? text', 'plain = ? text'],
])('a subject with %s is read', (_, written, subject) => {
  expect(read(`Subject: ${written}\n\n`).subject).toBe(subject)
})

test('a field without encoding is UTF-8, or else Latin-1', () => {
  expect(read('Subject: Grüße\n\n').subject).toBe('Grüße')
  expect(read('Subject: Grüße\n\n', 'latin1').subject).toBe('Grüße')
})

test.each([
  ['charset=utf-8', Buffer.from('Grüße'), 'Grüße'],
  ['charset="ISO-8859-1"', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['charset=us-ascii', Buffer.from('Grüße'), 'Grüße'],
  ['charset=x-unknown', Buffer.from('Grüße', 'latin1'), 'Grüße'],
  ['', Buffer.from('Grüße'), 'Grüße'],
  ['charset=shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
  ['charset=koi8-r', Buffer.from([0xc4, 0xc1]), 'да'],
  ['charset=utf-16le', Buffer.from('a\r\nb', 'utf16le'), 'a\nb'],
  ['charset=utf-8', Buffer.from('\ufeffa\0b'), 'a\ufffdb'],
  [
    'charset=utf-8; format=flowed',
    Buffer.from('one \r\ntwo\r\n> three \r\n> four\r\n-- \r\nAnn'),
    'one two\n> three four\n-- \nAnn',
  ],
  ['charset=utf-8; format=flowed; delsp=yes', Buffer.from('one \r\ntwo'), 'onetwo'],
])('a text with "%s" is decoded', (parameters, bytes, text) => {
  const head = Buffer.from(`Content-Type: text/plain; ${parameters}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`)
  expect(readMimeMessage(Buffer.concat([head, bytes])).text).toBe(text)
})

const part = (type: string, body: string, more = ''): string => `Content-Type: ${type}\n${more}\n${body}\n`
const multipart = (kind: string, boundary: string, parts: string[]): string =>
  `Content-Type: multipart/${kind}; boundary=${boundary}\n\n${parts.map((each) => `--${boundary}\n${each}`).join('')}--${boundary}--\n`

test('the body is what a mail program shows', () => {
  const alternative = multipart('alternative', 'alt', [
    part('text/plain', 'plain'),
    multipart('related', 'rel', [part('text/html', '<b>html</b>'), part('image/png', 'x', 'Content-ID: <a@b>\n')]),
    part('text/calendar', 'BEGIN:VCALENDAR'),
  ])
  const message = read(
    multipart('mixed', 'mix', [
      alternative,
      part('text/plain; name=notes.txt', 'a file'),
      part('text/plain', 'a footer of a list'),
      part('text/plain', 'attached', 'Content-Disposition: attachment\n'),
      part('text/plain', '   '),
    ]),
  )
  expect(message.text).toBe('plain\na footer of a list')
  expect(message.html).toBe('<b>html</b>\n<div style="white-space: pre-wrap">a footer of a list</div>')
  expect(
    message.attachments.map(({ contentType, disposition, filename }) => [contentType, disposition, filename]),
  ).toEqual([
    ['image/png', 'inline', undefined],
    ['text/calendar', 'attachment', undefined],
    ['text/plain', 'attachment', 'notes.txt'],
    ['text/plain', 'attachment', undefined],
  ])
})

test.each([
  ["filename*=UTF-8''%C3%BCber.pdf; filename=plain.pdf", 'über.pdf'],
  ["filename*0*=iso-8859-1'de'%FCb; filename*2=.pdf; filename*1*=er", 'über.pdf'],
  ['filename="=?utf-8?q?=C3=BCber?=.pdf"', 'über.pdf'],
  ['filename="a \\"b\\"; c.pdf"', 'a "b"; c.pdf'],
  ['filename=my file.pdf', 'my file.pdf'],
  ['filename="C:\\folder\\a.pdf"', 'C:\\folder\\a.pdf'],
  ['filename="not closed.pdf', 'not closed.pdf'],
  ['filename=""', undefined],
])('a file named by %s has its name', (parameter, filename) => {
  const message = read(part('application/pdf', 'x', `Content-Disposition: attachment; ${parameter}\n`))
  expect(message.attachments.map((attachment) => attachment.filename)).toEqual([filename])
})

test('of parts that belong together the one that is named is the letter, and the first where none is', () => {
  const parts = [
    part('text/html', '<b>one</b>', 'Content-ID: <one@x>\n'),
    part('text/html', '<b>two</b>', 'Content-ID: <two@x>\n'),
  ]
  const letter = multipart('related', 'rel', parts)
  expect(read(letter).html).toBe('<b>one</b>')
  expect(read(letter.replace('boundary=', 'start="<two@x>"; boundary=')).html).toBe('<b>two</b>')
  expect(read(letter.replace('boundary=', 'start="<none@x>"; boundary=')).html).toBe('<b>one</b>')
})

test('a name that people give is decoded, and of other words only the first counts', () => {
  const body = part(
    'text/plain; charset=iso-8859-1 oops; name="=?utf-8?q?=C3=BCber?="',
    '\xe4',
    'Content-Disposition: attachment\n',
  )
  const message = read(multipart('mixed', 'mix', [part('text/plain', 'Hi'), body]), 'latin1')
  expect(message.attachments.map(({ filename }) => filename)).toEqual(['über'])
  expect(read('Content-Type: text/plain; charset=iso-8859-1 oops\n\n\xe4', 'latin1').text).toBe('ä')
})

test('a part ends where its multipart or an outer one says, and at nothing that only looks like it', () => {
  const inner = 'Content-Type: multipart/mixed; boundary=ab\n\n--ab\n\none\n--abc\n--ab-- x\n-- ab\n'
  const message = read(
    `Content-Type: multipart/mixed; boundary=a\n\npreamble\n--a\n${inner}--a  \n\ntwo\n--a--\nepilogue\n`,
  )
  expect(message.text).toBe('one\n--abc\n--ab-- x\n-- ab\ntwo')
})

test('a multipart whose boundary never comes is text, and so is a type that is none', () => {
  expect(read('Content-Type: multipart/mixed; boundary=a\n\n--b\ntext').text).toBe('--b\ntext')
  expect(read('Content-Type: multipart/mixed\n\ntext').text).toBe('text')
  expect(read('Content-Type: html\n\ntext').text).toBe('text')
})

test('a message inside a message is a file, and its text not ours', () => {
  const message = read(
    multipart('mixed', 'm', [part('text/plain', 'see below'), part('message/rfc822', 'Subject: x\n\ninner')]),
  )
  expect(message.text).toBe('see below')
  expect(message.attachments.map(({ content }) => content.toString())).toEqual(['Subject: x\r\n\r\ninner'])
})

test.each([
  ['Tue, 3 Nov 2026 10:14:05 +0100', '2026-11-03T09:14:05.000Z'],
  ['3 Nov 26 09:14 GMT', '2026-11-03T09:14:00.000Z'],
  ['Tue, 03 Nov 2026 04:14:05 EST (New York)', '2026-11-03T09:14:05.000Z'],
  ['yesterday', undefined],
])('the date %s is read', (written, date) => {
  expect(read(`Date: ${written}\n\n`).date?.toISOString()).toBe(date)
})

test('quoted-printable that others wrote is read by its rules, or left as it is', () => {
  const decode = (encoded: string) => decodeQuotedPrintable(Buffer.from(encoded, 'latin1')).toString('latin1')
  expect(decode('a=3D=3d=E4  \t\r\nb=\r\nc= \t\nd=xy=2=')).toBe('a==\xe4\r\nbcd=xy=2')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decodeQuotedPrintable(encodeQuotedPrintable(text)).toString()).toBe(normalised(text))
    }),
  )
})

test('base64 that others wrote is read by its rules, whatever stands between', () => {
  expect(decodeBase64(Buffer.from('YW\r\n5u!*\r\nYQ==YmI=')).toString()).toBe('annabb')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      expect(decodeBase64(encodeBase64(Buffer.from(bytes)))).toEqual(Buffer.from(bytes))
    }),
  )
})
