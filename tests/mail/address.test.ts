import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import addressparser from 'nodemailer/lib/addressparser'
import { expect, test } from 'vitest'
import { addressKey, addressWords, parseAddress } from '../../src/mail/address.ts'
import { seedFor } from '../support/seed.ts'
import { address } from './contents.ts'
import { readText } from './reading.ts'

const understood: [written: string, name: string, email: string][] = [
  ['ann@example.com', '', 'ann@example.com'],
  ['  <ann@example.com> ', '', 'ann@example.com'],
  ['Ann <ann@example.com>', 'Ann', 'ann@example.com'],
  ['Ann  B.  Example<ann@example.com>', 'Ann B. Example', 'ann@example.com'],
  ['"Example, Ann" <ann@example.com>', 'Example, Ann', 'ann@example.com'],
  [String.raw`"Ann \"the\\cat\" E." <ann@example.com>`, String.raw`Ann "the\cat" E.`, 'ann@example.com'],
  ['"bob@elsewhere.org" <ann@example.com>', 'bob@elsewhere.org', 'ann@example.com'],
  ['"Support <help@example.com>" <ann@example.com>', 'Support <help@example.com>', 'ann@example.com'],
  ['Jörg Müller & Söhne <Joerg@Müller.DE>', 'Jörg Müller & Söhne', 'Joerg@xn--mller-kva.de'],
  ['=?UTF-8?Q?J=C3=B6rg?= =?utf-8?b?IE3DvGxsZXI=?= <j@example.com>', 'Jörg Müller', 'j@example.com'],
  ['=?iso-8859-1?q?J=F6rg_M?= Esq <j@example.com>', 'Jörg M Esq', 'j@example.com'],
  ['=?x-none?q?J=F6rg?= <j@example.com>', '=?x-none?q?J=F6rg?=', 'j@example.com'],
  ['čĊ <č@example.com>', 'čĊ', 'č@example.com'],
  ["o'hara+tag/x=1!#$%&*?^_`{|}~-@example.com", '', "o'hara+tag/x=1!#$%&*?^_`{|}~-@example.com"],
  [`${'a'.repeat(64)}@example.com`, '', `${'a'.repeat(64)}@example.com`],
]

test.each(understood)('%j is read', (written, name, email) => {
  expect(parseAddress(written)).toMatchObject({ ok: true, value: { name, email } })
})

