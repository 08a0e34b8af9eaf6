import type { Actor, Session } from '../../core/caller.ts'
import { isTimeZone } from '../../core/clock.ts'
import { DomainError, invalid, notFound, wrongCredentials } from '../../core/errors.ts'
import { encodeId, type PasskeyId } from '../../core/ids.ts'
import { recordAudit, type AuditAction } from '../../events/audit.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { Sessions, StartedSession } from '../sessions/index.ts'
import type { Attempts } from './attempts.ts'
import type { PasskeyOptions, Passkeys } from './passkeys.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'
import type { RegistrationCredential } from './schema.ts'
import { totpPlace, type SecondFactor } from './second-factor.ts'
import * as accounts from './store/account.ts'
import * as store from './store/credentials.ts'
import * as passkeyStore from './store/passkeys.ts'
import { base32, newTotpSecret, totpUri } from './totp.ts'
import { addPasskeyIn, type WaysIn } from './ways-in.ts'
import type { Visitor } from '../../core/caller.ts'

interface AccountsOptions {
  db: Database
  secrets: () => Secrets
  sessions: Sessions
  attempts: Attempts
  passkeys: Passkeys
  waysIn: WaysIn
  secondFactor: SecondFactor
}

export interface PasskeyCreationOptions extends PasskeyOptions {
  user: { id: string; name: string; displayName: string }
  /** Authenticators that have one of these make no second one. */
  excludeCredentials: { id: string; type: 'public-key' }[]
}

const MAX_PREFERENCES_BYTES = 16 * 1024
const ISSUER = 'Posthouse'

/** What people do with their own account. Changes to a way in end all other sessions and give this one a new token. */
export class Accounts {
  readonly #options: AccountsOptions

  constructor(options: AccountsOptions) {
    this.#options = options
  }

  async update({ workspaceId, personId }: Session, change: accounts.AccountChange): Promise<void> {
    if (Buffer.byteLength(JSON.stringify(change.preferences ?? {})) > MAX_PREFERENCES_BYTES) {
      throw invalid([{ path: '/preferences', message: `must not be larger than ${MAX_PREFERENCES_BYTES / 1024} KiB` }])
    }
    if (change.timeZone != null && !isTimeZone(change.timeZone)) {
      throw invalid([{ path: '/timeZone', message: 'must be the name of a time zone, such as Europe/Berlin' }])
    }
    await this.#options.db.transaction((tx) => accounts.update(tx, workspaceId, personId, change))
  }

