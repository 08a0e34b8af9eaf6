import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromSeptets, isGsm, septetsOf, toSeptets } from '../../src/sms/gsm.ts'
import { segment, unitsOf, type Segmenting, type Segments } from '../../src/sms/segments.ts'

const plain: Segmenting = { encoding: 'auto', transliterate: false }
const a = (count: number): string => 'a'.repeat(count)
const family = '👨‍👩‍👧‍👦'
const [TAB, NBSP, ZWSP, BOM, FF] = ['\t', '\u00a0', '\u200b', '\ufeff', '\f']

type Good = Extract<Segments, { ok: true }>

function good(body: string, options: Segmenting = plain): Good {
  const segments = segment(body, options)
  if (!segments.ok) throw new Error(segments.problem)
  return segments
}

const cases: [number: number, what: string, body: string, alphabet: 'gsm7' | 'ucs2', units: number, parts: number][] = [
  [1, 'a×160', a(160), 'gsm7', 160, 1],
  [2, 'a×161', a(161), 'gsm7', 161, 2],
  [3, 'a×306', a(306), 'gsm7', 306, 2],
  [3, 'a×307', a(307), 'gsm7', 307, 3],
  [4, 'a×459', a(459), 'gsm7', 459, 3],
  [4, 'a×460', a(460), 'gsm7', 460, 4],
  [5, 'a×158 and €', `${a(158)}€`, 'gsm7', 160, 1],
  [6, 'a×159 and €', `${a(159)}€`, 'gsm7', 161, 2],
  [7, '€×80', '€'.repeat(80), 'gsm7', 160, 1],
  [7, '€×81', '€'.repeat(81), 'gsm7', 162, 2],
  [8, '€×152', '€'.repeat(152), 'gsm7', 304, 2],
  [8, '€×153', '€'.repeat(153), 'gsm7', 306, 3],
  [9, 'a×152, €, a×151', `${a(152)}€${a(151)}`, 'gsm7', 305, 2],
  [10, 'a×152, €, a×152', `${a(152)}€${a(152)}`, 'gsm7', 306, 3],
  [11, 'é×160', 'é'.repeat(160), 'gsm7', 160, 1],
  [12, 'ç×160', 'ç'.repeat(160), 'ucs2', 160, 3],
  [13, 'Ç×160', 'Ç'.repeat(160), 'gsm7', 160, 1],
  [13, 'Δ×160', 'Δ'.repeat(160), 'gsm7', 160, 1],
  [14, 'á×70', 'á'.repeat(70), 'ucs2', 70, 1],
  [14, 'á×71', 'á'.repeat(71), 'ucs2', 71, 2],
  [14, 'á×134', 'á'.repeat(134), 'ucs2', 134, 2],
  [14, 'á×135', 'á'.repeat(135), 'ucs2', 135, 3],
  [15, 'form feed ×80', FF.repeat(80), 'gsm7', 160, 1],
  [16, '😀×35', '😀'.repeat(35), 'ucs2', 70, 1],
  [17, '😀×36', '😀'.repeat(36), 'ucs2', 72, 2],
  [18, '😀×66', '😀'.repeat(66), 'ucs2', 132, 2],
  [18, '😀×67', '😀'.repeat(67), 'ucs2', 134, 3],
  [19, 'a×66, 😀, a×66', `${a(66)}😀${a(66)}`, 'ucs2', 134, 3],
  [20, 'a×67, 😀, a×65', `${a(67)}😀${a(65)}`, 'ucs2', 134, 2],
  [21, '🇮🇹×17', '🇮🇹'.repeat(17), 'ucs2', 68, 1],
  [21, '🇮🇹×18', '🇮🇹'.repeat(18), 'ucs2', 72, 2],
  [22, 'family ×6', family.repeat(6), 'ucs2', 66, 1],
  [22, 'family ×7', family.repeat(7), 'ucs2', 77, 2],
  [23, 'a×69 and ’', `${a(69)}’`, 'ucs2', 70, 1],
  [23, 'a×70 and ’', `${a(70)}’`, 'ucs2', 71, 2],
  [24, 'a×64, family, a×59', `${a(64)}${family}${a(59)}`, 'ucs2', 134, 2],
  [25, 'a×65, 🇮🇹, a×65', `${a(65)}🇮🇹${a(65)}`, 'ucs2', 134, 2],
  [26, 'e and a combining acute ×160', 'e\u0301'.repeat(160), 'gsm7', 160, 1],
  [27, 'a×159 and a grave accent', `${a(159)}\``, 'ucs2', 160, 3],
  [28, 'α×70', 'α'.repeat(70), 'ucs2', 70, 1],
  [28, 'Greek Α×71', 'Α'.repeat(71), 'ucs2', 71, 2],
  [29, 'a×1530', a(1530), 'gsm7', 1530, 10],
  [29, 'a×1531', a(1531), 'gsm7', 1531, 11],
  [30, 'á×670', 'á'.repeat(670), 'ucs2', 670, 10],
  [30, 'á×671', 'á'.repeat(671), 'ucs2', 671, 11],
  [31, 'a tabulator', `a${TAB}b`, 'ucs2', 3, 1],
  [31, 'a no-break space', `a${NBSP}b`, 'ucs2', 3, 1],
  [31, 'a zero-width space', `a${ZWSP}b`, 'ucs2', 3, 1],
  [31, 'a byte order mark', `a${BOM}b`, 'ucs2', 3, 1],
  [32, 'curly quotes and a×150', `“Hi”${a(150)}`, 'ucs2', 154, 3],
  [33, 'a×156 and …', `${a(156)}…`, 'ucs2', 157, 3],
  [36, '[]{}×17, é and ’', `${'[]{}'.repeat(17)}é’`, 'ucs2', 70, 1],
  [37, 'CRLF×160', '\r\n'.repeat(160), 'gsm7', 160, 1],
]

