/** What floods of reports cost, and what they cannot take from others. */
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { TlsReport } from '../../src/mail/aggregate/tls-report.ts'
import { yesterday } from '../support/aggregate-reports.ts'
import { dayOf, readReport, row, worldWithReports, type ReportsWorld } from '../support/domain-reports.ts'

interface TlsAnswer {
  data: { failed: number; failures: { type: string; host: string | null; sessions: number }[] }[]
}

const tlsOf = async ({ projectApi, domain }: ReportsWorld) =>
  (await projectApi.get<TlsAnswer>(`domains/${domain.id}/tls-reports`)).body

/** With so many failures, each at a host of its own. */
const tlsReport = (reportId: string, failures: number): TlsReport => ({
  kind: 'tls',
  reporter: 'Company-X',
  reportId,
  day: dayOf(yesterday()),
  domains: [
    {
      domain: 'posts.example',
      sums: Array.from({ length: failures }, (_, at) => ({
        policy: 'sts',
        failure: 'certificate-expired',
        host: `mx${at}.${reportId}.example`,
        sessions: at + 1,
      })),
    },
  ],
})

test('of many failures the largest are answered, and all are counted', async () => {
  const here = await worldWithReports()
  await here.record([tlsReport('a', 100)])
  const { data } = await tlsOf(here)
  expect(data).toMatchObject([{ failed: 5_050 }])
  expect(data[0]?.failures.map(({ sessions }) => sessions)).toEqual(Array.from({ length: 20 }, (_, at) => 100 - at))
})

test('TLS reports have their part in the limit of a day', async () => {
  const here = await worldWithReports()
  await here.flood(50_000)
  await here.record([tlsReport('a', 100)])
  expect((await tlsOf(here)).data).toMatchObject([
    { failed: 5_050, failures: [{ type: 'other', host: null, sessions: 5_050 }] },
  ])
  expect(await here.db.one(sql`select count(*) as count from tls_sums`)).toEqual({ count: 1 })
})

test('a domain that is flooded with addresses keeps sums without them', async () => {
  const here = await worldWithReports()
  await here.flood(50_000)
  await here.record([readReport('r', [row('192.0.2.1', 3), row('192.0.2.2', 4)])])
  expect((await here.dmarc()).data).toMatchObject([{ key: 'other', kind: 'stranger', messages: 7 }])
})
