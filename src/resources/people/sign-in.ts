import type { Actor, Session, Visitor } from '../../core/caller.ts'
import { invalid, secondFactorRequired, wrongCredentials } from '../../core/errors.ts'
import { encodeId, type WorkspaceId } from '../../core/ids.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Sessions, StartedSession } from '../sessions/index.ts'
import type { Attempt, Attempts } from './attempts.ts'
import type { Passkeys } from './passkeys.ts'
import type { Passwords } from './passwords.ts'
import type { AuthenticationCredential } from './schema.ts'
import type { GivenCode, SecondFactor } from './second-factor.ts'
import * as store from './store/credentials.ts'
import * as passkeyStore from './store/passkeys.ts'

interface SignInOptions {
  db: Database
  workspace: () => Promise<WorkspaceId>
  sessions: Sessions
  attempts: Attempts
  passwords: Passwords
  passkeys: Passkeys
  secondFactor: SecondFactor
}

export interface PasswordSignIn extends GivenCode {
  email: string
  password: string
}

/** One of them proves that it is still the person who signed in. */
export interface Proof {
  password?: string
  totp?: string
  credential?: AuthenticationCredential
}

type Outcome = StartedSession | 'wrong' | 'second factor'

/**
 * Finds out who signs in. Unknown address, wrong password and disabled person have one answer, which takes one time; the second
 * factor is asked for only after the right password.
 */
export class SignIn {
  readonly #options: SignInOptions

  constructor(options: SignInOptions) {
    this.#options = options
  }

  async withPassword(visitor: Visitor, { email, password, ...code }: PasswordSignIn): Promise<StartedSession> {
    const { db, attempts, passwords } = this.#options
    const workspace = await this.#options.workspace()
    const attempt = await attempts.begin(visitor, `sign-in ${email.toLowerCase()}`)
    const person = await store.ofEmail(db, workspace, email)
    const verdict = await this.#verify(attempt, person?.password ?? null, password)
    const better = verdict.isRight && verdict.isOutdated ? await passwords.hash(password) : undefined
    const outcome =
      person === undefined || !verdict.isRight
        ? 'wrong'
        : await db.transaction((tx) => this.#startIn(tx, visitor, attempt, person, code, better))
    if (outcome === 'second factor') {
      await attempts.undo(attempt)
      throw secondFactorRequired(['totp', 'recoveryCode'])
    }
    if (outcome !== 'wrong') return outcome
    await attempts.refused(visitor, workspace, person?.id ?? null)
    throw wrongCredentials()
  }

  async withPasskey(visitor: Visitor, credential: AuthenticationCredential): Promise<StartedSession> {
    const { db, attempts, passkeys, sessions } = this.#options
    const attempt = await attempts.begin(visitor, null)
    const passkey = await passkeys.authenticate(credential)
    const started = await db.transaction(async (tx) => {
      const person = await store.locked(tx, passkey.workspaceId, passkey.personId)
      if (person === undefined || person.isDisabled) return 'wrong'
      if (!(await passkeyStore.use(tx, passkey.id, passkey.counter))) return 'copied'
      await attempts.succeededIn(tx, attempt)
      return sessions.startIn(tx, person, visitor)
    })
    if (typeof started === 'object') return started
    await this.#refusePasskey(visitor, passkey, started === 'copied')
    throw wrongCredentials()
  }

  /** The session has a new token then, and what needs a confirmation may be done for some minutes. */
  async confirm(visitor: Visitor, session: Session, proof: Proof): Promise<StartedSession> {
    if (Object.values(proof).filter((part) => part !== undefined).length !== 1) {
      throw invalid([{ path: '/', message: 'needs one of password, totp and credential' }])
    }
    const { db, attempts, sessions } = this.#options
    const account = proof.credential === undefined ? `confirm ${session.personId}` : null
    const attempt = await attempts.begin(visitor, account)
    if (!(await this.#isProven(visitor, session, attempt, proof))) {
      await attempts.refused(visitor, session.workspaceId, session.personId)
      throw wrongCredentials()
    }
    return db.transaction(async (tx) => {
      await attempts.succeededIn(tx, attempt)
      return sessions.renewIn(tx, session.sessionId, { isConfirmation: true })
    })
  }

  /** What was proven is looked at again with the person's row locked: it may have changed while we hashed. */
  async #startIn(
    tx: Tx,
    visitor: Visitor,
    attempt: Attempt,
    proven: store.Credentials,
    code: GivenCode,
    better: string | undefined,
  ): Promise<Outcome> {
    const { sessions, attempts, secondFactor } = this.#options
    const person = await store.locked(tx, proven.workspaceId, proven.id)
    if (person === undefined || person.isDisabled || person.password !== proven.password) return 'wrong'
    if (person.hasTotp) {
      if (code.totp === undefined && code.recoveryCode === undefined) return 'second factor'
      if (!(await secondFactor.useIn(tx, person, code, actorOf(visitor, person)))) return 'wrong'
    }
    if (better !== undefined) await store.setPassword(tx, person.workspaceId, person.id, better)
    await attempts.succeededIn(tx, attempt)
    return sessions.startIn(tx, person, visitor)
  }

  async #isProven(visitor: Visitor, session: Session, attempt: Attempt, proof: Proof): Promise<boolean> {
    const { db, passkeys, secondFactor } = this.#options
    const { workspaceId, personId } = session
    if (proof.credential !== undefined) {
      const passkey = await passkeys.authenticate(proof.credential)
      if (passkey.personId !== personId) return false
      const isFresh = await db.transaction((tx) => passkeyStore.use(tx, passkey.id, passkey.counter))
      if (!isFresh) await this.#refusePasskey(visitor, passkey, true)
      return isFresh
    }
    const person = await store.ofPerson(db, workspaceId, personId)
    if (person === undefined) return false
    const { password, totp = '' } = proof
    if (password !== undefined) return (await this.#verify(attempt, person.password, password)).isRight
    return person.hasTotp && (await db.transaction((tx) => secondFactor.useTotpIn(tx, person, totp)))
  }

  /** While too many hashes are computed nothing was guessed. */
  async #verify(attempt: Attempt, stored: string | null, password: string) {
    try {
      return await this.#options.passwords.verify(stored, password)
    } catch (error) {
      await this.#options.attempts.undo(attempt)
      throw error
    }
  }

  #refusePasskey(visitor: Visitor, passkey: passkeyStore.Passkey, isCopied: boolean): Promise<void> {
    const details = isCopied
      ? { passkey: encodeId('psk', passkey.id), reason: 'The counter of the passkey went back.' }
      : {}
    return this.#options.attempts.refused(visitor, passkey.workspaceId, passkey.personId, details)
  }
}

const actorOf = ({ requestId }: Visitor, { id }: store.Credentials): Actor => ({
  type: 'person',
  personId: id,
  sessionId: null,
  requestId,
})
