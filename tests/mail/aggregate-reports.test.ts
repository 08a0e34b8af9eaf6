import { hash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aggregateReportIn } from '../../src/mail/aggregate/aggregate-report.ts'
import type { DmarcReport } from '../../src/mail/aggregate/dmarc-report.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { formats, mailOf, pack, reportOf, sumsOf } from '../support/aggregate-reports.ts'
import { isBroken, malformed, malformedKinds } from '../support/malformed-reports.ts'
import { stretched } from '../support/eventually.ts'

const read = (mail: Buffer) => aggregateReportIn(readMimeMessage(mail))

function totalsOf({ sums }: DmarcReport) {
  const total = { messages: 0, dkimAligned: 0, spfAligned: 0, none: 0, quarantine: 0, reject: 0, failed: 0 }
  for (const { messages, disposition, dkimAligned, spfAligned } of sums) {
    total.messages += messages
    total[disposition] += messages
    if (dkimAligned) total.dkimAligned += messages
    if (spfAligned) total.spfAligned += messages
    if (!dkimAligned && !spfAligned) total.failed += messages
  }
  return total
}

test('two hundred reports of all formats are read with the right sums', () => {
  for (let seed = 0; seed < 200; seed++) {
    const format = formats[seed % formats.length]!
    const { mail, report, reporter } = pack(format, reportOf(seed))
    const found = read(mail)
    expect(found, `${format} ${seed}`).toMatchObject({
      kind: 'dmarc',
      reporter,
      reportId: report.id,
      domain: 'posts.example',
      day: new Date(report.begin * 1_000).toISOString().slice(0, 10),
    })
    expect(totalsOf(found as DmarcReport), `${format} ${seed}`).toEqual(sumsOf([report]))
    const sources = new Set((found as DmarcReport).sums.map(({ source }) => source))
    expect(sources).toEqual(new Set(report.rows.map(({ source }) => source)))
  }
})

test.each(malformedKinds.map((what, seed) => ({ what, seed })))(
  'a malformed report costs a bounded time: $what',
  ({ what, seed }) => {
    const { mail } = malformed(seed)
    const start = process.cpuUsage()
    const found = read(mail)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1_000).toBeLessThan(stretched(2_000))
    if (isBroken(what)) expect(found).toMatchObject({ kind: 'none' })
    if (found.kind === 'dmarc') expect(found.sums.length).toBeLessThanOrEqual(1_012)
    expect(JSON.stringify(found)).not.toMatch(/aaaaaaaaaa|root:x/)
  },
)

test.each(['a bomb in gzip', 'a bomb of forty bombs', 'a bomb in zip'])('%s is not unpacked to its end', (what) => {
  const found = read(malformed(malformedKinds.indexOf(what)).mail)
  expect(found).toMatchObject({ kind: 'none', because: expect.stringContaining('too large') })
})

test('of very many addresses the largest are kept apart, and all messages are counted', () => {
  const rows = Array.from({ length: 15_000 }, (_, i) => ({
    source: `10.1.${i >> 8}.${i & 255}`,
    count: 1 + (i % 50),
    disposition: 'none' as const,
    dkim: i % 2 === 0,
    spf: false,
  }))
  const report = { ...reportOf(1), rows }
  const found = read(pack('google', report).mail) as DmarcReport
  expect(totalsOf(found)).toEqual(sumsOf([report]))
  expect(found.sums.filter(({ source }) => source === null)).toHaveLength(2)
  expect(found.sums).toHaveLength(1_000)
  expect(found.sums.find(({ source }) => source !== null)?.messages).toBe(50)
})

