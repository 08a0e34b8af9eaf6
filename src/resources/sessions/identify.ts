import { CONFIRMED_SECONDS, type ConfirmationWay, type Session } from '../../core/caller.ts'
import type { ProjectId, SessionId } from '../../core/ids.ts'
import type { Role } from '../../core/roles.ts'
import type { Database } from '../../storage/postgres.ts'
import * as store from './store.ts'

interface Question {
  hash: Buffer
  named: ProjectId | undefined
  isUse: boolean
  answer: (session: Session | undefined) => void
  fail: (error: unknown) => void
}

/**
 * Finds out whose cookie a request carries. As with keys, the requests of one turn of the event loop share one statement,
 * which is sent after the last of them arrived: a session that has ended is refused from the moment its end was answered.
 */
export class SessionIdentifier {
  readonly #db: Database
  readonly #limits: store.SessionLimits
  #questions: Question[] = []
  #used = new Set<SessionId>()

  constructor(db: Database, limits: store.SessionLimits) {
    this.#db = db
    this.#limits = limits
  }

  readonly identify = (hash: Buffer, named: ProjectId | undefined, isUse = true): Promise<Session | undefined> =>
    new Promise((answer, fail) => {
      if (this.#questions.push({ hash, named, isUse, answer, fail }) === 1) setImmediate(() => void this.#ask())
    })

  /** When sessions were last used is written now and then, not with every request. */
  async recordUse(): Promise<void> {
    const used = this.#used
    this.#used = new Set()
    if (used.size > 0) await store.touch(this.#db, [...used])
  }

  async #ask(): Promise<void> {
    const questions = this.#questions
    this.#questions = []
    try {
      const rows = await store.identify(
        this.#db.reads,
        this.#limits,
        CONFIRMED_SECONDS,
        questions.map(({ hash }) => hash),
        questions.map(({ named }) => named ?? null),
      )
      const found = new Map(rows.map((row) => [row.position - 1, sessionOf(row)]))
      for (const [i, { isUse, answer }] of questions.entries()) {
        const session = found.get(i)
        if (isUse && session !== undefined) this.#used.add(session.sessionId)
        answer(session)
      }
    } catch (error) {
      for (const { fail } of questions) fail(error)
    }
  }
}

function sessionOf(row: store.KnownSession): Session {
  const { personId, sessionId, workspaceId, roles, isConfirmed, projectId, projectStatus } = row
  const smsInvited = row.smsInvited ?? false
  return {
    personId,
    sessionId,
    workspaceId,
    workspaceRole: roles.find((held) => held.projectId === null)?.role ?? null,
    projectRoles: new Map(
      roles.flatMap((held): [ProjectId, Role][] => (held.projectId === null ? [] : [[held.projectId, held.role]])),
    ),
    isConfirmed,
    ways: waysOf(row),
    lacksSecondFactor: row.secondFactorRequired && !row.hasPasskey && !row.hasTotp,
    project: projectId && projectStatus ? { id: projectId, workspaceId, status: projectStatus, smsInvited } : undefined,
  }
}

function waysOf({ hasPasskey, hasPassword, hasTotp }: store.KnownSession): ConfirmationWay[] {
  return [
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasPassword ? (['password'] as const) : []),
    ...(hasTotp ? (['totp'] as const) : []),
  ]
}