test.each(cases)('%i: %s', (_number, _what, body, alphabet, units, parts) => {
  const found = good(body)
  expect({ alphabet: found.encoding, units: found.units, parts: found.parts.length }).toEqual({
    alphabet,
    units,
    parts,
  })
})

const smart: Segmenting = { encoding: 'auto', transliterate: true }

test.each<[number, string, string, string, number]>([
  [32, 'quotes', `“Hi”${a(150)}`, `"Hi"${a(150)}`, 154],
  [33, 'an ellipsis', `${a(156)}…`, `${a(156)}...`, 159],
])('%i: %s transliterated into one part', (_number, _what, body, text, units) => {
  expect(good(body, smart)).toMatchObject({ encoding: 'gsm7', text, units, parts: [text] })
})

test('34: what cannot become GSM as a whole is left unchanged by transliteration', () => {
  expect(good('“Hi” 😀', smart)).toMatchObject({ encoding: 'ucs2', text: '“Hi” 😀' })
})

test.each([
  ['a raw ESC', 'a\u001bb', 'control_character'],
  ['NUL', 'a\u0000b', 'control_character'],
  ['a lone CR', 'a\rb', 'control_character'],
  ['a control character of the second kind', 'a\u0085b', 'control_character'],
  ['a lone high surrogate', 'a\ud83d', 'lone_surrogate'],
  ['a lone low surrogate', '\ude00a', 'lone_surrogate'],
  ['nothing', '', 'empty'],
])('35: %s is refused', (_what, body, problem) => {
  expect(segment(body, plain)).toEqual({ ok: false, problem })
})

test.each<[string, string, number]>([
  ['a×306', a(306), 3],
  ['á×134', 'á'.repeat(134), 3],
  ['a×1530', a(1530), 11],
])('38: a reference of 16 bits costs room: %s', (_what, body, parts) => {
  expect(good(body, { ...plain, reference: 16 }).parts).toHaveLength(parts)
})

