import { randomBytes } from 'node:crypto'
import type { Actor, ProjectContext } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { DomainError, invalid, notFound } from '../../core/errors.ts'
import type { FileContent } from '../../core/file-content.ts'
import { encodeId, newId, type DomainId, type WorkspaceId } from '../../core/ids.ts'
import { returnPathHost } from '../../core/mail-reference.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { auditOf } from '../../events/audit.ts'
import { exportKey, dkimRecord, generateEd25519Key, generateRsaKey, importKey } from '../../mail/compose/dkim-key.ts'
import type { SigningKey } from '../../mail/compose/dkim.ts'
import type { ZoneDns } from '../../net/dns.ts'
import { parseDomainName } from '../../mail/domain-name.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { addingDomain, admitDomain } from './limit.ts'
import { nameServersOf } from './dns-hosts.ts'
import { dkimHost, missingRecords, recordViews, wantedRecords, type MailHosts } from './records.ts'
import type {
  CreateDomain,
  Domain,
  DomainView,
  KeyAlgorithm,
  ListDomains,
  Tracking,
  TrackingChange,
  UpdateDomain,
} from './schema.ts'
import { domainView } from './views.ts'
import { SigningKeys } from './signing-keys.ts'
import { SpareKeys } from './spare-keys.ts'
import * as store from './store/domains.ts'
import { WatchedDomains } from './watched.ts'
import { zoneFile } from './zone-file.ts'

export interface DomainsOptions {
  db: Database
  dns: ZoneDns
  /** Asked for when a key is made or used: nobody should need the master key before. */
  secrets: () => Secrets
  hosts: MailHosts
  clock: Clock
  /** How many a workspace may have, receiving ones included. */
  mostDomains: number
  /** How many DKIM keys are made ahead. */
  keysAhead: number
}

/**
 * The states are those of watched domains; a verified one that lacks a record is in warning for a day, and goes on
 * sending. Of each algorithm one key signs. A new one waits beside it and takes over once its record is seen.
 */
export class Domains {
  readonly #db: Database
  readonly #watched: WatchedDomains<Domain>
  readonly #secrets: () => Secrets
  readonly #hosts: MailHosts
  readonly #signingKeys: SigningKeys
  readonly #spareKeys: SpareKeys
  readonly #mostDomains: number

