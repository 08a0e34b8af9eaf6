import { randomBytes } from 'node:crypto'
import type { Actor, ProjectContext } from '../../core/caller.ts'
import { DomainError, invalid } from '../../core/errors.ts'
import { encodeId, newId, type ReceivingDomainId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import { parseDomainName } from '../../mail/domain-name.ts'
import type { ZoneDns } from '../../net/dns.ts'
import type { Database } from '../../storage/postgres.ts'
import { addingDomain, admitDomain, WatchedDomains } from '../domains/index.ts'
import type { DomainReports, ReadTls, TlsView } from '../domain-reports/index.ts'
import { proofHost, recordViews, wantedRecords } from './records.ts'
import type { CreateReceivingDomain, ListReceivingDomains, ReceivingDomain, ReceivingDomainView } from './schema.ts'
import { receivingDomainView } from './views.ts'
import * as store from './store/domains.ts'

export interface ReceivingDomainsOptions {
  db: Database
  dns: ZoneDns
  /** Where the MX records have to lead. */
  smtpHostname: string
  /** Managed domains are made below this one. */
  managedDomain: string
  /** How many a workspace may have, sending ones included. */
  mostDomains: number
  /** Where mail does not go out to the world, so none comes back from there. */
  simulatorDomain: string
  reports: DomainReports
}

/** The states are those of watched domains. A managed domain is verified as long as it exists. */
export class ReceivingDomains {
  readonly #options: ReceivingDomainsOptions
  readonly #db: Database
  readonly #watched: WatchedDomains<ReceivingDomain>

  constructor(options: ReceivingDomainsOptions) {
    this.#options = options
    this.#db = options.db
    this.#watched = new WatchedDomains({
      db: options.db,
      dns: options.dns,
      table: store.table,
      prefix: 'rdm',
      wantedRecords: (domain) => wantedRecords(domain, options.smtpHostname),
      taken: (name) => `Mail for ${name} is received by another project of this installation. Remove it there first.`,
    })
  }

  async list(
    project: ProjectContext,
    filter: ListReceivingDomains,
    request: PageRequest,
  ): Promise<Page<ReceivingDomainView>> {
    return page(await this.#watched.list(project.id, filter, request), request, (domain) => this.#view(domain))
  }

  async read(project: ProjectContext, id: ReceivingDomainId): Promise<ReceivingDomainView> {
    return this.#view(await this.#watched.find(this.#db.reads, project.id, id))
  }

  async create(
    project: ProjectContext,
    actor: Actor,
    { type, name: given }: CreateReceivingDomain,
  ): Promise<ReceivingDomainView> {
    const name = type === 'managed' ? this.#managedName(given) : this.#customName(given)
    const id = newId<'rdm'>()
    return addingDomain(this.#db, project.workspaceId, async (tx) => {
      const domain = await store.insert(tx, project.id, { id, type, name })
      if (domain === undefined) throw alreadyExists(name, await this.#watched.idOf(tx, project.id, name))
      await admitDomain(tx, project.workspaceId, this.#options.mostDomains)
      await audit(tx, project, actor, 'receiving_domain.created', id, { type, name })
      return this.#view(domain)
    })
  }

  /** Looks at the DNS now. Answers what it found, whether or not that is enough. */
  async verify(project: ProjectContext, id: ReceivingDomainId): Promise<ReceivingDomainView> {
    const domain = await this.#watched.find(this.#db, project.id, id)
    return this.#view(domain.type === 'managed' ? domain : await this.#watched.verify(domain))
  }

  /** What other servers say about encrypted delivery to the domain. */
  async tlsReports(project: ProjectContext, id: ReceivingDomainId, query: ReadTls): Promise<TlsView> {
    await this.#watched.find(this.#db.reads, project.id, id)
    return this.#options.reports.tlsOf(id, query)
  }

  remove(project: ProjectContext, actor: Actor, id: ReceivingDomainId): Promise<{ id: string; deleted: true }> {
    return this.#db.transaction(async (tx) => {
      const removed = await this.#watched.remove(tx, project.id, id)
      await audit(tx, project, actor, 'receiving_domain.removed', id, removed)
      return { id: encodeId('rdm', id), deleted: true }
    })
  }

  /** Looks at every domain whose time has come. */
  checkDue(signal: AbortSignal): Promise<void> {
    return this.#watched.checkDue(signal)
  }

  #managedName(given: string | undefined): string {
    if (given !== undefined) {
      throw invalid([{ path: '/name', message: 'is chosen by us for a managed domain: leave it out' }])
    }
    return `${randomLabel()}.${this.#options.managedDomain}`
  }

  #customName(given: string | undefined): string {
    const refuse = (message: string): DomainError => invalid([{ path: '/name', message }])
    if (given === undefined) throw refuse('is required for a custom domain, like in.example.com')
    const name = parseDomainName(given)
    if (!name.ok) throw refuse(name.problem)
    if (this.#isOurs(name.value)) throw refuse('belongs to this installation: use a name of your own')
    if (proofHost(name.value).length > MAX_NAME_LENGTH)
      throw refuse('is so long that a record below it could not exist: use a shorter name')
    return name.value
  }

  #isOurs(name: string): boolean {
    const { smtpHostname, managedDomain, simulatorDomain } = this.#options
    return name === smtpHostname || [managedDomain, simulatorDomain].some((own) => `.${name}`.endsWith(`.${own}`))
  }

  #view(domain: ReceivingDomain): ReceivingDomainView {
    return receivingDomainView(domain, recordViews(domain, this.#options.smtpHostname))
  }
}

/** RFC 1035 §2.3.4. */
const MAX_NAME_LENGTH = 253

/** Nobody should guess the mailboxes of others; and it begins with a letter, as some want names to. */
const randomLabel = (): string => `r${randomBytes(6).toString('hex')}`

const alreadyExists = (name: string, id: ReceivingDomainId | undefined): DomainError =>
  new DomainError('already_exists', `The project has the receiving domain ${name} already.`, {
    ...(id && { existingId: encodeId('rdm', id) }),
  })

const audit = auditOf('rdm')