  async changePassword(session: Session, actor: Actor, password: string): Promise<StartedSession> {
    const person = await this.#read(session)
    const hash = await this.#options.waysIn.hashed(password, person)
    return this.#changing(session, actor, async (tx) => {
      await store.setPassword(tx, session.workspaceId, session.personId, hash)
      await audit(tx, session, actor, 'password.changed')
    })
  }

  async passkeyOptions(session: Session): Promise<PasskeyCreationOptions> {
    const { db, passkeys } = this.#options
    const { name, email } = await this.#read(session)
    const known = await passkeyStore.list(db, session.personId)
    return {
      ...(await passkeys.options(session.personId)),
      user: {
        id: Buffer.from(session.personId.replaceAll('-', ''), 'hex').toString('base64url'),
        name: email,
        displayName: name,
      },
      excludeCredentials: known.map(({ credentialId }) => ({
        id: credentialId.toString('base64url'),
        type: 'public-key',
      })),
    }
  }

  async addPasskey(
    session: Session,
    actor: Actor,
    name: string,
    credential: RegistrationCredential,
  ): Promise<passkeyStore.PasskeyRow> {
    const { db, passkeys } = this.#options
    const passkey = await passkeys.register(credential, session.personId)
    return db.transaction((tx) => addPasskeyIn(tx, { ...session, actor }, name, passkey))
  }

  renamePasskey(session: Session, actor: Actor, id: PasskeyId, name: string): Promise<passkeyStore.PasskeyRow> {
    return this.#options.db.transaction(async (tx) => {
      const passkey = await passkeyStore.rename(tx, session.personId, id, name)
      if (passkey === undefined) throw notFound('passkey')
      await audit(tx, session, actor, 'passkey.renamed', encodeId('psk', id))
      return passkey
    })
  }

  async removePasskey(
    session: Session,
    actor: Actor,
    id: PasskeyId,
  ): Promise<StartedSession & { removed: { id: string; deleted: true } }> {
    const removed = { id: encodeId('psk', id), deleted: true } as const
    const started = await this.#changing(session, actor, async (tx, person) => {
      if (!(await passkeyStore.remove(tx, session.personId, id))) throw notFound('passkey')
      if (person.password === null && (await passkeyStore.list(tx, session.personId)).length === 0) throw lastWayIn()
      await audit(tx, session, actor, 'passkey.removed', removed.id)
    })
    return { ...started, removed }
  }

  /** The secret counts after its first code was seen, so that a person cannot lock themselves out. */
  proposeTotp(session: Session): Promise<{ secret: string; uri: string }> {
    const { db, secrets } = this.#options
    const { workspaceId, personId } = session
    return db.transaction(async (tx) => {
      const person = await this.#locked(tx, session)
      const secret = newTotpSecret()
      const sealed = secrets().seal(totpPlace(personId), secret)
      if (!(await store.proposeTotp(tx, workspaceId, personId, sealed))) throw totpIsOn()
      return { secret: base32(secret), uri: totpUri(secret, ISSUER, person.email) }
    })
  }

  async enableTotp(
    visitor: Visitor,
    session: Session,
    actor: Actor,
    code: string,
  ): Promise<StartedSession & { recoveryCodes: string[] }> {
    const { attempts, secondFactor } = this.#options
    const { workspaceId, personId } = session
    const attempt = await attempts.begin(visitor, `confirm ${personId}`)
    const recoveryCodes = newRecoveryCodes()
    const started = await this.#changing(session, actor, async (tx, person) => {
      if (person.hasTotp) throw totpIsOn()
      if (!(await secondFactor.useTotpIn(tx, person, code))) throw wrongCredentials()
      await store.enableTotp(tx, workspaceId, personId)
      await store.setRecoveryCodes(tx, personId, recoveryCodes.map(hashRecoveryCode))
      await attempts.succeededIn(tx, attempt)
      await audit(tx, session, actor, 'totp.enabled')
    })
    return { ...started, recoveryCodes }
  }

  disableTotp(session: Session, actor: Actor): Promise<StartedSession> {
    return this.#changing(session, actor, async (tx, person) => {
      if (!(await store.disableTotp(tx, session.workspaceId, session.personId))) throw notFound('authenticator')
      if (person.hasTotp) await audit(tx, session, actor, 'totp.disabled')
    })
  }

  async #changing(
    session: Session,
    actor: Actor,
    change: (tx: Tx, person: store.Credentials) => Promise<void>,
  ): Promise<StartedSession> {
    const { db, sessions } = this.#options
    return db.transaction(async (tx) => {
      await change(tx, await this.#locked(tx, session))
      await sessions.endAllIn(tx, actor, session.personId, session.sessionId)
      return sessions.renewIn(tx, session.sessionId)
    })
  }

  async #locked(tx: Tx, { workspaceId, personId }: Session): Promise<store.Credentials> {
    return present(await store.locked(tx, workspaceId, personId))
  }

  async #read({ workspaceId, personId }: Session): Promise<store.Credentials> {
    return present(await store.ofPerson(this.#options.db, workspaceId, personId))
  }
}

function present(person: store.Credentials | undefined): store.Credentials {
  if (person === undefined) throw new DomainError('unauthorized', 'Your session has ended: sign in again.')
  return person
}

const audit = (
  tx: Tx,
  { workspaceId, personId }: Session,
  actor: Actor,
  action: AuditAction,
  subject: string = encodeId('per', personId),
): Promise<void> => recordAudit(tx, actor, { workspaceId, projectId: null, action, subject })

const totpIsOn = (): DomainError =>
  new DomainError('invalid_state', 'There is an authenticator already: remove it first.', { state: 'enabled' })

const lastWayIn = (): DomainError =>
  new DomainError('invalid_state', 'This is the last way in: set a password or add another passkey first.', {
    state: 'last',
  })
