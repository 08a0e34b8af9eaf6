/**
 * Aggregate reports about domains: what other servers saw of mail in a domain's name (DMARC), and whether they could
 * deliver to it by TLS. Anybody can write such a report. It is kept as what it is, the word of a reporter, and changes
 * nothing but these numbers. Where its mail proves which domain sent it (RFC 7489 §7.2.1.1 asks for that), that domain is
 * kept with it; advice is given by such reports alone.
 *
 * A report is counted once: its reporter, its id and the domain that sent it are the key of a row that is inserted in the
 * transaction of its sums.
 */
import type { ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import type { DomainId } from '../../core/ids.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Dns } from '../../net/dns.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Domains } from '../domains/index.ts'
import { boundedOf, countableOf, keyOf, placeOf, type ArrivedReport, type Countable } from './countable.ts'
import { daysOf } from './days.ts'
import { nameReportSources } from './job-kinds.ts'
import { policyOf, stepAfter } from './policy.ts'
import type { DmarcAdviceView, DmarcGroup, DmarcView, ReadDmarc, ReadTls, SourceKind, TlsView } from './schema.ts'
import { Sources } from './sources.ts'
import * as store from './store.ts'

export interface DomainReportsOptions {
  db: Database
  dns: Dns
  clock: Clock
  domains: Domains
  smtpHostname: string
  /** The addresses of this machine. */
  ownAddresses: readonly string[]
}

const MAX_GROUPS = 1_000
/** Every day of the longest time that can be asked for, proven and not. */
const MAX_DAY_GROUPS = 1_500
const MAX_FAILURES_PER_GROUP = 20
const MAX_LOST_SOURCES = 20
const NAMED_AT_ONCE = 10
const NAMED_PER_JOB = 200
const KEPT_DAYS = 732

export class DomainReports {
  readonly #options: DomainReportsOptions
  readonly #db: Database
  readonly #sources: Sources

  constructor(options: DomainReportsOptions) {
    this.#options = options
    this.#db = options.db
    this.#sources = new Sources(options)
  }

  /** What needs the network, before the transaction. */
  prepare(): Promise<void> {
    return this.#sources.refresh()
  }

