import type { Actor, Caller, Visibility } from '../../core/caller.ts'
import { parseTimestamp, type Clock } from '../../core/clock.ts'
import { DomainError, invalid, notFound } from '../../core/errors.ts'
import {
  decodeId,
  encodeId,
  newId,
  type KeyId,
  type PersonId,
  type ProjectId,
  type WorkspaceId,
} from '../../core/ids.ts'
import { hashKeySecret, newKeySecret } from '../../core/key-secret.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { scopesBeyond, seesBeyond, type Grant, type Scope } from '../../core/scopes.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Projects } from '../projects/index.ts'
import type { CreatedKeyView, CreateKey, Key, KeyView, RevokedKeyView } from './schema.ts'
import { keyView } from './views.ts'
import * as store from './store.ts'

/** Who makes a key: never given away is more than the maker has. The operator at the command line has everything. */
export interface OperatorMaker extends Grant, Visibility {
  type: 'operator'
}

type Maker = OperatorMaker | Caller

export const operator = (workspaceId: WorkspaceId): OperatorMaker => ({
  type: 'operator',
  workspaceId,
  projectIds: null,
  fullAccess: true,
  scopes: [],
  contentAccess: 'all',
})

export class Keys {
  readonly #db: Database
  readonly #projects: Projects
  readonly #clock: Clock

  constructor(db: Database, projects: Projects, clock: Clock) {
    this.#db = db
    this.#projects = projects
    this.#clock = clock
  }

  async list(visibility: Visibility, revoked: boolean, request: PageRequest): Promise<Page<KeyView>> {
    return page(await store.list(this.#db.reads, visibility, revoked, request), request, keyView)
  }

  async read(visibility: Visibility, id: KeyId): Promise<KeyView> {
    const key = await store.find(this.#db.reads, visibility, id)
    if (key === undefined) throw notFound('API key')
    return keyView(key)
  }

  create(maker: Maker, actor: Actor, fields: CreateKey): Promise<CreatedKeyView> {
    return this.#db.transaction((tx) => this.createIn(tx, maker, actor, fields))
  }

  /** Answers the secret, which is stored nowhere: this is the only time anybody sees it. */
  async createIn(tx: Tx, maker: Maker, actor: Actor, fields: CreateKey): Promise<CreatedKeyView> {
    const grant = grantOf(maker, fields)
    const expiresAt = this.#expiry(maker, fields.expiresAt)
    const projectId = await this.#binding(tx, maker, fields.projectId)
    refuseBroader(maker, grant, 'A key cannot be broader than the one that makes it')
    const secret = newKeySecret()
    const key = await store.insert(tx, {
      ...grant,
      id: newId<'key'>(),
      workspaceId: maker.workspaceId,
      projectId,
      name: fields.name,
      secretHash: hashKeySecret(secret),
      last4: secret.slice(-4),
      ...makerOf(maker),
      expiresAt,
    })
    // Revoked since its request was let in: what it makes now would outlive it.
    if (key === undefined)
      throw new DomainError(
        'unauthorized',
        maker.type === 'person' ? 'Your session has ended.' : 'This key was revoked.',
      )
    const view = keyView(key)
    const { name, scopes, contentAccess } = view
    await recordAudit(tx, actor, {
      workspaceId: key.workspaceId,
      projectId,
      action: 'key.created',
      subject: view.id,
      details: { name, scopes, contentAccess },
    })
    return { ...view, secret }
  }

  /**
   * Revoking twice is no error: the caller wants it gone, and it is. With its family go all keys that it made, and
   * those that they made.
   */
  revoke(who: Maker, actor: Actor, id: KeyId, family: boolean): Promise<RevokedKeyView> {
    return this.#db.transaction(async (tx) => {
      const key = await store.find(tx, who, id)
      if (key === undefined) throw notFound('API key')
      refuseBroader(who, key, 'A key cannot revoke one that is broader than itself')
      const revoked = await store.revoke(tx, who, [id])
      if (family) revoked.push(...(await revokeWhile(tx, who, () => store.liveDescendants(tx, who, id))))
      await auditRevoked(tx, actor, revoked)
      return { id: encodeId('key', id), deleted: true, ...(family ? { revokedCount: revoked.length } : {}) }
    })
  }

  /** Revokes the keys that a person made, those that these made, and so on. Answers how many. */
  async revokeOfPersonIn(tx: Tx, actor: Actor, workspaceId: WorkspaceId, person: PersonId): Promise<number> {
    const whole = { workspaceId, projectIds: null }
    const revoked = await revokeWhile(tx, whole, () => store.liveKeysOfPerson(tx, workspaceId, person))
    await auditRevoked(tx, actor, revoked)
    return revoked.length
  }

  /** An omitted expiry is the maker's own; none may lie behind it. */
  #expiry(maker: Maker, given: string | null | undefined): Date | null {
    const latest = maker.type === 'key' ? maker.expiresAt : null
    if (given === undefined) return latest
    const expiresAt = given === null ? null : parseTimestamp(given, '/expiresAt')
    if (expiresAt !== null && expiresAt.getTime() <= this.#clock.now()) {
      throw invalid([{ path: '/expiresAt', message: 'lies in the past' }])
    }
    if (latest !== null && (expiresAt === null || expiresAt > latest)) {
      throw invalid([{ path: '/expiresAt', message: 'must not be later than that of the key that makes it' }])
    }
    return expiresAt
  }

