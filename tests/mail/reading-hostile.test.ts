import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { authResultsOf } from '../../src/mail/parse/authentication.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { strippedTextOf } from '../../src/mail/parse/stripped-text.ts'
import { readReport } from '../../src/mail/reports/report.ts'
import { DnsResolver } from '../../src/net/dns.ts'
import { leastWork } from '../support/eventually.ts'
import { seedFor } from '../support/seed.ts'

const nobody = { address: '192.0.2.1', helo: 'client.test', envelopeFrom: '' }
// Nobody listens there.
const dns = new DnsResolver({ servers: ['127.0.0.1:1'], clock: systemClock, timeoutMs: 100 })

/** As long as the longest message that we take. */
const MAX_LENGTH = 30 * 1024 * 1024
const filled = (start: string, unit: string | Buffer, length = MAX_LENGTH): Buffer =>
  Buffer.concat([Buffer.from(start), Buffer.alloc(length, unit)])

const nested = (levels: number, boundary: (level: number) => string): string =>
  Array.from({ length: levels }, (_, level) => {
    return `Content-Type: multipart/mixed; boundary="${boundary(level)}"\r\n\r\n--${boundary(level)}\r\n`
  }).join('')

const mixed = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
const daemon = 'From: mailer-daemon@example.net\r\nSubject: failure notice\r\n'
const status = `${daemon}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n`
const field = 250_000

const hostile: [what: string, make: () => Buffer][] = [
  ['a hundred thousand levels', () => Buffer.from(nested(100_000, (level) => `b${level}`))],
  ['millions of parts', () => filled(mixed, '--b\r\n\r\nx\r\n')],
  ['millions of lines that are almost delimiters', () => filled(mixed, '--c\n')],
  [
    'boundaries that begin alike',
    () =>
      filled(
        nested(50, (level) => 'a'.repeat(level + 1)),
        `--${'a'.repeat(23)}x\r\n`,
      ),
  ],
  ['a field of 30 MB', () => filled('Subject: ', 'x')],
  ['millions of fields', () => filled('', 'a:b\r\n')],
  ['a field of millions of lines', () => filled('Subject: x\r\n', ' y\r\n')],
  ['encoded words without end', () => filled('Subject: ', '=?utf-8?q?=C3?= ', field)],
  ['encoded words in charsets that nobody knows', () => filled('Subject: ', '=?x?q?a?= ', field)],
  ['beginnings of encoded words', () => filled('Subject: ', '=?', field)],
  ['addresses without end', () => filled('To: ', 'a@example.com,', field)],
  ['names without addresses', () => filled('To: ', 'a,', field)],
  ['brackets that never close', () => filled('From: ', '<"(', field)],
  ['a sender of many words', () => filled('From: ', 'mail service ', field)],
  ['parameters without end', () => filled('Content-Type: text/plain', '; a*1*=x', field)],
  ['nothing but line breaks', () => filled('\r\n', '\r\n')],
  ['flowing lines', () => filled('Content-Type: text/plain; format=flowed\r\n\r\n', ' \n')],
  ['bytes that are not UTF-8', () => filled('Content-Type: text/plain; charset=utf-8\r\n\r\n', Buffer.from([0xff]))],
  [
    'switches of the character set',
    () => filled('Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n', '\x1b$B%F\x1b(Ba'),
  ],
  ['almost switches', () => filled('Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n', '\x1b$(')],
  ['words of one switch', () => filled('Subject: ', '=?iso-2022-jp?B?GyRC?= ', field)],
  ['soft breaks that are none', () => filled('Content-Transfer-Encoding: quoted-printable\r\n\r\n', '=    ')],
  ['elements that never close', () => filled('Content-Type: text/html\r\n\r\n', '<div>')],
  ['introductions of quotations', () => filled('\r\n', 'On 1 <a@b> wrote:\r\n', 500_000)],
  ['almost introductions', () => filled('\r\n', `On 1 ${'<@'.repeat(140)}\r\n`, 500_000)],
  ['marks of signatures', () => filled('\r\n', '--\r\n\r\n', 500_000)],
  ['signatures of phones', () => filled('\r\n', 'Sent from my iPhone\r\n', 500_000)],
  ['beginnings of header blocks', () => filled('\r\n', 'From: a\r\n', 500_000)],
  ['a bounce of rules', () => filled(`${daemon}\r\n`, `${'-'.repeat(990)}\r\n`)],
  ['a bounce of spaces', () => filled(`${daemon}\r\n`, `from${' '.repeat(400)}a@b.example\r\n`)],
  ['a bounce of wordings', () => filled(`${daemon}\r\n`, `a@b.example: 550 ${'user '.repeat(50)}\r\n`)],
  ['recipients without end', () => filled(status, 'Final-Recipient: rfc822;a@b.example\r\nAction: failed\r\n\r\n')],
  ['a status of many fields', () => filled(status, 'Final-Recipient: rfc822;a@b.example\r\n')],
  ['a status of empty lines', () => filled(status, '\r\n\r\n')],
  ['nothing but NUL', () => filled('', '\0')],
  ['nothing but CR', () => filled('', '\r')],
]

