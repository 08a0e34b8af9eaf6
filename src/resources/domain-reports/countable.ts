/** What of the reports that came is counted, and in how much detail. */
import { hash } from 'node:crypto'
import { getDomain } from 'tldts'
import { returnPathHost } from '../../core/mail-reference.ts'
import type { AggregateReport } from '../../mail/aggregate/aggregate-report.ts'
import { folded, type DmarcReport } from '../../mail/aggregate/dmarc-report.ts'
import { foldedTls } from '../../mail/aggregate/tls-report.ts'
import type { Tx } from '../../storage/postgres.ts'
import * as store from './store.ts'

/** A message that came to the report address of a domain. */
export interface ArrivedReport {
  id: string
  domainId: string
  domainName: string
  report: AggregateReport | { kind: 'none'; because: string }
  /** The domain that the message is proven to come from. */
  author: string | undefined
  /** Of the server that handed the message over. */
  network: string
}

/**
 * Sums that a domain gets within a day, of reports that are proven and as many of others; of one sender fewer, so that none
 * uses up the day of all others. What is beyond is counted without addresses and hosts.
 */
const MAX_SUMS_PER_DAY = 50_000
const MAX_SUMS_PER_SENDER = 5_000
/** New addresses that the DNS is asked about, in the same way. The others stay unknown until a report of a later day. */
const MAX_ASKED_PER_DAY = 200
const MAX_ASKED_PER_SENDER = 100

export interface Countable extends store.NewReport {
  id: string
  dmarc: DmarcReport['sums']
  /** Its addresses that are known, or that the DNS is asked about. */
  sources: string[]
  tls: Omit<store.NewTlsSum, 'domainId' | 'day' | 'reporter' | 'sender'>[]
}

export const placeOf = ({ domainId, day, reporter, sender }: store.NewReport) => ({ domainId, day, reporter, sender })

export const keyOf = ({ domainId, kind, digest }: Pick<store.NewReport, 'domainId' | 'kind' | 'digest'>): string =>
  `${domainId} ${kind} ${digest.toString('hex')}`

/** A report that names another domain than its address does belongs to no project. */
export function countableOf({
  id,
  domainId,
  domainName,
  report,
  author,
  network,
}: ArrivedReport): Countable | { because: string } {
  if (report.kind === 'none') return report
  const { kind, reporter, reportId, day } = report
  const sender = author === undefined ? '' : (getDomain(author, { allowPrivateDomains: true }) ?? author)
  // With the sender: a forged report must not take the place of the one that it imitates.
  const digest = hash('sha256', JSON.stringify([reporter.toLowerCase(), reportId, sender]), 'buffer')
  const common = { id, domainId, kind, digest, reporter, sender, network, reportId, day, asked: 0, sources: [] }
  if (kind === 'dmarc') {
    if (report.domain !== domainName) return OF_ANOTHER
    return { ...common, rows: report.sums.length, dmarc: report.sums, tls: [] }
  }
  const names = new Set([domainName, returnPathHost(domainName)])
  const about = report.domains.filter(({ domain }) => names.has(domain))
  if (about.length === 0) return OF_ANOTHER
  const tls = about.flatMap(({ sums }) => sums)
  return { ...common, rows: tls.length, dmarc: [], tls }
}

const OF_ANOTHER = { because: 'about another domain' }

/**
 * Without addresses and hosts where a limit of the day is reached, and with the new addresses that the DNS is asked about:
 * those with the most messages.
 */
export async function boundedOf(
  tx: Tx,
  reports: readonly Countable[],
  isOurs: (address: string) => boolean,
): Promise<Countable[]> {
  if (reports.length === 0) return []
  const addresses = [...new Set(reports.flatMap(({ dmarc }) => dmarc.flatMap(({ source }) => source ?? [])))]
  const known = new Set(addresses.filter(isOurs))
  for (const { address } of await store.knownSources(tx, addresses)) known.add(address)
  const brought = new Map<string, { rows: number; asked: number }>()
  const broughtBy = (owner: string) => brought.get(owner) ?? { rows: 0, asked: 0 }
  const count = (report: Brought): void => {
    for (const { owner } of limitsOf(report)) {
      const { rows, asked } = broughtBy(owner)
      brought.set(owner, { rows: rows + report.rows, asked: asked + report.asked })
    }
  }
  for (const row of await store.broughtToday(tx, [...new Set(reports.map(({ domainId }) => domainId))])) count(row)
  return reports.map((report) => {
    const limits = limitsOf(report)
    const isBeyond = limits.some(({ owner, most }) => broughtBy(owner).rows + report.rows > most.rows)
    const left = Math.min(...limits.map(({ owner, most }) => most.asked - broughtBy(owner).asked))
    const bounded = withSources(isBeyond ? withoutDetails(report) : report, known, Math.max(0, left))
    count(bounded)
    return bounded
  })
}

type Brought = Pick<Countable, 'domainId' | 'sender' | 'network' | 'rows' | 'asked'>

/** What is proven is counted apart: whoever forges reports uses up nothing that those who prove themselves need. */
const limitsOf = ({ domainId, sender, network }: Brought) => [
  {
    owner: `${domainId} ${sender === '' ? 'unproven' : 'proven'}`,
    most: { rows: MAX_SUMS_PER_DAY, asked: MAX_ASKED_PER_DAY },
  },
  {
    owner: `${domainId} from ${sender || `network ${network}`}`,
    most: { rows: MAX_SUMS_PER_SENDER, asked: MAX_ASKED_PER_SENDER },
  },
]

/** Adds what it asks about to `known`. */
function withSources(report: Countable, known: Set<string>, most: number): Countable {
  const sorted = report.dmarc.toSorted((a, b) => b.messages - a.messages)
  const addresses = [...new Set(sorted.flatMap(({ source }) => source ?? []))]
  const fresh = addresses.filter((address) => !known.has(address)).slice(0, most)
  for (const address of fresh) known.add(address)
  return { ...report, asked: fresh.length, sources: addresses.filter((address) => known.has(address)) }
}

function withoutDetails(report: Countable): Countable {
  const [dmarc, tls] = [folded(report.dmarc, 0), foldedTls(report.tls)]
  return { ...report, dmarc, tls, rows: dmarc.length + tls.length }
}
