/**
 * Domains whose DNS records are watched. The customer creates the records; we look at once when asked to, every five minutes
 * while the customer is probably at work in their DNS, and once a day after that.
 *
 * pending → verified when all required records are there; verified → failed when one has been missing for a day; any →
 * verified when they are back. Of all projects of an installation one can hold a name; a unique index decides who.
 */
import { DomainError, notFound } from '../../core/errors.ts'
import { idPrefixes, type ProjectId } from '../../core/ids.ts'
import type { PageRequest } from '../../core/page.ts'
import { parseDomainName } from '../../mail/domain-name.ts'
import type { ZoneDns } from '../../net/dns.ts'
import { violatedConstraint, type Database, type Db, type Tx } from '../../storage/postgres.ts'
import { checkRecords, type Check } from './check.ts'
import type { WantedRecord } from './records.ts'
import * as store from './store/watched.ts'

export interface WatchedDomainsOptions<D> {
  db: Database
  dns: ZoneDns
  table: store.WatchedTable
  prefix: 'dom' | 'rdm'
  wantedRecords: (domain: D) => readonly WantedRecord[]
  /** What else is asked about a domain, before the check is recorded. */
  alsoAsk?: (domain: D) => Promise<Pick<Check, 'nameServers'>>
  /** Called in the transaction that records a check. */
  onRecorded?: (tx: Tx, domain: D, check: Check) => Promise<void>
  /** What to say when another project holds the name. */
  taken: (name: string) => string
}

/** How many domains are looked at in one go. */
const AT_ONCE = 20

export class WatchedDomains<D extends store.WatchedRow> {
  readonly #options: WatchedDomainsOptions<D>

  constructor(options: WatchedDomainsOptions<D>) {
    this.#options = options
  }

  async list(project: ProjectId, filter: { name?: string; status?: string }, request: PageRequest): Promise<D[]> {
    const { db, table } = this.#options
    const name = filter.name === undefined ? undefined : parseDomainName(filter.name)
    if (name?.ok === false) return []
    return store.list<D>(db.reads, table, project, { name: name?.value, status: filter.status }, request)
  }

  async find(db: Db, project: ProjectId, id: D['id']): Promise<D> {
    return (await store.find<D>(db, this.#options.table, project, id)) ?? this.#isGone()
  }

  async idOf(db: Db, project: ProjectId, name: string): Promise<D['id'] | undefined> {
    return (await store.findByName<D>(db, this.#options.table, project, name))?.id
  }

  async remove(tx: Tx, project: ProjectId, id: D['id']): Promise<{ name: string }> {
    return (await store.remove(tx, this.#options.table, project, id)) ?? this.#isGone()
  }

  /** Looks at the DNS now. Answers what it found, whether or not that is enough. */
  async verify(found: D): Promise<D> {
    const { db, table } = this.#options
    const domain = (await this.#check(found)) ?? this.#isGone()
    const isHolder = domain.status === 'verified' || domain.status === 'warning'
    if (!isHolder && (await store.isTaken(db, table, domain.projectId, domain.name))) throw this.#taken(domain)
    return domain
  }

  /** Looks at every domain whose time has come. */
  async checkDue(signal: AbortSignal): Promise<void> {
    const { db, table } = this.#options
    while (!signal.aborted) {
      const due = await store.claimDue<D>(db, table, AT_ONCE)
      const checks = await Promise.allSettled(due.map((domain) => this.#check(domain).catch(ignoreTaken)))
      const failed = checks.find((check) => check.status === 'rejected')
      if (failed) throw failed.reason
      if (due.length < AT_ONCE) return
    }
  }

  /** Undefined when the domain was removed meanwhile. */
  async #check(domain: D): Promise<D | undefined> {
    const { dns, table, wantedRecords, alsoAsk } = this.#options
    const [records, more] = await Promise.all([checkRecords(wantedRecords(domain), domain, dns), alsoAsk?.(domain)])
    const check = { ...records, ...more }
    try {
      return await this.#record(domain, check)
    } catch (error) {
      if (violatedConstraint(error) !== table.oneHolder) throw error
      // What was seen is worth keeping all the same.
      await this.#record(domain, { ...check, verdict: 'unanswered', published: [] })
      throw this.#taken(domain)
    }
  }

  #record(domain: D, check: Check): Promise<D | undefined> {
    const { db, table, onRecorded } = this.#options
    return db.transaction(async (tx) => {
      const isRecorded = await store.recordCheck(tx, table, domain, check.verdict, check.seen)
      if (isRecorded) await onRecorded?.(tx, domain, check)
      return store.find<D>(tx, table, domain.projectId, domain.id)
    })
  }

  #taken({ name }: D): DomainError {
    return new DomainError('domain_taken', this.#options.taken(name))
  }

  #isGone(): never {
    throw notFound(idPrefixes[this.#options.prefix])
  }
}

/** A check in the background has no caller to answer; `verify` tells its caller. */
function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'domain_taken')) throw error
}
