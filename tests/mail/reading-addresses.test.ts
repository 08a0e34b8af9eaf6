import fc from 'fast-check'
import addressParser from 'nodemailer/lib/addressparser'
import { expect, test } from 'vitest'
import { readAddresses } from '../../src/mail/parse/addresses.ts'

const ann = { email: 'ann@example.com', name: 'Ann' }
const ben = { email: 'ben@example.net', name: '' }

test.each([
  ['Ann <ann@example.com>, ben@example.net', [ann, ben]],
  ['ann@Example.COM (Ann); <ben@example.net>', [ann, ben]],
  ['"Ann" <ann@example.com>,,, ,ben@example.net', [ann, ben]],
  ['Friends: Ann <ann@example.com>, ben@example.net;', [ann, ben]],
  ['undisclosed recipients:;', []],
  ['Example, Ann <ann@example.com>', [{ ...ann, name: 'Example, Ann' }]],
  ['"Example, Ann (Shop)" <ann@example.com>', [{ ...ann, name: 'Example, Ann (Shop)' }]],
  ['"ann@example.com" <ben@example.net>', [{ ...ben, name: 'ann@example.com' }]],
  ['=?utf-8?q?=3Cevil=40example=2Eorg=3E=2C?= <ben@example.net>', [{ ...ben, name: '<evil@example.org>,' }]],
  ['"=?utf-8?q?=C3=84nn?=" <ann@example.com>', [{ ...ann, name: 'Änn' }]],
  ['=?utf-8?q?=C3=84nn?= =?utf-8?q?_E=2E?= <ann@example.com>', [{ ...ann, name: 'Änn E.' }]],
  ['<@relay.example,@other.example:ann@example.com>', [{ ...ann, name: '' }]],
  ['<mailto:ben@example.net>', [ben]],
  ['"ann b"@example.com', [{ email: '"ann b"@example.com', name: '' }]],
  ['"Ann <ann@example.com>', [ann]],
  ['Ann <ann@example.com', [ann]],
  ['jörg@example.com', [{ email: 'jörg@example.com', name: '' }]],
  ['root@localhost', [{ email: 'root@localhost', name: '' }]],
  ['MAILER-DAEMON', []],
  ['<>', []],
  ['Ann <>', [{ email: '', name: 'Ann' }]],
  ['"Ann" <>, ben@example.net', [{ email: '', name: 'Ann' }, ben]],
  ['', []],
  ['@', []],
])('%s', (written, mailboxes) => {
  expect(readAddresses(written)).toEqual(mailboxes)
})

test('what is well written reads the same elsewhere', () => {
  const name = fc.stringMatching(/^[A-Z][a-z]{0,9}( [A-Z][a-z]{0,9})?$/)
  const email = fc.stringMatching(/^[a-z]{1,9}([.+][a-z0-9]{1,5})?@[a-z]{1,9}\.(com|example)$/)
  const written = fc.oneof(
    fc.tuple(name, email).map(([who, where]) => `${who} <${where}>`),
    fc.tuple(name, email).map(([who, where]) => `"${who}, Inc." <${where}>`),
    email,
  )
  fc.assert(
    fc.property(fc.array(written, { maxLength: 5 }), (list) => {
      const elsewhere = addressParser(list.join(', ')) as { address: string; name: string }[]
      expect(readAddresses(list.join(', '))).toEqual(
        elsewhere.map(({ address, name: who }) => ({ email: address, name: who })),
      )
    }),
  )
})
