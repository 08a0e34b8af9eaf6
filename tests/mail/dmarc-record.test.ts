import { expect, test } from 'vitest'
import { parseDmarcRecord, type DmarcPolicy, type DmarcProblem } from '../../src/mail/dmarc-record.ts'

test('a record is taken apart in its order, spaces and case aside', () => {
  expect(
    parseDmarcRecord('v=DMARC1 ; P=Quarantine; pct=25;rua=mailto:a@example.org!10m, mailto:b@example.net ;'),
  ).toEqual({
    policy: 'quarantine',
    parts: [
      { tag: 'v', value: 'DMARC1', problem: null },
      { tag: 'p', value: 'Quarantine', problem: null },
      { tag: 'pct', value: '25', problem: null },
      { tag: 'rua', value: 'mailto:a@example.org!10m, mailto:b@example.net', problem: null },
    ],
  })
})

const parts: [text: string, problem: DmarcProblem | null][] = [
  ['sp=reject', null],
  ['np=none', null],
  ['adkim=s', null],
  ['aspf=r', null],
  ['fo=1:d:s', null],
  ['rf=afrf', null],
  ['ri=86400', null],
  ['t=y', null],
  ['psd=n', null],
  ['ruf=mailto:a@example.org', null],
  ['pct=0', null],
  ['pct=101', 'malformed'],
  ['pct=05', 'malformed'],
  ['rua=postmaster@example.org', 'malformed'],
  ['rua=', 'malformed'],
  ['adkim=relaxed', 'malformed'],
  ['sp=block', 'malformed'],
  ['fo=2', 'malformed'],
  ['p=reject', 'repeated'],
  ['v=DMARC1', 'repeated'],
  ['constructor=1', 'unknown'],
  ['nonsense', 'unknown'],
]

test.each(parts)('%s behind a policy', (text, problem) => {
  const { parts: found } = parseDmarcRecord(`v=DMARC1; p=none; ${text}`)
  expect(found).toHaveLength(3)
  expect(found[2]?.problem).toBe(problem)
})

const policies: [record: string, policy: DmarcPolicy | null][] = [
  ['v=DMARC1; p=none', 'none'],
  ['v=DMARC1; p=reject;', 'reject'],
  ['v=DMARC1; rua=mailto:a@example.org', 'none'],
  ['v=DMARC1; p=block; rua=mailto:a@example.org', 'none'],
  ['v=DMARC1; p=block', null],
  ['v=DMARC1', null],
  ['p=reject; v=DMARC1', null],
  ['v=dmarc1; p=reject', null],
  ['', null],
]

test.each(policies)('of %j receivers act on %s', (record, policy) => {
  expect(parseDmarcRecord(record).policy).toBe(policy)
})

test('however long a record is, little is made of it', () => {
  expect(parseDmarcRecord('a=1;'.repeat(100_000)).parts).toHaveLength(30)
  expect(parseDmarcRecord(`v=DMARC1; rua=${'a:b,'.repeat(50_000)}`).policy).toBeNull()
})