test('an encoding that was asked for is kept to', () => {
  expect(good('plain', { encoding: 'ucs2', transliterate: true })).toMatchObject({ encoding: 'ucs2', text: 'plain' })
  expect(good('plain €', { encoding: 'gsm7', transliterate: false })).toMatchObject({ encoding: 'gsm7', units: 8 })
  expect(segment('ça', { encoding: 'gsm7', transliterate: false })).toEqual({ ok: false, problem: 'not_gsm7' })
  expect(good('ça', { encoding: 'gsm7', transliterate: true })).toMatchObject({ text: 'ca' })
})

test('addresses of web pages are never transliterated', () => {
  expect(good('see “https://a.test/olá” now', smart).text).toBe('see “https://a.test/olá” now')
  expect(good('see “https://a.test/x-y” now', smart).text).toBe('see "https://a.test/x-y" now')
  expect(good(`a${NBSP}b`, smart).text).toBe('a b')
})

test('the alphabet has 127 characters of one septet and ten of two', () => {
  const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code))
  expect(all.filter((character) => septetsOf(character) === 1)).toHaveLength(127)
  expect(all.filter((character) => septetsOf(character) === 2).toSorted()).toEqual([...'\f^{}\\[~]|€'].toSorted())
  for (const character of '`´çáíóú’“”–—…•\t\u00a0') expect(isGsm(character), character).toBe(false)
  expect(isGsm('ÇéèàùìòñäöüßΔΩ@$£¥§')).toBe(true)
})

const characters = fc.constantFrom(...'aé@€[^~\f\n', 'ç', 'á', '’', '😀', '🇮🇹', family, 'e\u0301', '\r\n', '字')
const bodies = fc.array(characters, { minLength: 1, maxLength: 500 }).map((list) => list.join(''))
const gsmBodies = fc.array(fc.constantFrom(...'aé@€[^~\fΔ \n'), { minLength: 1, maxLength: 700 }).map((l) => l.join(''))
const references = fc.constantFrom<8 | 16>(8, 16)

test('39: parts joined are the text, each fits beside its header, and nothing is torn', () => {
  const most = { gsm7: { alone: 160, 8: 153, 16: 152 }, ucs2: { alone: 70, 8: 67, 16: 66 } }
  fc.assert(
    fc.property(fc.oneof(bodies, gsmBodies), references, (body, reference) => {
      const { encoding, units, text, parts } = good(body, { ...plain, reference })
      expect(parts.join('')).toBe(text)
      expect(text).toBe(body.replaceAll('\r\n', '\n').normalize('NFC'))
      expect(unitsOf(text, encoding)).toBe(units)
      const limit = parts.length === 1 ? most[encoding].alone : most[encoding][reference]
      for (const [i, part] of parts.entries()) {
        expect(part.isWellFormed()).toBe(true)
        const octets = encoding === 'gsm7' ? toSeptets(part).length : part.length
        expect(octets).toBeLessThanOrEqual(limit)
        // No part is left emptier than the next character would allow.
        const next = [...(parts[i + 1] ?? '')][0]
        if (next !== undefined) expect(octets + unitsOf(next, encoding)).toBeGreaterThan(limit)
      }
    }),
  )
})

test('septets of a part, read again, are the part', () => {
  fc.assert(
    fc.property(gsmBodies, (body) => {
      for (const part of good(body).parts) {
        const septets = toSeptets(part)
        expect(septets.at(-1)).not.toBe(0x1b)
        expect(septets.every((septet) => septet < 128)).toBe(true)
        expect(fromSeptets(septets)).toBe(part)
      }
    }),
  )
})

test('transliteration gives GSM or nothing', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const [before, after] = [good(body), good(body, smart)]
      if (after.text === before.text) expect(after).toEqual(before)
      else expect(after.encoding).toBe('gsm7')
    }),
  )
})