const tlsReport = {
  'organization-name': 'Company-X',
  'date-range': { 'start-datetime': '2026-04-01T00:00:00Z', 'end-datetime': '2026-04-01T23:59:59Z' },
  'contact-info': 'sts-reporting@company-x.example',
  'report-id': '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
  policies: [
    {
      policy: { 'policy-type': 'sts', 'policy-string': ['version: STSv1'], 'policy-domain': 'In.Example' },
      summary: { 'total-successful-session-count': 5326, 'total-failure-session-count': 303 },
      'failure-details': [
        {
          'result-type': 'certificate-expired',
          'receiving-mx-hostname': 'mx1.in.example',
          'failed-session-count': 100,
        },
        {
          'result-type': 'starttls-not-supported',
          'receiving-mx-hostname': 'mx2.in.example',
          'failed-session-count': 200,
        },
      ],
    },
  ],
}

test.each(['tlsrpt+json', 'tlsrpt+gzip'])('a TLS report is read, as application/%s', (subtype) => {
  const json = Buffer.from(JSON.stringify(tlsReport))
  const file = subtype === 'tlsrpt+gzip' ? gzipSync(json) : json
  const about = { filename: 'r.json', contentType: `application/${subtype}`, reporter: 'x', report: reportOf(1) }
  expect(read(mailOf({ ...about, file }))).toEqual({
    kind: 'tls',
    reporter: 'Company-X',
    reportId: '5065427c-23d3-47ca-b6e0-946ea0e8c4be',
    day: '2026-04-01',
    domains: [
      {
        domain: 'in.example',
        sums: [
          { policy: 'sts', failure: '', host: '', sessions: 5326 },
          { policy: 'sts', failure: 'certificate-expired', host: 'mx1.in.example', sessions: 100 },
          { policy: 'sts', failure: 'starttls-not-supported', host: 'mx2.in.example', sessions: 200 },
          // What the summary counts and no detail tells.
          { policy: 'sts', failure: 'other', host: '', sessions: 3 },
        ],
      },
    ],
  })
})

test('a reporter cannot make up kinds of policies and failures', () => {
  const [policy] = tlsReport.policies
  const details = ['made-up', 'x'.repeat(300), 'Certificate-Expired'].map((type) => ({
    'result-type': type,
    'failed-session-count': 10,
  }))
  const made = {
    ...policy,
    policy: { 'policy-type': 'mine', 'policy-domain': 'in.example' },
    'failure-details': details,
  }
  const file = Buffer.from(JSON.stringify({ ...tlsReport, policies: [made] }))
  const about = { filename: 'r.json', contentType: 'application/tlsrpt+json', reporter: 'x', report: reportOf(1) }
  expect(read(mailOf({ ...about, file }))).toMatchObject({
    domains: [
      {
        sums: [
          { policy: 'other', failure: '', sessions: 5326 },
          { policy: 'other', failure: 'other', sessions: 293 },
          { policy: 'other', failure: 'certificate-expired', sessions: 10 },
        ],
      },
    ],
  })
})

const MIB = 1024 * 1024

/** A message with these files, in their order. */
function mailWith(files: readonly Buffer[]): Buffer {
  const parts = files.map((file, at) =>
    [
      '--b',
      `Content-Type: application/gzip; name="${at}.xml.gz"`,
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      file.toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
    ].join('\r\n'),
  )
  const head = 'From: a@b.example\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n'
  return Buffer.from([head, ...parts, '--b--', ''].join('\r\n'))
}

/** Packed to about a hundredth. */
const noise = (bytes: number): Buffer =>
  Buffer.concat(
    Array.from({ length: bytes / 1024 }, (_, at) =>
      Buffer.from(`${hash('sha1', `${at}`).slice(0, 10)} `.padEnd(1024, 'x')),
    ),
  )

test.each([
  ['no reports', gzipSync(noise(11 * MIB))],
  ['damaged', gzipSync(noise(11 * MIB)).subarray(0, -20)],
])('all files of a message together are unpacked no further than one report: those before it are %s', (_, file) => {
  const report = pack('comcast', reportOf(1)).file
  expect(read(mailWith([file, report]))).toMatchObject(_ === 'damaged' ? { kind: 'none' } : { kind: 'dmarc' })
  expect(read(mailWith([file, file, report]))).toMatchObject({ kind: 'none' })
})
