import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSafeAddress } from '../../../src/smtp/client/envelope.ts'
import { ReplyReader } from '../../../src/smtp/client/reply-reader.ts'
import { DotStuffing } from '../../../src/smtp/client/stuffing.ts'
import { simple } from './world.ts'

test('however content is cut into pieces, the wire carries the same', () => {
  const piece = fc.string({ unit: fc.constantFrom('\r', '\n', '.', 'a', 'bc', '\r\n'), maxLength: 12 })
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const stuffed = (parts: readonly string[]) => {
        const stuffing = new DotStuffing()
        const body = Buffer.concat(parts.map((part) => stuffing.next(Buffer.from(part)))).toString('latin1')
        return body + stuffing.end()
      }
      const wire = stuffed(pieces)
      expect(wire).toBe(stuffed([pieces.join('')]))
      expect(wire.indexOf('\r\n.\r\n') === -1 ? wire : wire.slice(wire.indexOf('\r\n.\r\n') + 2)).toBe('.\r\n')
      expect(wire).not.toMatch(/(^|[^\r])\n|\r(?!\n)/)
      const unstuffed = wire.slice(0, -3).replace(/(^|\r\n)\./g, '$1')
      const normal = pieces.join('').replace(/\r\n|\r|\n/g, '\r\n')
      expect(unstuffed).toBe(normal === '' || normal.endsWith('\r\n') ? normal : `${normal}\r\n`)
    }),
    { numRuns: 3_000 },
  )
})

test('clean content is not copied', () => {
  const content = Buffer.from(simple)
  expect(new DotStuffing().next(content)).toBe(content)
})

const evil = [
  'a@a.test>\r\nRCPT TO:<b@a.test',
  'a@a.test\r\nDATA',
  'a@a.test\n',
  'a b@a.test',
  'a<b@a.test',
  'a>b@a.test',
  'a\0@a.test',
  'a@a.test> SIZE=1',
  'a@a.test,b@a.test',
  '"a\r\nb"@a.test',
  '"a"b"@a.test',
  'a@[1.2.3.4]>',
  'a@b c',
  '@a.test',
  'a@',
  'a',
  '',
  `${'a'.repeat(65)}@a.test`,
  `a@${'a'.repeat(254)}`,
  'a\u0085@a.test',
  'a\u2028@a.test',
  'a\u00a0b@a.test',
  '\ud800@a.test',
  'a@münchen.test',
]

test.each(evil)('no address can leave its brackets: %j', async (address) => {
  expect(isSafeAddress(address)).toBe(false)
})

test('ten thousand made-up addresses are refused, or harmless', () => {
  const special = fc.constantFrom('\r', '\n', '\0', '<', '>', ' ', '"', '\\', '@', '.', 'a', '\u010d', '\u010a')
  const part = fc.string({ unit: fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })) })
  let harmless = 0
  fc.assert(
    fc.property(
      fc.oneof(
        part,
        fc.emailAddress().map((one) => one.replace(/@.*/, '')),
      ),
      (local) => {
        const address = `${local}@a.test`
        if (!isSafeAddress(address)) return true
        harmless++
        // oxlint-disable-next-line no-control-regex -- what must never be there
        const breaksOut = /[\r\n\0]/.test(Buffer.from(address, 'utf8').toString('latin1'))
        return !breaksOut && !/[<>\s]/.test(address.replace(/^"(?:[^"\\]|\\.)*"@/, '@'))
      },
    ),
    { numRuns: 10_000 },
  )
  expect(harmless).toBeGreaterThan(1_000)
})

test.each<[string, string, { code: number; lines: string[] }[], boolean]>([
  ['one line', '250 ok\r\n', [{ code: 250, lines: ['ok'] }], false],
  ['several', '250-a\r\n250-b\r\n250 c\r\n', [{ code: 250, lines: ['a', 'b', 'c'] }], false],
  [
    'two replies',
    '250 a\r\n354 b\r\n',
    [
      { code: 250, lines: ['a'] },
      { code: 354, lines: ['b'] },
    ],
    false,
  ],
  [
    'no text',
    '250\r\n250 \r\n',
    [
      { code: 250, lines: [''] },
      { code: 250, lines: [''] },
    ],
    false,
  ],
  ['bare line feeds', '250-a\n250 b\n', [{ code: 250, lines: ['a', 'b'] }], false],
  ['an unfinished line', '250 a', [], false],
  ['another protocol', 'HTTP/1.1 400\r\n', [], true],
  ['an impossible code', '650 a\r\n', [], true],
  ['a long number', '2500 a\r\n', [], true],
  ['an empty line', '\r\n', [], true],
  ['no end', `250-a\r\n`.repeat(20_000), [{ code: 250, lines: Array(200).fill('a') }], true],
  ['an endless line', `250 ${'a'.repeat(9_000)}`, [{ code: 250, lines: ['a'.repeat(8_188)] }], true],
])('a reply with %s', (_case, text, replies, isFault) => {
  const whole = new ReplyReader()
  expect(whole.take(Buffer.from(text)).map(({ code, lines }) => ({ code, lines }))).toEqual(replies)
  expect(whole.fault !== undefined).toBe(isFault)
  const dripping = new ReplyReader()
  const letters = text.length > 1_000 ? [] : [...text]
  const pieces = letters.flatMap((letter) => dripping.take(Buffer.from(letter)))
  if (letters.length > 0) expect(pieces).toMatchObject(replies)
})