  /** Counts those that are new; says of each what became of it. */
  async record(tx: Tx, arrived: readonly ArrivedReport[]): Promise<Map<string, string>> {
    const outcomes = new Map<string, string>()
    const counted = new Map<string, Countable>()
    for (const one of arrived) {
      const countable = countableOf(one)
      if ('because' in countable) outcomes.set(one.id, countable.because)
      else if (counted.has(keyOf(countable))) outcomes.set(one.id, COUNTED_BEFORE)
      else counted.set(keyOf(countable), { ...countable, id: one.id })
    }
    const bounded = await boundedOf(tx, [...counted.values()], (address) => this.#sources.isOurs(address))
    const inserted = new Set(bounded.length === 0 ? [] : (await store.insertReports(tx, bounded)).map(keyOf))
    const fresh = bounded.filter((one) => inserted.has(keyOf(one)))
    for (const one of bounded) outcomes.set(one.id, inserted.has(keyOf(one)) ? 'counted' : COUNTED_BEFORE)
    await this.#add(tx, fresh)
    return outcomes
  }

  async #add(tx: Tx, fresh: readonly Countable[]): Promise<void> {
    const dmarc = fresh.flatMap((one) => one.dmarc.map((sum) => ({ ...placeOf(one), ...sum })))
    const tls = fresh.flatMap((one) => one.tls.map((sum) => ({ ...placeOf(one), ...sum })))
    if (tls.length > 0) await store.addTlsSums(tx, tls)
    if (dmarc.length === 0) return
    await store.addDmarcSums(tx, dmarc)
    const addresses = [...new Set(fresh.flatMap(({ sources }) => sources))]
    if (addresses.length === 0) return
    const { smtpHostname } = this.#options
    await store.addSources(
      tx,
      addresses.map((address) => ({ address, ourName: this.#sources.isOurs(address) ? smtpHostname : null })),
    )
    await enqueue(tx, nameReportSources, {}, { key: 'new' })
  }

  async dmarc(project: ProjectContext, id: DomainId, { groupBy = 'source', ...query }: ReadDmarc): Promise<DmarcView> {
    const days = daysOf(query, this.#options.clock.now())
    await this.#options.domains.read(project, id)
    const most = groupBy === 'day' ? MAX_DAY_GROUPS : MAX_GROUPS
    const [reports, groups] = await Promise.all([
      store.countReports(this.#db.reads, id, 'dmarc', days),
      store.dmarcGroups(this.#db.reads, id, days, groupBy, most),
    ])
    const data = groups.map((row) => groupView(row, groupBy === 'source'))
    return { data, reports: reports.all, unproven: reports.unproven, ...days }
  }

  /** What a stricter policy would have cost in the last thirty days. */
  async advice(project: ProjectContext, id: DomainId): Promise<DmarcAdviceView> {
    const days = daysOf({}, this.#options.clock.now())
    const domain = await this.#options.domains.read(project, id)
    const observed = domain.records.find(({ purpose }) => purpose === 'dmarc')?.observed ?? []
    const [{ all, unproven }, { messages, failed }, byKind, sources, found] = await Promise.all([
      store.countReports(this.#db.reads, id, 'dmarc', days),
      store.dmarcTotals(this.#db.reads, id, days),
      store.failedByKind(this.#db.reads, id, days),
      store.failedSources(this.#db.reads, id, days, MAX_LOST_SOURCES),
      policyOf(domain.name, observed, this.#options.dns),
    ])
    const wouldLose = {
      messages: failed,
      share: messages === 0 ? 0 : failed / messages,
      byKind: { ...noKinds, ...Object.fromEntries(byKind.map((row) => [row.kind, row.messages])) },
      sources: sources.map(({ key, kind, ...source }) => ({ key: key ?? OTHER, kind: kind ?? 'unknown', ...source })),
    }
    const reports = all - unproven
    return { policy: found.policy, step: stepAfter(found, reports > 0), reports, unproven, messages, wouldLose }
  }

  async tls(project: ProjectContext, id: DomainId, query: ReadTls): Promise<TlsView> {
    await this.#options.domains.read(project, id)
    return this.tlsOf(id, query)
  }

  /** Of a domain, sending or receiving, that the caller has found to be the project's. */
  async tlsOf(domain: string, query: ReadTls): Promise<TlsView> {
    const days = daysOf(query, this.#options.clock.now())
    const [reports, data] = await Promise.all([
      store.countReports(this.#db.reads, domain, 'tls', days),
      store.tlsGroups(this.#db.reads, domain, days, { groups: MAX_GROUPS, failures: MAX_FAILURES_PER_GROUP }),
    ])
    return { data, reports: reports.all, unproven: reports.unproven, ...days }
  }

  /** Asks the DNS to whom the addresses belong that were not asked about yet, or not for a while. */
  async nameSources(signal: AbortSignal): Promise<void> {
    const due = await store.sourcesToName(this.#db, NAMED_PER_JOB)
    for (let at = 0; at < due.length && !signal.aborted; at += NAMED_AT_ONCE) {
      const named = await Promise.all(
        due.slice(at, at + NAMED_AT_ONCE).map(async ({ address }): Promise<store.NamedSource> => {
          return { address, ...(await this.#sources.name(address)) }
        }),
      )
      await store.nameSources(this.#db, named)
    }
    if (due.length < NAMED_PER_JOB || signal.aborted) return
    await this.#db.transaction((tx) => enqueue(tx, nameReportSources, {}, { key: 'more' }))
  }

  forget(): Promise<void> {
    return this.#db.transaction((tx) => store.forget(tx, KEPT_DAYS))
  }
}

const OTHER = 'other'
const noKinds: Readonly<Record<SourceKind, number>> = { ours: 0, known: 0, stranger: 0, unknown: 0 }
const COUNTED_BEFORE = 'counted before, or of a day to come'

const groupView = (row: store.DmarcGroupRow, isSource: boolean): DmarcGroup => ({
  key: row.key ?? OTHER,
  kind: isSource ? (row.kind ?? 'unknown') : null,
  name: row.name,
  proven: row.proven,
  messages: row.messages,
  dkimAligned: row.dkimAligned,
  spfAligned: row.spfAligned,
  dispositions: { none: row.none, quarantine: row.quarantine, reject: row.reject },
})
