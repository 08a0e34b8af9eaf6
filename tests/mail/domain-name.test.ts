import { expect, test } from 'vitest'
import { parseDomainName, parseMailHost } from '../../src/mail/domain-name.ts'

const names: [written: string, meant: string][] = [
  ['example.com', 'example.com'],
  ['Mail.EXAMPLE.Com', 'mail.example.com'],
  ['müller.de', 'xn--mller-kva.de'],
  ['MÜLLER.DE', 'xn--mller-kva.de'],
  ['XN--MLLER-KVA.de', 'xn--mller-kva.de'],
  ['faß.de', 'xn--fa-hia.de'],
  ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
  ['foo.co.uk', 'foo.co.uk'],
  ['posthouse.test', 'posthouse.test'],
  ['a-b.3m.com', 'a-b.3m.com'],
  [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
]

test.each(names)('%s is %s', (written, meant) => {
  expect(parseDomainName(written)).toEqual({ ok: true, value: meant })
})

const refusals: [written: string, why: RegExp][] = [
  ['', /lacks a domain name/],
  ['com', /with a dot in it/],
  ['localhost', /with a dot in it/],
  ['co.uk', /public suffix.*like example\.co\.uk/],
  ['https://example.com', /web address: write only the name, like example\.com/],
  ['https://example.com/path', /web address/],
  ['example.com/', /web address/],
  ['example.com:8080', /web address/],
  ['ann@example.com', /email address: write only what follows the @/],
  ['github.io', /public suffix/],
  ['рф', /with a dot in it/],
  ['example.com.', /dot at the end/],
  ['.example.com', /two dots in a row/],
  ['example..com', /two dots in a row/],
  ['\u00ad.com', /two dots in a row/],
  ['-a.com', /hyphen/],
  ['a-.com', /hyphen/],
  ['a_b.com', /neither a letter/],
  ['ex%61mple.com', /neither a letter/],
  ['exämple%2ecom.com', /neither a letter/],
  ['a b.com', /neither a letter/],
  ['a.com\n', /neither a letter/],
  ['a\0.com', /neither a letter/],
  ['127.0.0.1', /not an IP address/],
  ['127.1', /not an IP address/],
  ['0x7f.0x1', /not an IP address/],
  ['１２７.0.0.1', /not an IP address/],
  ['[127.0.0.1]', /not an IP address/],
  ['::1', /not an IP address/],
  ['xn--zzzzzz999999.com', /decodes to nothing/],
  ['a\u200db.com', /not valid in any script/],
  [`${'a'.repeat(64)}.com`, /more than 63 characters/],
  [`${'a.'.repeat(130)}com`, /more than 253 characters/],
]

test.each(refusals)('%j is refused', (written, why) => {
  expect(parseDomainName(written)).toEqual({ ok: false, problem: expect.stringMatching(why) })
})

test('a public suffix still receives mail', () => {
  expect(parseMailHost('Gov.UK')).toEqual({ ok: true, value: 'gov.uk' })
})
