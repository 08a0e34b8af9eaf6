import type { Identity } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import type { KeyId, ProjectId } from '../../core/ids.ts'
import type { Database } from '../../storage/postgres.ts'
import * as store from './store.ts'

interface Question {
  hash: Buffer
  named: ProjectId | undefined
  isUse: boolean
  answer: (identity: Identity | undefined) => void
  fail: (error: unknown) => void
}

/**
 * Finds out whose key a request carries. Requests that arrive in the same turn of the event loop share one statement,
 * which is sent after the last of them arrived: no key is checked before its request arrived, so a revoked key
 * is refused from the moment its revocation was answered.
 */
export class KeyIdentifier {
  readonly #db: Database
  readonly #clock: Clock
  #questions: Question[] = []
  #used = new Map<KeyId, Date>()

  constructor(db: Database, clock: Clock) {
    this.#db = db
    this.#clock = clock
  }

  readonly identify = (hash: Buffer, named: ProjectId | undefined, isUse = true): Promise<Identity | undefined> =>
    new Promise((answer, fail) => {
      if (this.#questions.push({ hash, named, isUse, answer, fail }) === 1) setImmediate(() => void this.#ask())
    })

  /** When keys were last used is written now and then, not with every request. */
  async recordUse(): Promise<void> {
    const used = this.#used
    this.#used = new Map()
    if (used.size > 0) await store.touch(this.#db, [...used.keys()], [...used.values()])
  }

  async #ask(): Promise<void> {
    const questions = this.#questions
    this.#questions = []
    try {
      const different = [...new Map(questions.map((question) => [wordingOf(question), question])).entries()]
      const rows = await store.identify(
        this.#db.reads,
        different.map(([, { hash }]) => hash),
        different.map(([, { named }]) => named ?? null),
      )
      const found = new Map(rows.map((row) => [different[row.position - 1]?.[0], identityOf(row)]))
      for (const question of questions) {
        const identity = found.get(wordingOf(question))
        if (question.isUse && identity !== undefined) this.#noteUse(identity)
        question.answer(identity)
      }
    } catch (error) {
      for (const { fail } of questions) fail(error)
    }
  }

  #noteUse({ caller: { keyId } }: Identity): void {
    this.#used.set(keyId, new Date(this.#clock.now()))
  }
}

function identityOf(row: store.KnownCaller): Identity {
  const { keyId, workspaceId, fullAccess, scopes, contentAccess, expiresAt, projectId, projectStatus } = row
  const smsInvited = row.smsInvited ?? false
  const project =
    projectId && projectStatus ? { id: projectId, workspaceId, status: projectStatus, smsInvited } : undefined
  const grant = { fullAccess, scopes, contentAccess }
  const projectIds = row.boundTo === null ? null : [row.boundTo]
  return {
    caller: { ...grant, type: 'key', keyId, workspaceId, projectId: row.boundTo, projectIds, expiresAt },
    project,
  }
}

/** A busy client sends many requests in one moment, all with the same key; they are one question. */
const wordingOf = ({ hash, named }: Question): string => `${hash.toString('latin1')}${named ?? ''}`
