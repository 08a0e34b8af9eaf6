import { expect } from 'vitest'
import type { AggregateReport } from '../../src/mail/aggregate/aggregate-report.ts'
import type { DmarcReport } from '../../src/mail/aggregate/dmarc-report.ts'
import { sql } from '../../src/storage/sql.ts'
import { reportOf, yesterday, type Report, type Row } from './aggregate-reports.ts'
import { createDomain, recordOf, worldWithDns, type ShownDomain } from './domains.ts'
import { hand, intakeOf } from './receiving.ts'
import type { World } from './world.ts'

export interface DmarcAnswer {
  data: {
    key: string
    kind: string | null
    name: string | null
    proven: boolean
    messages: number
    dkimAligned: number
    spfAligned: number
    dispositions: { none: number; quarantine: number; reject: number }
  }[]
  reports: number
  unproven: number
  from: string
  to: string
}

export interface AdviceAnswer {
  policy: string | null
  step: string
  reports: number
  unproven: number
  messages: number
  wouldLose: {
    messages: number
    share: number
    byKind: Record<'ours' | 'known' | 'stranger' | 'unknown', number>
    sources: { key: string; kind: string; name: string | null; messages: number }[]
  }
}

/** The address that the advised record asks for reports at. */
export function addressIn(domain: ShownDomain): string {
  const [, address] =
    /^v=DMARC1; p=none; rua=mailto:(dmarc\+[0-9a-f]{32}@\S+)$/.exec(recordOf(domain, 'dmarc').value) ?? []
  expect(address, recordOf(domain, 'dmarc').value).toBeDefined()
  return address!
}

/** Without a mail server and a worker. */
export async function receive(
  world: Pick<World, 'services' | 'db'>,
  to: string,
  mails: readonly Buffer[],
  envelope: { from?: string } = {},
): Promise<void> {
  const intake = intakeOf(world)
  for (const mail of mails) await hand(intake, to, mail, envelope)
  await processAll(world)
}

export async function processAll({ db, services }: Pick<World, 'services' | 'db'>): Promise<void> {
  const unread = await db.all(sql<{ id: string }>`select id from received_messages where state = 'unread'`)
  await services.receivedProcessor.processAll(unread.map(({ id }) => id))
}

export const outcomes = async ({ db }: Pick<World, 'db'>): Promise<(string | null)[]> =>
  (await db.all(sql<{ outcome: string | null }>`select outcome from received_reports order by id`)).map(
    (row) => row.outcome,
  )

/** The sums of an answer. */
export function totals({ data }: DmarcAnswer) {
  const total = { messages: 0, dkimAligned: 0, spfAligned: 0, none: 0, quarantine: 0, reject: 0 }
  for (const { messages, dkimAligned, spfAligned, dispositions } of data) {
    total.messages += messages
    total.dkimAligned += dkimAligned
    total.spfAligned += spfAligned
    for (const word of ['none', 'quarantine', 'reject'] as const) total[word] += dispositions[word]
  }
  return total
}

export const row = (source: string, count: number, aligned: 'both' | 'dkim' | 'spf' | 'none' = 'both'): Row => ({
  source,
  count,
  disposition: 'none',
  dkim: aligned === 'both' || aligned === 'dkim',
  spf: aligned === 'both' || aligned === 'spf',
})

export const reportWith = (id: string, rows: readonly Row[], begin = yesterday()): Report => ({
  ...reportOf(1, { begin }),
  id,
  rows,
})

export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)

export type ReportsWorld = Awaited<ReturnType<typeof worldWithReports>>

export async function worldWithReports() {
  const here = await worldWithDns()
  const domain = await createDomain(here.projectApi, 'posts.example')
  const dmarc = async (query = '') =>
    (await here.projectApi.get<DmarcAnswer>(`domains/${domain.id}/dmarc${query}`)).body
  const advice = async () => (await here.projectApi.get<AdviceAnswer>(`domains/${domain.id}/dmarc/advice`)).body
  const { id: domainId } = await here.db.one(sql<{ id: string }>`select id from domains where name = 'posts.example'`)
  /** As if they had come by mail that is proven, or not, and were read. */
  const record = async (
    reports: readonly AggregateReport[],
    { author = 'google.com', network = '7f0000' }: { author?: string; network?: string } = {},
  ): Promise<Map<string, string>> => {
    const { domainReports } = here.services
    await domainReports.prepare()
    const about = { domainId, domainName: 'posts.example', author: author || undefined, network }
    const arrived = reports.map((report, at) => ({ id: String(at), ...about, report }))
    return here.db.transaction((tx) => domainReports.record(tx, arrived))
  }
  /** As if a report had brought so many sums a moment ago. */
  const flood = (rows: number, { author = '', network = '7f0000' } = {}): Promise<unknown> =>
    here.db.run(sql`
      insert into domain_reports (domain_id, kind, digest, reporter, sender, network, report_id, day, rows)
      values (${domainId}, 'dmarc', gen_random_uuid()::text::bytea, 'flood', ${author}, ${network}, 'flood', current_date, ${rows})`)
  return { ...here, domain, domainId, address: addressIn(domain), dmarc, advice, record, flood }
}

/** As it is read from a mail. */
export const readReport = (reportId: string, rows: readonly Row[], reporter = 'google.com'): DmarcReport => ({
  kind: 'dmarc',
  reporter,
  reportId,
  domain: 'posts.example',
  day: dayOf(yesterday()),
  sums: rows.map(({ source, count, disposition, dkim, spf }) => ({
    source,
    disposition,
    dkimAligned: dkim,
    spfAligned: spf,
    messages: count,
  })),
})
