/** What floods of reports cost, and what they cannot take from others. */
import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import type { TlsReport } from '../../src/mail/aggregate/tls-report.ts'
import * as store from '../../src/resources/domain-reports/store.ts'
import { yesterday } from '../support/aggregate-reports.ts'
import { freshDatabase } from '../support/database.ts'
import { entriesRead } from '../support/entries-read.ts'
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
  await here.flood(5_000, { author: 'google.com' })
  await here.record([tlsReport('a', 100)])
  expect((await tlsOf(here)).data).toMatchObject([
    { failed: 5_050, failures: [{ type: 'other', host: null, sessions: 5_050 }] },
  ])
  expect(await here.db.one(sql`select count(*) as count from tls_sums`)).toEqual({ count: 1 })
})

test('one sender that floods a domain with addresses takes none from others', async () => {
  const here = await worldWithReports()
  const report = (id: string) => [readReport(id, [row('192.0.2.1', 3), row('192.0.2.2', 4)], id)]
  await here.flood(4_999, { author: 'flood.example' })
  await here.flood(4_999, { network: '0a0000' })
  await here.record(report('a flood, proven'), { author: 'flood.example', network: '0b0000' })
  await here.record(report('a flood of a network'), { author: '', network: '0a0000' })
  const sources = async () =>
    (
      await here.db.all(sql<{ reporter: string; sources: number }>`
        select reporter, count(source) as sources from dmarc_sums group by 1 order by 1`)
    ).map(({ reporter, sources: count }) => [reporter, count])
  expect(await sources()).toEqual([
    ['a flood of a network', 0],
    ['a flood, proven', 0],
  ])
  expect((await here.dmarc()).data).toMatchObject([
    { key: 'other', proven: true, messages: 7 },
    { key: 'other', proven: false, messages: 7 },
  ])
  await here.record(report('of another network'), { author: '', network: '0b0000' })
  // Of all that prove nothing together no more is kept apart, and what is proven goes on.
  for (let at = 0; at < 9; at++) await here.flood(5_000, { network: `0c000${at}` })
  await here.record(report('too much'), { author: '', network: '0d0000' })
  await here.record(report('true'), { network: '0a0000' })
  expect(await sources()).toEqual([
    ['a flood of a network', 0],
    ['a flood, proven', 0],
    ['of another network', 2],
    ['too much', 0],
    ['true', 2],
  ])
})

test('what was brought today is found without reading the reports of two years', async () => {
  // One connection: its own numbers are those that it tells.
  const { db, drop } = await freshDatabase(1)
  onTestFinished(drop)
  const domain = randomUUID()
  await db.run(sql`
    insert into domain_reports (domain_id, kind, digest, reporter, report_id, day, rows, received_at)
    select ${domain}, 'dmarc', n::text::bytea, 'r', n::text, current_date, 1, clock_now() - n * interval '1 hour'
      from generate_series(0, 2999) n`)
  await db.run(sql`analyze domain_reports`)
  const read = await entriesRead(db, 'domain_reports', () =>
    db.transaction(async (tx) => expect(await store.broughtToday(tx, [domain])).toMatchObject([{ rows: 24 }])),
  )
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})

const addresses = (network: number, count: number) =>
  Array.from({ length: count }, (_, at) => row(`10.${network}.${at >> 8}.${at & 255}`, at + 1))

test('of many new addresses the DNS is asked about the largest, a number for each sender', async () => {
  const here = await worldWithReports()
  const asked = async () =>
    (await here.db.all(sql<{ address: string }>`select host(address) as address from dmarc_sources`)).map(
      ({ address }) => address,
    )
  await here.record([readReport('a', addresses(1, 150))], { author: 'flood.example' })
  expect((await asked()).toSorted()).toEqual(
    addresses(1, 150)
      .slice(50)
      .map(({ source }) => source)
      .toSorted(),
  )
  await here.record([readReport('b', addresses(2, 10))], { author: 'flood.example' })
  expect(await asked()).toHaveLength(100)
  await here.record([readReport('c', addresses(3, 10))], { author: 'google.com' })
  await here.record([readReport('d', addresses(4, 150))], { author: '' })
  expect(await asked()).toHaveLength(210)
})

test('addresses that never were asked about come first, and those without an answer wait longer each time', async () => {
  const here = await worldWithReports()
  const { sourcesToName, nameSources } = store
  await here.record([readReport('a', [row('192.0.2.1', 1), row('192.0.2.2', 1)])])
  const waits: number[] = []
  for (let time = 0; time < 4; time++) {
    await nameSources(here.db, [{ address: '192.0.2.1', kind: 'unknown', name: null, isUncertain: true }])
    const { days } = await here.db.one(sql<{ days: number }>`
      select round(extract(epoch from ask_at - clock_now()) / 86400)::integer as days
        from dmarc_sources where address = '192.0.2.1'`)
    waits.push(days)
  }
  expect(waits).toEqual([1, 7, 30, 30])
  await here.db.run(sql`update dmarc_sources set ask_at = clock_now() - interval '1 day' where address = '192.0.2.1'`)
  expect(await sourcesToName(here.db, 10)).toEqual([{ address: '192.0.2.2' }, { address: '192.0.2.1' }])
  expect(await sourcesToName(here.db, 1)).toEqual([{ address: '192.0.2.2' }])
})
