import { createHmac } from 'node:crypto'
import type { Visitor } from '../../core/caller.ts'
import { DomainError } from '../../core/errors.ts'
import { encodeId, type PersonId, type WorkspaceId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import * as store from './store/attempts.ts'

/** From the fifth failure within an hour on, the next attempt has to wait: 1 second, 2, 4 … at most a minute. */
const FREE_FAILURES = 5
const ACCOUNT_SECONDS = 3_600
const MAX_WAIT_SECONDS = 60
/** So many failures in ten minutes from one place, then none for a while. */
const MAX_OF_ADDRESS = 30
const ADDRESS_SECONDS = 600
/** A series of refused attempts is in the audit log at most so often. */
const NOTED_EVERY_SECONDS = 600

/** An attempt counts as a failure from its beginning: many at once are no more than many in a row. */
export interface Attempt {
  id: number
  account: Buffer | null
}

interface AttemptsOptions {
  db: Database
  /** Hides which addresses were typed from whoever reads the database. */
  key: () => Buffer
}

/** Slows down a visitor who guesses. No person is ever locked out: passkeys do not count per account. */
export class Attempts {
  readonly #options: AttemptsOptions

  constructor(options: AttemptsOptions) {
    this.#options = options
  }

  /** The account is whatever is guessed at, known or not; null where only the place counts. */
  begin(visitor: Visitor, account: string | null): Promise<Attempt> {
    const hash = account === null ? null : this.#hashOf(account)
    return this.#options.db.transaction(async (tx) => {
      await store.lock(tx, hash, visitor.household)
      const limits = {
        accountSeconds: ACCOUNT_SECONDS,
        addressSeconds: ADDRESS_SECONDS,
        mostOfAddress: MAX_OF_ADDRESS,
      }
      const seconds = waitOf(await store.count(tx, hash, visitor.household, limits))
      if (seconds > 0) throw tooMany(seconds)
      const { id } = await store.insert(tx, hash, visitor.household)
      return { id, account: hash }
    })
  }

  /** It was right: what was wrong before is forgotten. */
  async succeededIn(tx: Tx, { id, account }: Attempt): Promise<void> {
    await store.clear(tx, id, account)
  }

  /** It was neither right nor wrong. */
  async undo({ id }: Attempt): Promise<void> {
    await store.remove(this.#options.db, id)
  }

  /**
   * Writes a failure into the person's audit log, now and then. It asks the database also for unknown addresses: one
   * answer takes as long as the other.
   */
  async refused(
    visitor: Visitor,
    workspaceId: WorkspaceId,
    person: PersonId | null,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      if (!(await store.noteRefusal(tx, person, NOTED_EVERY_SECONDS)) || person === null) return
      const actor = { type: 'person', personId: person, sessionId: null, requestId: visitor.requestId } as const
      const subject = encodeId('per', person)
      await recordAudit(tx, actor, { workspaceId, projectId: null, action: 'session.refused', subject, details })
    })
  }

  async forgetOld(): Promise<void> {
    await store.forget(this.#options.db, ACCOUNT_SECONDS)
  }

  #hashOf(account: string): Buffer {
    return createHmac('sha256', this.#options.key()).update(account).digest()
  }
}

function waitOf({ ofAccount, secondsSinceLast, addressFreeIn }: store.Failures): number {
  const delay = ofAccount < FREE_FAILURES ? 0 : Math.min(MAX_WAIT_SECONDS, 2 ** (ofAccount - FREE_FAILURES))
  return Math.max(delay - (secondsSinceLast ?? 0), addressFreeIn ?? 0)
}

function tooMany(wait: number): DomainError {
  const retryAfter = Math.ceil(wait)
  return new DomainError('rate_limited', `Too many attempts: wait ${retryAfter} seconds, then try again.`, {
    retryAfter,
  })
}