  constructor({ db, dns, secrets, hosts, clock, mostDomains, keysAhead }: DomainsOptions) {
    this.#spareKeys = new SpareKeys({ db, secrets, count: keysAhead })
    this.#mostDomains = mostDomains
    this.#db = db
    this.#secrets = secrets
    this.#hosts = hosts
    this.#watched = new WatchedDomains({
      db,
      dns,
      table: store.table,
      prefix: 'dom',
      wantedRecords: (domain) => wantedRecords(domain, hosts),
      alsoAsk: async ({ name }) => ({ nameServers: await nameServersOf(name, dns) }),
      onRecorded: async (tx, { id, projectId }, { published, nameServers }) => {
        await store.activateKeys(tx, id, published)
        if (nameServers !== undefined) await store.setNameServers(tx, projectId, id, nameServers)
      },
      taken: (name) =>
        `${name} is verified by another project of this installation. Remove it there first, or use another name.`,
    })
    this.#signingKeys = new SigningKeys((domain) => this.#openKeys(domain), clock)
  }

  async list(project: ProjectContext, filter: ListDomains, request: PageRequest): Promise<Page<DomainView>> {
    return page(await this.#watched.list(project.id, filter, request), request, (domain) => this.#view(domain))
  }

  async read(project: ProjectContext, id: DomainId): Promise<DomainView> {
    return this.#view(await this.#watched.find(this.#db.reads, project.id, id))
  }

  async create(project: ProjectContext, actor: Actor, fields: CreateDomain): Promise<DomainView> {
    const name = domainName(fields.name)
    const tracking = { opens: false, clicks: false, host: null, ...checkedTracking(name, fields.tracking ?? {}) }
    const existing = await this.#watched.idOf(this.#db, project.id, name)
    if (existing !== undefined) throw alreadyExists(name, existing)
    const id = newId<'dom'>()
    const adding: Transact = (work) => addingDomain(this.#db, project.workspaceId, work)
    return this.#withNewKeys(adding, id, fields.ed25519 === true ? ['rsa', 'ed25519'] : ['rsa'], async (tx, keys) => {
      if (!(await store.insert(tx, project.id, id, name, tracking))) {
        throw alreadyExists(name, await this.#watched.idOf(tx, project.id, name))
      }
      await admitDomain(tx, project.workspaceId, this.#mostDomains)
      for (const key of keys) await store.insertKey(tx, id, key)
      await audit(tx, project, actor, 'domain.created', id, { name, tracking })
      return this.#view(await this.#watched.find(tx, project.id, id))
    })
  }

  async update(project: ProjectContext, actor: Actor, id: DomainId, change: UpdateDomain): Promise<DomainView> {
    const { name } = await this.#watched.find(this.#db, project.id, id)
    const tracking = checkedTracking(name, change.tracking)
    return this.#db.transaction(async (tx) => {
      const updated = await store.updateTracking(tx, project.id, id, tracking)
      const domain = updated && tracking.host ? await store.watch(tx, project.id, id) : updated
      if (domain === undefined) throw notFound('sending domain')
      await audit(tx, project, actor, 'domain.updated', id, { name, tracking })
      return this.#view(domain)
    })
  }

  remove(project: ProjectContext, actor: Actor, id: DomainId): Promise<{ id: string; deleted: true }> {
    return this.#db.transaction(async (tx) => {
      await audit(tx, project, actor, 'domain.removed', id, await this.#watched.remove(tx, project.id, id))
      return { id: encodeId('dom', id), deleted: true }
    })
  }

  /** The records that are missing, for whoever looks after the DNS. */
  async zone(project: ProjectContext, id: DomainId): Promise<FileContent> {
    const domain = await this.#watched.find(this.#db.reads, project.id, id)
    const content = Buffer.from(zoneFile(domain.name, missingRecords(domain, this.#hosts)))
    return { type: 'text/plain', filename: `${domain.name}.zone.txt`, content }
  }

  /** Looks at the DNS now. Answers what it found, whether or not that is enough. */
  async verify(project: ProjectContext, id: DomainId): Promise<DomainView> {
    return this.#view(await this.#watched.verify(await this.#watched.find(this.#db, project.id, id)))
  }

  /** A new key beside each that signs. */
  async rotateDkim(project: ProjectContext, actor: Actor, id: DomainId): Promise<DomainView> {
    const { name, keys } = await this.#watched.find(this.#db, project.id, id)
    const algorithmsOf = (wanted: string) => keys.filter(({ state }) => state === wanted).map((key) => key.algorithm)
    const waiting = algorithmsOf('pending')
    const replaceable = algorithmsOf('active').filter((algorithm) => !waiting.includes(algorithm))
    if (replaceable.length === 0) throw stillWaiting()
    const changing: Transact = (work) => this.#db.transaction(work)
    return this.#withNewKeys(changing, id, replaceable, async (tx, successors) => {
      for (const key of successors) if (!(await store.insertKey(tx, id, key))) throw stillWaiting()
      const domain = await store.watch(tx, project.id, id)
      if (domain === undefined) throw notFound('sending domain')
      const selectors = successors.map(({ selector }) => selector)
      await audit(tx, project, actor, 'domain.dkim_rotated', id, { name, selectors })
      return this.#view(domain)
    })
  }

  /** Looks at every domain whose time has come. */
  checkDue(signal: AbortSignal): Promise<void> {
    return this.#watched.checkDue(signal)
  }

  /** Makes keys in the background, until there are as many as there should be. */
  makeKeysAhead(signal: AbortSignal): Promise<void> {
    return this.#spareKeys.make(signal)
  }

  /** The owners of these verified domains; names that no project of this workspace has are missing. */
  async owners(workspace: WorkspaceId, names: readonly string[]): Promise<Map<string, store.Owner>> {
    const rows = await store.owners(this.#db.reads, workspace, names)
    return new Map(rows.map(({ name, ...owner }) => [name, owner]))
  }

  /** The names that verified domains have given to the links in their mail. */
  async trackingHosts(): Promise<string[]> {
    return (await store.trackingHosts(this.#db.reads)).map(({ host }) => host)
  }

  /** What mail of this domain is signed with, also after its removal. */
  signingKeys(domain: DomainId): Promise<readonly SigningKey[]> {
    return this.#signingKeys.of(domain)
  }

  async #openKeys(domain: DomainId): Promise<SigningKey[]> {
    const keys = await store.activeKeys(this.#db.reads, domain)
    return keys.map(({ privateKey, ...key }) => ({
      ...key,
      privateKey: importKey(this.#secrets().open(placeOf(domain, key.selector), privateKey)),
    }))
  }

  /** In one transaction with them. Where no RSA key is at hand one is made, before a second try: it takes its time. */
  async #withNewKeys<T>(
    transact: Transact,
    domain: DomainId,
    algorithms: readonly KeyAlgorithm[],
    write: (tx: Tx, keys: readonly store.NewKey[]) => Promise<T>,
  ): Promise<T> {
    const others = algorithms.includes('ed25519') ? [await this.#newKey(domain, 'ed25519')] : []
    if (!algorithms.includes('rsa')) return transact((tx) => write(tx, others))
    const done = await transact(async (tx) => {
      const spare = await this.#spareKeys.take(tx)
      return spare && { answer: await write(tx, [this.#keyOf(domain, 'rsa', spare), ...others]) }
    })
    if (done !== undefined) return done.answer
    const made = await this.#newKey(domain, 'rsa')
    return transact((tx) => write(tx, [made, ...others]))
  }

  async #newKey(domain: DomainId, algorithm: KeyAlgorithm): Promise<store.NewKey> {
    const key = await (algorithm === 'rsa' ? generateRsaKey() : generateEd25519Key())
    return this.#keyOf(domain, algorithm, { record: dkimRecord(key), privateKey: exportKey(key) })
  }

  #keyOf(domain: DomainId, algorithm: KeyAlgorithm, { record, privateKey }: Pair): store.NewKey {
    const selector = newSelector()
    return { selector, algorithm, record, privateKey: this.#secrets().seal(placeOf(domain, selector), privateKey) }
  }

  #view(domain: Domain): DomainView {
    return domainView(domain, recordViews(domain, this.#hosts))
  }
}

type Transact = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

interface Pair {
  record: string
  /** Open. */
  privateKey: Buffer
}

const newSelector = (): string => `ph${randomBytes(5).toString('hex')}`

const placeOf = (domain: DomainId, selector: string) => ({ purpose: 'dkim-key', id: `${domain} ${selector}` })

/** RFC 1035 §2.3.4; the records have longer names than the domain. */
const MAX_NAME_LENGTH = 253

function domainName(input: string): string {
  const name = parseDomainName(input)
  if (!name.ok) throw invalid([{ path: '/name', message: name.problem }])
  if (dkimHost(newSelector(), name.value).length > MAX_NAME_LENGTH) {
    throw invalid([
      { path: '/name', message: 'is so long that the records below it could not exist: use a shorter name' },
    ])
  }
  return name.value
}

function checkedTracking<T extends TrackingChange | Partial<Tracking>>(domain: string, tracking: T): T {
  if (typeof tracking.host !== 'string') return tracking
  const host = parseDomainName(tracking.host)
  const refuse = (message: string): DomainError => invalid([{ path: '/tracking/host', message }])
  if (!host.ok) throw refuse(host.problem)
  if (!host.value.endsWith(`.${domain}`)) throw refuse(`must be a name below ${domain}, like links.${domain}`)
  if (host.value === returnPathHost(domain))
    throw refuse(`is where bounces come back to, and a CNAME cannot be there too: use another, like links.${domain}`)
  return { ...tracking, host: host.value }
}

const alreadyExists = (name: string, id: DomainId | undefined): DomainError =>
  new DomainError('already_exists', `The project has the domain ${name} already.`, {
    ...(id && { existingId: encodeId('dom', id) }),
  })

const stillWaiting = (): DomainError =>
  new DomainError(
    'invalid_state',
    'The newest key still waits for its record. Create the DKIM record that is shown as pending first.',
    { state: 'pending' },
  )

const audit = auditOf('dom')