const refusals: [written: string, why: RegExp][] = [
  ['', /is empty/],
  ['   ', /is empty/],
  ['ann', /lacks an @/],
  ['Ann <ann>', /lacks an @/],
  ['<>', /lacks an @/],
  ['@example.com', /nothing before the @/],
  ['ann@', /lacks a domain name/],
  ['a@example.com, b@example.com', /single address/],
  ['a@example.com; b@example.com', /single address/],
  ['a@example.com b@example.com', /cannot have there/],
  ['A <a@example.com>, B <b@example.com>', /more than one </],
  ['a, b <a@example.com>', /, in its name/],
  ['<a@example.com>x', /end with the address in angle brackets/],
  ['<a@example.com> <b@example.com>', /more than one </],
  ['a@example.com <b@example.org>', /@ in its name/],
  ['Team: a@example.com;', /single address|cannot have there/],
  ['Team: A <a@example.com>', /: in its name/],
  ['<@relay.org:a@example.com>', /cannot have there/],
  ['Ann (work) <a@example.com>', /\( in its name/],
  ['a(comment)@example.com', /cannot have there/],
  ['a@example.com (Ann)', /neither a letter/],
  ['"a"@example.com', /quotation marks/],
  ['"a b"@example.com', /quotation marks/],
  ['"Ann <a@example.com>', /not closed/],
  [String.raw`"Ann\" <a@example.com>`, /not closed/],
  ['a@b@example.com', /cannot have there/],
  ['a b@example.com', /cannot have there/],
  [String.raw`a\@example.com`, /cannot have there/],
  ['.a@example.com', /a dot before the @/],
  ['a..b@example.com', /a dot before the @/],
  ['a.@example.com', /a dot before the @/],
  ['a@[127.0.0.1]', /not an IP address/],
  ['a@127.0.0.1', /not an IP address/],
  ['a@localhost', /with a dot in it/],
  ['a@example.com.', /dot at the end/],
  ['a@example..com', /two dots in a row/],
  ['a@exa mple.com', /neither a letter/],
  ['a\u200b@example.com', /cannot have there/],
  ['a\u00a0b@example.com', /cannot have there/],
  ['a＠b@example.com', /look-alike/],
  ['\u212a@example.com', /look-alike/],
  ['ann＠example.com', /lacks an @/],
  ['ann@example.com\r\nBcc: b@example.com', /line breaks/],
  ['ann@example.com\n', /line breaks/],
  ['Ann\0 <ann@example.com>', /control characters/],
  ['Ann\u0085 <ann@example.com>', /control characters/],
  ['=?utf-8?q?A=0D=0ABcc=3A_b=40example.com?= <a@example.com>', /line breaks/],
  ['\ud800 <a@example.com>', /well-formed/],
  [`${'a'.repeat(65)}@example.com`, /more than 64 bytes/],
  [`${'ä'.repeat(33)}@example.com`, /more than 64 bytes/],
  [`${'a'.repeat(60)}@${'b.'.repeat(100)}com`, /longer than 254 bytes/],
  [`${'x'.repeat(257)} <a@example.com>`, /more than 256 characters/],
  ['x'.repeat(3000), /too long/],
]

test.each(refusals)('%j is refused', (written, why) => {
  expect(parseAddress(written)).toEqual({ ok: false, problem: expect.stringMatching(why) })
})

test('only a local part that is not ASCII needs SMTPUTF8', () => {
  expect(address('ann@müller.de').needsSmtpUtf8).toBe(false)
  expect(address('Änn <ann@müller.de>').needsSmtpUtf8).toBe(false)
  expect(address('änn@example.com').needsSmtpUtf8).toBe(true)
})

test('the key of an address does not depend on how it is spelt', () => {
  const spellings = ['Ann <Ann@Müller.de>', 'ANN@XN--MLLER-KVA.DE', '<ann@müller.de>']
  expect(new Set(spellings.map((written) => addressKey(address(written))))).toEqual(new Set(['ann@xn--mller-kva.de']))
  expect(addressKey(address('cafe\u0301@example.com'))).toBe(addressKey(address('CAF\u00c9@example.com')))
})

test.each(['ann\ufe0f', 'ann\u034f', 'a\u{e0100}nn', 'caf\u00e9\ufe01'])(
  'a character that nobody sees makes no other person of somebody: %j',
  (local) => {
    expect(parseAddress(`${local}@example.com`)).toMatchObject({ ok: false })
  },
)

const formatted: [written: string, wire: string][] = [
  ['ann@example.com', 'ann@example.com'],
  ['Ann Example <ann@example.com>', 'Ann Example <ann@example.com>'],
  ['"Ann B. Example" <ann@example.com>', '"Ann B. Example" <ann@example.com>'],
  [String.raw`"a \"b\" \\c" <ann@example.com>`, String.raw`"a \"b\" \\c" <ann@example.com>`],
  ['Jörg <j@example.com>', '=?UTF-8?B?SsO2cmc=?= <j@example.com>'],
  ['Jörg Example <j@example.com>', '=?UTF-8?Q?J=C3=B6rg_Example?= <j@example.com>'],
  ['"=?utf-8?q?hi?=" <j@example.com>', '=?UTF-8?B?PT91dGYtOD9xP2hpPz0=?= <j@example.com>'],
  ['čĊ <j@example.com>', '=?UTF-8?B?xI3Eig==?= <j@example.com>'],
]

test.each(formatted)('%j is written %j', (written, wire) => {
  expect(addressWords(address(written)).join(' ')).toBe(wire)
})

/** Pieces that mean something in addresses, glued together at random: most results are wrong, some are traps. */
const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'b.c', 'ann@example.com', '@', '@example.org', 'x.example', 'ä', '%', '!', '+', '.', '..'),
      fc.constantFrom(
        '<',
        '>',
        '<a@example.com>',
        ',',
        ';',
        ':',
        '(',
        ')',
        '(c)',
        '[',
        ']',
        ' ',
        '  ',
        '=?utf-8?q?x?=',
      ),
      fc.constantFrom('"', '"q"', String.raw`\"`, '\\'),
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((glued) => glued.join(''))

/** Every other one ends like an address with a name, so that enough of them are accepted whatever the seed. */
const trap = fc.oneof(
  pieces,
  pieces.map((name) => `${name} <ann@example.com>`),
)

test('what we accept is the same single mailbox to another parser', () => {
  let accepted = 0
  fc.assert(
    fc.property(trap, (written) => {
      const parsed = parseAddress(written)
      if (!parsed.ok) return
      accepted++
      const others = addressparser(written, { flatten: true })
      expect(others.map(({ address }) => inAscii(address))).toEqual([parsed.value.email])
    }),
    { numRuns: 20_000, seed: seedFor('addresses') },
  )
  expect(accepted).toBeGreaterThan(200)
})

test('a formatted address reads as the same address, here and elsewhere', () => {
  const name = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll(/\p{Cc}/gu, ''))
  fc.assert(
    fc.property(name, (given) => {
      const named = { ...address('ann@example.com'), name: given.replaceAll(/ +/g, ' ').replaceAll(/^ | $/g, '') }
      const wire = addressWords(named).join(' ')
      expect(wire).toMatch(/^[ -~]*$/)
      expect(address(wire)).toEqual(named)
      const [other] = addressparser(wire, { flatten: true })
      expect(other).toMatchObject({ address: 'ann@example.com' })
      if (wire.startsWith('=?')) expect(readText(wire.replace(/ <[^<]*>$/, ''))).toBe(named.name)
      else expect(other?.name).toBe(named.name)
    }),
    { numRuns: 2_000, seed: seedFor('names') },
  )
})

const inAscii = (email: string): string => email.replace(/[^@]*$/, (domain) => domainToASCII(domain))
