import { CONFIRMED_SECONDS, type Actor, type Visitor } from '../../core/caller.ts'
import { DomainError, notFound } from '../../core/errors.ts'
import { encodeId, newId, type PersonId, type SessionId, type WorkspaceId } from '../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../core/page.ts'
import { hashToken, newSecretToken } from '../../core/secret-token.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { deviceOf } from './device.ts'
import type { SessionView } from './schema.ts'
import * as store from './store.ts'
import { sessionView } from './views.ts'

/** A session is forgotten this long after its end, and with it the address that it was used from. */
const FORGOTTEN_AFTER_DAYS = 90

export interface Person {
  id: PersonId
  workspaceId: WorkspaceId
}

/** The token is in this answer and nowhere else: only its hash is stored. */
export interface StartedSession {
  sessionId: SessionId
  token: string
}

/**
 * A person is signed in from a sign-in until the session's end: they sign out, the session runs out or is unused for too
 * long, or something about the person changes. The session's token is replaced at every confirmation, and after changes
 * by which a thief who knows the old one must lose it.
 */
export class Sessions {
  readonly #db: Database
  readonly #limits: store.SessionLimits

  constructor(db: Database, limits: store.SessionLimits) {
    this.#db = db
    this.#limits = limits
  }

  get limits(): store.SessionLimits {
    return this.#limits
  }

  /** Whoever brought a cookie before signing in does not keep it: its session ends. */
  async startIn(tx: Tx, person: Person, visitor: Visitor): Promise<StartedSession> {
    if (visitor.tokenHash !== undefined) await this.endByTokenIn(tx, visitor.tokenHash, visitor.requestId)
    const token = newSecretToken()
    const id = newId<'ses'>()
    await store.insert(tx, {
      id,
      workspaceId: person.workspaceId,
      personId: person.id,
      tokenHash: hashToken(token),
      address: visitor.address,
      device: deviceOf(visitor.userAgent),
    })
    const actor: Actor = { type: 'person', personId: person.id, sessionId: id, requestId: visitor.requestId }
    await audit(tx, actor, 'session.started', { id, workspaceId: person.workspaceId })
    return { sessionId: id, token }
  }

  /** Gives the session a new token; the old one is refused from then on. */
  async renewIn(tx: Tx, id: SessionId, { isConfirmation = false } = {}): Promise<StartedSession> {
    const token = newSecretToken()
    const isLive = await store.renew(tx, id, hashToken(token), isConfirmation)
    if (!isLive) throw new DomainError('unauthorized', 'Your session has ended: sign in again.')
    return { sessionId: id, token }
  }

  async endByTokenIn(tx: Tx, tokenHash: Buffer, requestId: string): Promise<void> {
    const ended = await store.endByToken(tx, tokenHash)
    if (ended === undefined) return
    await audit(
      tx,
      { type: 'person', personId: ended.personId, sessionId: ended.id, requestId },
      'session.ended',
      ended,
    )
  }

  /** Ends all sessions of a person, or all but the one that is named. Answers how many. */
  async endAllIn(tx: Tx, actor: Actor, person: PersonId, except: SessionId | null = null): Promise<number> {
    return audited(tx, actor, await store.end(tx, person, null, except))
  }

  endAll(actor: Actor, person: PersonId, except: SessionId | null = null): Promise<number> {
    return this.#db.transaction((tx) => this.endAllIn(tx, actor, person, except))
  }

  /** Signs out by the cookie that came along; without a live session there is nothing to end. */
  signOut({ tokenHash, requestId }: Visitor): Promise<void> {
    if (tokenHash === undefined) return Promise.resolve()
    return this.#db.transaction((tx) => this.endByTokenIn(tx, tokenHash, requestId))
  }

  endOne(actor: Actor, person: PersonId, id: SessionId): Promise<{ id: string; deleted: true }> {
    return this.#db.transaction(async (tx) => {
      const ended = await store.end(tx, person, id, null)
      if ((await audited(tx, actor, ended)) === 0) throw notFound('session')
      return { id: encodeId('ses', id), deleted: true }
    })
  }

  endEverybodys(actor: Actor, workspace: WorkspaceId): Promise<number> {
    return this.#db.transaction(async (tx) => audited(tx, actor, await store.endAll(tx, workspace)))
  }

  async list(workspace: WorkspaceId, person: PersonId, request: PageRequest): Promise<Page<SessionView>> {
    return page(await store.list(this.#db.reads, this.#limits, workspace, person, request), request, sessionView)
  }

  async times(id: SessionId): Promise<{ confirmedUntil: Date; expiresAt: Date }> {
    const times = await store.times(this.#db, this.#limits, CONFIRMED_SECONDS, id)
    if (times === undefined) throw new DomainError('unauthorized', 'Your session has ended: sign in again.')
    return times
  }

  async forgetOld(): Promise<void> {
    await store.endExpired(this.#db, this.#limits)
    await store.forget(this.#db, FORGOTTEN_AFTER_DAYS)
  }
}

async function audited(tx: Tx, actor: Actor, ended: readonly store.Ended[]): Promise<number> {
  for (const session of ended) await audit(tx, actor, 'session.ended', session)
  return ended.length
}

const audit = (
  tx: Tx,
  actor: Actor,
  action: 'session.started' | 'session.ended',
  { id, workspaceId }: store.Ended,
): Promise<void> =>
  recordAudit(tx, actor, { workspaceId, projectId: null, action, subject: encodeId('ses', id), details: {} })
