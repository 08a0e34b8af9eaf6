import { expect, test } from 'vitest'
import { differenceOf } from '../../portal/src/kit/difference.ts'
import { meaningOf, nextRecordOf } from '../../portal/src/pages/domains/dmarc-steps.ts'
import { letterFor } from '../../portal/src/pages/domains/letter.ts'
import { missingOf, type Domain } from '../../portal/src/pages/domains/records.ts'
import { domains as said } from '../../portal/src/words/en/domains.ts'
import { parseDmarcRecord } from '../../src/mail/dmarc-record.ts'
import { dnsHosts } from '../../src/resources/domains/schema.ts'

const marked = (text: string, wanted: string): string =>
  differenceOf(text, wanted)
    .map((piece) => (piece.isDifferent ? `[${piece.text}]` : piece.text))
    .join('')

test.each([
  ['the middle', 'v=spf1 include:_spf.google.com ~all', 'v=spf1 a ~all', 'v=spf1 [include:_spf.google.com] ~all'],
  ['an end that is too much', 'abcd', 'abc', 'abc[d]'],
  ['everything', 'x', 'y', '[x]'],
  ['nothing', 'same', 'same', 'same'],
  ['what is there twice, once', 'aa', 'a', 'a[a]'],
  ['characters, not halves of them', '👍🏽!', '👎🏽!', '[👍]🏽!'],
])('the difference marks %s', (_, text, wanted, expected) => {
  expect(marked(text, wanted)).toBe(expected)
})

const ADVISED = 'v=DMARC1; p=none; rua=mailto:postmaster@example.com'

test.each([
  ['v=DMARC1; p=none', 'reports', 'v=DMARC1; p=none; rua=mailto:postmaster@example.com'],
  ['v=DMARC1; p=quarantin', 'publish', 'v=DMARC1; p=none; rua=mailto:postmaster@example.com'],
  ['v=DMARC1; p=none; rua=mailto:a@b.c', 'quarantine', 'v=DMARC1; p=quarantine; rua=mailto:a@b.c'],
  ['v=DMARC1; p=none; x=1; rua=mailto:a@b.c', 'quarantine', 'v=DMARC1; p=quarantine; rua=mailto:a@b.c'],
  ['v=DMARC1; p=quarantine; pct=20; rua=mailto:a@b.c', 'full', 'v=DMARC1; p=quarantine; rua=mailto:a@b.c'],
  ['v=DMARC1; p=quarantine; adkim=s; rua=mailto:a@b.c', 'reject', 'v=DMARC1; p=reject; adkim=s; rua=mailto:a@b.c'],
  ['v=DMARC1; p=reject; t=y; rua=mailto:a@b.c', 'full', 'v=DMARC1; p=reject; rua=mailto:a@b.c'],
  ['v=DMARC1; p=reject', 'done', 'v=DMARC1; p=reject'],
] as const)('after %s, with the step %s', (record, step, next) => {
  const dmarc = { record, ...parseDmarcRecord(record) }
  expect(nextRecordOf(dmarc, ADVISED, step)).toBe(next)
  // What is advised is as good a record as there is.
  expect(parseDmarcRecord(next).parts.filter(({ problem }) => problem !== null)).toEqual([])
})

test('every part that receivers know has a meaning, and the others say why they have none', () => {
  const whole =
    'v=DMARC1; p=none; sp=none; np=none; rua=mailto:a@b.c; ruf=mailto:a@b.c; adkim=R; aspf=s; pct=50; fo=1; rf=afrf; ri=86400; t=n; psd=u'
  const { parts } = parseDmarcRecord(whole)
  const meanings = parts.map(meaningOf)
  expect(meanings).not.toContain(said.dmarc.problems.unknown)
  expect(new Set(meanings).size).toBe(parts.length)
  expect(parseDmarcRecord('v=DMARC1; constructor=1').parts.map(meaningOf)[1]).toBe(said.dmarc.problems.unknown)
})

test('every host of zones has its steps and its trap', () => {
  expect(Object.keys(said.hosts).toSorted()).toEqual([...dnsHosts].toSorted())
})

const record: Domain['records'][number] = {
  purpose: 'return-path-mx',
  type: 'MX',
  name: 'bounce.example.com',
  host: 'bounce',
  value: 'mx.posthouse.test',
  priority: 10,
  ttl: 3_600,
  required: true,
  status: 'pending',
  observed: [],
  hint: null,
  askedAt: null,
  askedOf: null,
  ttlLeft: null,
}

const domain = {
  name: 'example.com',
  dkim: [{ selector: 'ph1', algorithm: 'rsa', state: 'retired', createdAt: '', keepUntil: '' }],
  records: [
    { ...record, purpose: 'dkim', type: 'TXT', name: 'ph1._domainkey.example.com', value: 'old', priority: null },
    record,
    { ...record, purpose: 'dmarc', type: 'TXT', value: 'there', status: 'verified' },
    { ...record, purpose: 'return-path-spf', type: 'TXT', value: 'v=spf1', priority: null, status: 'mismatch' },
  ],
} as Domain

test('what is missing are neither the records that are there nor those of keys that sign no more', () => {
  expect(missingOf(domain).map(({ purpose }) => purpose)).toEqual(['return-path-mx', 'return-path-spf'])
})

test('the text for whoever looks after the DNS says everything that they need', () => {
  const letter = letterFor(domain)
  for (const line of [
    '1. Brings messages',
    'Type: MX',
    'Name: bounce.example.com (many panels want only: bounce)',
    'Priority: 10',
    'Value: mx.posthouse.test',
    '2. Tells receivers',
    'Value: v=spf1',
    'replace it',
  ]) {
    expect(letter).toContain(line)
  }
  expect(letter).not.toContain('old')
  expect(letter).not.toContain('there\n')
})
