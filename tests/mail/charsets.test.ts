import { expect, test } from 'vitest'
import { decodeCharset, decodeText } from '../../src/mail/parse/charset.ts'
import { decodeWords } from '../../src/mail/encoded-word.ts'
import { plainParameter } from '../../src/mail/parameters.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1')
const word = (charset: string, text: string): string => `=?${charset}?B?${bytes(text).toString('base64')}?=`

const [toJapanese, toAscii] = ['\x1b$B', '\x1b(B']
const test1 = `${toJapanese}%F%9%H${toAscii}`

test.each([
  ['cp437', '\x81\x84\xe1', 'üäß'],
  ['cp850', '\x9b\x9c\xb5', 'ø£Á'],
  ['utf-7', 'Hi Mom -+Jjo--!', 'Hi Mom -☺-!'],
  ['unicode-1-1-utf-7', 'A+ImIDkQ.', 'A≢Α.'],
  ['iso-2022-jp', test1, 'テスト'],
  ['iso-2022-jp-1', `${toJapanese}%F${toAscii} \x1b$(D0!${toAscii}`, 'テ 丂'],
  ['iso-2022-jp-2', '\x1b$A<:Ky\x1b(B \x1b$(C>H3g\x1b(B', '己所 안녕'],
  ['cp50221', '\x1b(I1X\x1b(B', 'ｱﾘ'],
  ['iso-2022-jp', '\x1b(J\\100 a~b\x1b(B \\~', '¥100 a‾b \\~'],
  ['csiso2022jp', test1, 'テスト'],
  ['iso-2022-kr', '\x1b$)CHello \x0e>H3g\x0f!', 'Hello 안녕!'],
  ['hz-gb-2312', 'Say ~{<:Ky~} ~~.', 'Say 己所 ~.'],
  ['utf-16', '\xfe\xff\x00a\x00\xe4', 'aä'],
  ['utf-16', '\xff\xfea\x00\xe4\x00', 'aä'],
  ['utf-16', '\x00a\x00\xe4', 'aä'],
  ['utf-32le', 'a\x00\x00\x00\xe4\x00\x00\x00', 'aä'],
])('text in %s', (charset, encoded, text) => {
  expect(decodeText(charset, bytes(encoded))).toBe(text)
  expect(decodeWords(word(charset, encoded))).toBe(text)
})

test('each encoded word is read by itself: nothing is left of the switches between two of them', () => {
  const joined = [word('ISO-2022-JP', test1), word('iso-2022-jp', test1), word('iso-2022-jp', `${test1}!`)].join(' ')
  expect(decodeWords(joined)).toBe('テストテストテスト!')
  expect(readMimeMessage(Buffer.from(`Subject: ${joined}\r\n\r\n`)).subject).toBe('テストテストテスト!')
  expect(decodeWords(`${word('hz-gb-2312', '~{<:~}')} ${word('hz-gb-2312', '~{Ky~}')}`)).toBe('己所')
  expect(decodeWords(`${word('utf-16', '\xfe\xff\x00a')} ${word('utf-16', '\xfe\xff\x00b')}`)).toBe('ab')
  expect(decodeWords(`${word('utf-7', '+AOQ')} ${word('utf-7', 'b')}`)).toBe('äb')
})

test('words that were torn in the middle of a character are read together', () => {
  expect(decodeWords(`${word('utf-8', 'a\xc3')} ${word('utf-8', '\xa4b')}`)).toBe('aäb')
  expect(decodeWords(`${word('iso-2022-jp', `${toJapanese}%F%`)} ${word('iso-2022-jp', `9%H${toAscii}`)}`)).toBe(
    'テスト',
  )
  expect(decodeWords(`${word('hz-gb-2312', '~{<:')} ${word('hz-gb-2312', 'Ky~}')}`)).toBe('己所')
  expect(decodeWords(`${word('utf-16', '\xfe\xff\x00a\x00')} ${word('utf-16', 'b')}`)).toBe('ab')
})