test.each(hostile)('%s: read in a moment', async (_, make) => {
  const bytes = make()
  const memory = process.memoryUsage().heapUsed
  let message = readMimeMessage(Buffer.alloc(0))
  const reading = await leastWork(2_000, () => {
    message = readMimeMessage(bytes)
    readReport(message)
    strippedTextOf(message)
  })
  expect(reading).toBeLessThan(2_000)
  const proving = await leastWork(2_000, () => authResultsOf(bytes, nobody, { dns, hostname: 'mx.posthouse.test' }))
  expect(proving).toBeLessThan(2_000)
  expect(process.memoryUsage().heapUsed - memory).toBeLessThan(200e6)
  expect(message.root.parts.length).toBeLessThanOrEqual(1_000)
})

test('what is beyond a limit is left unread, and the message says so', () => {
  const three = Buffer.from(
    'Subject: x\r\nX: y\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n1\r\n--b\r\n\r\n2\r\n--b--',
  )
  expect(readMimeMessage(three)).toMatchObject({ text: '1\n2', isCut: false })
  expect(readMimeMessage(three, { parts: 1 })).toMatchObject({ text: '1', isCut: true })
  expect(readMimeMessage(three, { depth: 0 })).toMatchObject({ isCut: true })
  const short = readMimeMessage(three, { headerBytes: 13 })
  expect(short).toMatchObject({ subject: 'x', isCut: true, text: expect.stringContaining('--b') })
  expect(short.fields.map(({ name }) => name)).toEqual(['Subject'])
  const deep = Buffer.from(`${nested(3, (level) => `b${level}`)}\r\nbottom`)
  expect(readMimeMessage(deep, { depth: 3 })).toMatchObject({ text: 'bottom', isCut: false })
  expect(readMimeMessage(deep, { depth: 2 })).toMatchObject({ isCut: true })
  expect(readMimeMessage(deep, { depth: 2 }).text ?? '').not.toContain('bottom')
})

test('any bytes are a message', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      ':',
      ';',
      '--',
      '--b',
      '--b--',
      '"',
      '=?',
      '?=',
      '<',
      '>',
      '@',
      ' ',
      '\0',
      '\t',
    ),
    fc.constantFrom(
      'Content-Type: multipart/mixed; boundary=b\r\n',
      'Content-Type: message/delivery-status\r\n',
      '\r\n\r\n',
    ),
    fc.constantFrom(
      'From: ',
      'Subject: ',
      'Date: ',
      'Final-Recipient: rfc822;',
      'On 1 wrote:\n',
      'Feedback-Type: abuse\r\n',
    ),
    fc.constantFrom(
      'Content-Type: message/feedback-report\r\n',
      'Content-Transfer-Encoding: base64\r\n',
      "a*0*=utf-8'';",
    ),
    fc.string({ unit: 'binary', maxLength: 10 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const message = readMimeMessage(Buffer.from(pieces.join(''), 'latin1'))
      expect(readReport(message).kind).toBeTypeOf('string')
      const texts = [strippedTextOf(message), message.text, message.html, message.subject, message.from?.name]
      for (const text of texts) expect(text === undefined || (text.isWellFormed() && !text.includes('\0'))).toBe(true)
    }),
    { numRuns: 3_000, seed: seedFor('bytes') },
  )
})
