import { randomBytes } from 'node:crypto'
import type { Actor, ProjectContext } from '../../core/caller.ts'
import { DomainError, invalid, notFound } from '../../core/errors.ts'
import { encodeId, newId, type ProjectId, type ReceivingDomainId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import { parseDomainName } from '../../mail/domain-name.ts'
import type { Dns } from '../../net/dns.ts'
import { violatedConstraint, type Database, type Db } from '../../storage/postgres.ts'
import { addingDomain, admitDomain, checkRecords, type Check } from '../domains/index.ts'
import { proofHost, recordViews, wantedRecords } from './records.ts'
import {
  receivingDomainView,
  type CreateReceivingDomain,
  type ListReceivingDomains,
  type ReceivingDomain,
  type ReceivingDomainView,
} from './schema.ts'
import * as store from './store/domains.ts'

export interface ReceivingDomainsOptions {
  db: Database
  dns: Dns
  /** Where the MX records have to lead. */
  smtpHostname: string
  /** Managed domains are made below this one. */
  managedDomain: string
  /** How many a workspace may have, sending ones included. */
  mostDomains: number
  /** Where mail does not go out to the world, so none comes back from there. */
  simulatorDomain: string
}

/** How many domains are looked at in one go. */
const AT_ONCE = 20

/**
 * pending → verified when both records are there; verified → failed when one was missing for a day; any → verified
 * when they are back. A managed domain is verified as long as it exists. Of all projects of an installation one can hold
 * a name verified; a unique index decides who.
 */
export class ReceivingDomains {
  readonly #options: ReceivingDomainsOptions
  readonly #db: Database

  constructor(options: ReceivingDomainsOptions) {
    this.#options = options
    this.#db = options.db
  }

  async list(
    project: ProjectContext,
    filter: ListReceivingDomains,
    request: PageRequest,
  ): Promise<Page<ReceivingDomainView>> {
    const name = filter.name === undefined ? undefined : parseDomainName(filter.name)
    const rows =
      name?.ok === false ? [] : await store.list(this.#db.reads, project.id, name?.value, filter.status, request)
    return page(rows, request, (domain) => this.#view(domain))
  }

  async read(project: ProjectContext, id: ReceivingDomainId): Promise<ReceivingDomainView> {
    return this.#view(await findIn(this.#db.reads, project.id, id))
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
      if (domain === undefined) throw alreadyExists(name, (await store.findByName(tx, project.id, name))?.id)
      await admitDomain(tx, project.workspaceId, this.#options.mostDomains)
      await audit(tx, project, actor, 'receiving_domain.created', id, { type, name })
      return this.#view(domain)
    })
  }

  /** Looks at the DNS now. Answers what it found, whether or not that is enough. */
  async verify(project: ProjectContext, id: ReceivingDomainId): Promise<ReceivingDomainView> {
    const found = await findIn(this.#db, project.id, id)
    if (found.type === 'managed') return this.#view(found)
    const domain = await this.#check(found)
    if (domain === undefined) throw notFound('receiving domain')
    if (domain.status !== 'verified' && (await store.isTaken(this.#db, project.id, domain.name))) {
      throw taken(domain.name)
    }
    return this.#view(domain)
  }

  remove(project: ProjectContext, actor: Actor, id: ReceivingDomainId): Promise<{ id: string; deleted: true }> {
    return this.#db.transaction(async (tx) => {
      const removed = await store.remove(tx, project.id, id)
      if (removed === undefined) throw notFound('receiving domain')
      await audit(tx, project, actor, 'receiving_domain.removed', id, removed)
      return { id: encodeId('rdm', id), deleted: true }
    })
  }

  /** Looks at every domain whose time has come. */
  async checkDue(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await store.claimDue(this.#db, AT_ONCE)
      const checks = await Promise.allSettled(due.map((domain) => this.#check(domain).catch(ignoreTaken)))
      const failed = checks.find((check) => check.status === 'rejected')
      if (failed) throw failed.reason
      if (due.length < AT_ONCE) return
    }
  }

  /** Undefined when the domain was removed meanwhile. */
  async #check(domain: ReceivingDomain): Promise<ReceivingDomain | undefined> {
    const { dns, smtpHostname } = this.#options
    const check = await checkRecords(wantedRecords(domain, smtpHostname), domain.seen, dns)
    try {
      return await this.#record(domain, check)
    } catch (error) {
      if (violatedConstraint(error) !== 'receiving_domains_one_holder') throw error
      // What was seen is worth keeping all the same.
      await this.#record(domain, { ...check, verdict: 'unanswered' })
      throw taken(domain.name)
    }
  }

  #record(domain: ReceivingDomain, { verdict, seen }: Check): Promise<ReceivingDomain | undefined> {
    return this.#db.transaction(async (tx) => {
      await store.recordCheck(tx, domain, verdict, seen)
      return store.find(tx, domain.projectId, domain.id)
    })
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

async function findIn(db: Db, project: ProjectId, id: ReceivingDomainId): Promise<ReceivingDomain> {
  const domain = await store.find(db, project, id)
  if (domain === undefined) throw notFound('receiving domain')
  return domain
}

const alreadyExists = (name: string, id: ReceivingDomainId | undefined): DomainError =>
  new DomainError('already_exists', `The project has the receiving domain ${name} already.`, {
    ...(id && { existingId: encodeId('rdm', id) }),
  })

const taken = (name: string): DomainError =>
  new DomainError(
    'domain_taken',
    `Mail for ${name} is received by another project of this installation. Remove it there first.`,
  )

/** In the background there is nobody to tell; whoever asks to verify is told. */
function ignoreTaken(error: unknown): undefined {
  if (!(error instanceof DomainError && error.code === 'domain_taken')) throw error
}

const audit = auditOf('rdm')
