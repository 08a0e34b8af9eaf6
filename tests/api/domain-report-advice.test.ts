/** What is advised by reports, and by which of them. */
import { expect, test } from 'vitest'
import { mailOf, pack, yesterday } from '../support/aggregate-reports.ts'
import { SMTP_HOSTNAME } from '../support/domains.ts'
import { dayOf, readReport, receive, reportWith, row, totals, worldWithReports } from '../support/domain-reports.ts'

test('the advice goes one step at a time, and says what it would have cost', async () => {
  const here = await worldWithReports()
  const say = (policy: string): void =>
    void (here.dns.zones['_dmarc.posts.example'] = { TXT: [`v=DMARC1; p=${policy}; rua=mailto:a@b.example`] })
  expect(await here.advice()).toEqual({
    policy: null,
    step: 'publish',
    reports: 0,
    unproven: 0,
    messages: 0,
    wouldLose: { messages: 0, share: 0, byKind: { ours: 0, known: 0, stranger: 0, unknown: 0 }, sources: [] },
  })
  const day = dayOf(yesterday() - 40 * 86_400)
  const old = { ...readReport('old', [row('192.0.2.1', 1_000, 'none')]), day }
  const rows = [
    row('203.0.113.7', 60),
    row('203.0.113.7', 20, 'spf'),
    row('192.0.2.5', 15, 'none'),
    row('192.0.2.6', 5, 'none'),
  ]
  await here.record([readReport('new', rows), old])
  const advised = async (policy: string) => {
    say(policy)
    return here.advice()
  }
  expect(await advised('none')).toEqual({
    policy: 'none',
    step: 'quarantine',
    reports: 1,
    unproven: 0,
    messages: 100,
    wouldLose: {
      messages: 20,
      share: 0.2,
      byKind: { ours: 0, known: 0, stranger: 0, unknown: 20 },
      sources: [
        { key: '192.0.2.5', kind: 'unknown', name: null, messages: 15 },
        { key: '192.0.2.6', kind: 'unknown', name: null, messages: 5 },
      ],
    },
  })
  expect(await advised('quarantine')).toMatchObject({ policy: 'quarantine', step: 'reject' })
  expect(await advised('reject')).toMatchObject({ policy: 'reject', step: 'done' })
})

test('a report counts as proven where its mail proves who sent it, and no advice is given by others', async () => {
  const here = await worldWithReports()
  Object.assign(here.dns.zones, {
    'google.com': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.google.com': { TXT: ['v=DMARC1; p=reject'] },
    '_dmarc.posts.example': { TXT: ['v=DMARC1; p=none; rua=mailto:a@posts.example'] },
  })
  const lie = reportWith('r', [row('192.0.2.1', 9_000_000_000)])
  const truth = reportWith('r', [row('192.0.2.1', 10), row('192.0.2.2', 30, 'none')])
  // The lie comes first, with the id of the true report.
  await receive(here, here.address, [pack('google', lie).mail])
  expect(await here.advice()).toMatchObject({ step: 'collect', reports: 0, unproven: 1, messages: 0 })
  const again = mailOf({ ...pack('google', truth), filename: 'again.zip' }, { host: 'google.com' })
  await receive(here, here.address, [again], { from: 'noreply@bounces.google.com' })
  await receive(here, here.address, [pack('google', truth).mail], { from: 'noreply@google.com' })
  expect(await here.advice()).toMatchObject({
    step: 'quarantine',
    reports: 1,
    messages: 40,
    wouldLose: { messages: 30, share: 0.75, sources: [{ key: '192.0.2.2', messages: 30 }] },
  })
  const answer = await here.dmarc()
  expect(answer).toMatchObject({ reports: 2, unproven: 1 })
  expect(answer.data).toMatchObject([
    { key: '192.0.2.2', proven: true, messages: 30 },
    { key: '192.0.2.1', proven: true, messages: 10 },
    { key: '192.0.2.1', proven: false, messages: 9_000_000_000 },
  ])
  expect((await here.dmarc('?groupBy=reporter')).data).toMatchObject([
    { key: 'google.com', name: 'google.com', proven: true, messages: 40 },
    { key: 'google.com', name: null, proven: false },
  ])
  expect(totals(await here.dmarc('?groupBy=day')).messages).toBe(9_000_000_040)
})

test('what a strict policy would cost is told by whose it is, over all sources', async () => {
  const here = await worldWithReports()
  Object.assign(here.dns.zones, {
    [`_spf.${SMTP_HOSTNAME}`]: { TXT: ['v=spf1 ip4:203.0.113.7 -all'] },
    '9.2.0.192.in-addr.arpa': { PTR: ['mail-9.google.com'] },
    'mail-9.google.com': { A: ['192.0.2.9'] },
  })
  const strangers = Array.from({ length: 25 }, (_, at) => row(`198.51.100.${at}`, 1_000, 'none'))
  const rows = [...strangers, row('192.0.2.9', 7, 'none'), row('203.0.113.7', 2, 'none')]
  const { sums, ...report } = readReport('r', rows)
  const rest = { ...sums[0]!, source: null, messages: 5 }
  await here.record([{ ...report, sums: [...sums, rest] }])
  // Nothing is a stranger's before the DNS was asked.
  expect((await here.advice()).wouldLose.byKind).toEqual({ ours: 2, known: 0, stranger: 0, unknown: 25_012 })
  await here.services.domainReports.nameSources(new AbortController().signal)
  const { wouldLose } = await here.advice()
  expect(wouldLose.sources.map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'stranger'))
  expect(wouldLose.byKind).toEqual({ ours: 2, known: 7, stranger: 25_000, unknown: 5 })
})

test('the step is read from the record as receivers read it', async () => {
  const here = await worldWithReports()
  const rua = 'rua=mailto:a@b.example'
  const stepOf = async (record: string) => {
    here.dns.zones['_dmarc.posts.example'] = { TXT: [record] }
    const { policy, step } = await here.advice()
    return [policy, step]
  }
  expect(await stepOf('v=DMARC1; p=none')).toEqual(['none', 'reports'])
  expect(await stepOf(`v=DMARC1; p=none; ${rua}`)).toEqual(['none', 'collect'])
  await here.record([readReport('r', [row('192.0.2.1', 1)])])
  expect(await stepOf(`v=DMARC1; p=none; ${rua}`)).toEqual(['none', 'quarantine'])
  expect(await stepOf(`v=DMARC1; p=quarantine; pct=10; ${rua}`)).toEqual(['quarantine', 'full'])
  expect(await stepOf(`v=DMARC1; p=reject; t=y; ${rua}`)).toEqual(['reject', 'full'])
  expect(await stepOf('v=DMARC1; p=quarantin')).toEqual([null, 'publish'])
  expect(await stepOf(`v=DMARC1; p=quarantin; ${rua}`)).toEqual(['none', 'quarantine'])
})