  /** An omitted project is the maker's own; who sees single projects only cannot name another, nor none. */
  async #binding(tx: Tx, maker: Maker, given: string | null | undefined): Promise<ProjectId | null> {
    const { projectIds } = maker
    if (given === undefined && projectIds === null) return null
    const id = given === undefined ? (projectIds?.[0] ?? null) : given === null ? null : decodeId('prj', given)
    if (projectIds !== null) {
      const isOwn = id != null && projectIds.includes(id)
      if (isOwn && (given !== undefined || projectIds.length === 1)) return id
      throw new DomainError('project_not_allowed', 'A key can only be made for a project that its maker is bound to.')
    }
    if (id === null) return null
    if (id === undefined) throw notFound('project')
    const project = await this.#projects.findIn(tx, maker, id)
    if (project.status === 'archived') throw new DomainError('project_archived', 'The project is archived.')
    return id
  }
}

/**
 * Revokes what is found until nothing is. A key of the family may be making another one at this moment. It holds its own
 * row while it does: revoking waits for it, and the next look finds what it made.
 */
async function revokeWhile(tx: Tx, visibility: Visibility, find: () => Promise<{ id: KeyId }[]>): Promise<Key[]> {
  const revoked: Key[] = []
  for (;;) {
    const found = await find()
    if (found.length === 0) return revoked
    const ids = found.map((key) => key.id)
    revoked.push(...(await store.revoke(tx, visibility, ids)))
  }
}

async function auditRevoked(tx: Tx, actor: Actor, revoked: readonly Key[]): Promise<void> {
  for (const { id, workspaceId, projectId, name } of revoked) {
    const subject = encodeId('key', id)
    await recordAudit(tx, actor, { workspaceId, projectId, action: 'key.revoked', subject, details: { name } })
  }
}

function refuseBroader(who: Grant, other: Grant, sentence: string): void {
  const missingScopes = scopesBeyond(who, other)
  if (missingScopes.length > 0) throw new DomainError('insufficient_scope', `${sentence}.`, { missingScopes })
  if (seesBeyond(who, other)) {
    throw new DomainError('insufficient_scope', `${sentence}: this one has contentAccess "${who.contentAccess}".`)
  }
}

/** An omitted content access is the maker's own. */
const grantOf = (maker: Grant, fields: CreateKey): Grant => ({
  ...scopesOf(fields),
  contentAccess: fields.contentAccess ?? maker.contentAccess,
})

function scopesOf({ scopes, fullAccess }: CreateKey): Pick<Grant, 'fullAccess' | 'scopes'> {
  const everything = fullAccess === true || scopes?.includes('*') === true
  if (everything && (fullAccess === false || scopes?.some((scope) => scope !== '*'))) {
    throw invalid([{ path: '/scopes', message: 'cannot narrow a key with full access: give one or the other' }])
  }
  if (everything) return { fullAccess: true, scopes: [] }
  if (scopes === undefined) throw invalid([{ path: '/scopes', message: 'is required unless fullAccess is true' }])
  return { fullAccess: false, scopes: [...new Set(scopes)].filter((scope): scope is Scope => scope !== '*') }
}

const makerOf = (maker: Maker): Pick<store.NewKey, 'createdBy' | 'createdByPerson'> => ({
  createdBy: maker.type === 'key' ? maker.keyId : null,
  createdByPerson: maker.type === 'person' ? { personId: maker.personId, sessionId: maker.sessionId } : null,
})