test('a word without a switch goes on as the one before it ended', () => {
  const torn = (charset: string, ...parts: string[]): string =>
    decodeWords(parts.map((part) => word(charset, part)).join(' '))
  expect(torn('iso-2022-jp', `${toJapanese}%F%`, '9%H%F', `%9${toAscii}a`, 'b')).toBe('テストテスab')
  expect(torn('iso-2022-jp', 'a', '$B', `${test1}%F`, '%F')).toBe('a$Bテスト%F%F')
  expect(torn('iso-2022-kr', '\x1b$)C\x0e>H', '3g', '>H\x0f!', '>H')).toBe('안녕안!>H')
  expect(torn('hz-gb-2312', '~{<', ':K', 'y~}.', '<:')).toBe('己所.<:')
})

test('words are read together whatever the charset is called', () => {
  expect(decodeWords(`${word('csShiftJIS', '\x83')} ${word('csShiftJIS', '\x65')}`)).toBe('テ')
  expect(decodeWords(`${word('csBig5', '\xa4')} ${word('csBig5', '\xa4')}`)).toBe('中')
  expect(decodeWords(`${word('csEUCKR', '\xbe')} ${word('csEUCKR', '\xc8')}`)).toBe('안')
})

test('a code page that nobody knows is guessed, and never an error', () => {
  for (let page = 0; page < 1_000; page++) {
    for (const name of ['cp', 'cp-', 'ibm', 'ibm-']) {
      const label = `${name}${String(page).padStart(3, '0')}`
      expect(decodeText(label, bytes('x')), label).toHaveLength(1)
    }
  }
  expect(decodeWords('=?cp500?q?x?= <a@b.c>')).toBe('=?cp500?q?x?= <a@b.c>')
})

test('what begins like the name of a charset is none', () => {
  for (const label of ['iso-2022-jp', 'iso-2022-jp-3', 'iso-2022-jp-ms', 'iso-2022-cn-ext', 'cp50220'])
    expect(decodeCharset(label, bytes('x')), label).toBe('x')
  for (const label of ['iso-2022-jp-0001', 'iso-2022-krx', 'cp502201', 'hz-gb-23120'])
    expect(decodeCharset(label, bytes('x')), label).toBeUndefined()
})

test('charsets that switch read any bytes, and end', () => {
  const all = Buffer.from(Array.from({ length: 4_096 }, (_, i) => (i * 31 + (i >> 5)) & 0xff))
  for (const charset of ['iso-2022-jp', 'iso-2022-kr', 'hz-gb-2312', 'utf-7', 'cp437', 'utf-16'])
    expect(decodeText(charset, all).length, charset).toBeGreaterThan(0)
  expect(decodeText('iso-2022-jp', bytes('\x1b$B%'))).toBe('\ufffd')
})

test('a name of a file with a mark of the extended form is quoted', () => {
  expect(plainParameter(['filename', "John's-invoice.pdf"])).toEqual([`filename="John's-invoice.pdf"`])
  expect(plainParameter(['filename', '100%*.pdf'])).toEqual(['filename="100%*.pdf"'])
  expect(plainParameter(['charset', 'utf-8'])).toEqual(['charset=utf-8'])
})

const read = (text: string) => readMimeMessage(Buffer.from(text.replaceAll('\n', '\r\n')))
const part = (type: string, body: string, more = '') => `--b\nContent-Type: ${type}\n${more}\n${body}\n`

test('in a related multipart the html is shown, whatever stands before it', () => {
  const image = part('image/png', 'png', 'Content-ID: <x>\n')
  for (const html of [
    part('text/html', '<p>hi</p>'),
    part('multipart/alternative; boundary=c', '--c\nContent-Type: text/html\n\n<p>hi</p>\n--c--'),
  ])
    expect(read(`Content-Type: multipart/related; boundary=b\n\n${image}${html}--b--\n`)).toMatchObject({
      html: expect.stringContaining('<p>hi</p>'),
      attachments: [{ contentType: 'image/png', contentId: 'x' }],
    })
})

test('an alternative that ends with an opening boundary loses none of its forms', () => {
  const forms = `${part('text/plain', 'text')}${part('text/html', '<p>html</p>')}--b\n`
  expect(read(`Content-Type: multipart/alternative; boundary=b\n\n${forms}`)).toMatchObject({
    text: 'text',
    html: '<p>html</p>',
  })
})

test('what is no type but says that it is no text is a file', () => {
  expect(read('Content-Type: application-x-gzip; name=a.gz\n\nzip\n')).toMatchObject({
    text: undefined,
    attachments: [{ filename: 'a.gz', contentType: 'application/octet-stream' }],
  })
})
