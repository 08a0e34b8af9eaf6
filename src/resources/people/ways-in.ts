import type { Actor } from '../../core/caller.ts'
import { DomainError, invalid } from '../../core/errors.ts'
import { encodeId, newId, type PersonId, type WorkspaceId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Passkeys } from './passkeys.ts'
import { requireGoodPassword, type Owner } from './password-rules.ts'
import type { Passwords } from './passwords.ts'
import type { RegistrationCredential } from './schema.ts'
import * as store from './store/passkeys.ts'

/** A password or a passkey, as the person chooses who sets up, joins or recovers an account. */
export interface ChosenWay {
  password?: string
  credential?: RegistrationCredential
}

/** Ready to be stored. */
export interface ReadyWay {
  password: string | null
  passkey: store.NewPasskey | null
}

interface WaysInOptions {
  passwords: Passwords
  passkeys: Passkeys
}

export class WaysIn {
  readonly #options: WaysInOptions

  constructor(options: WaysInOptions) {
    this.#options = options
  }

  /** Takes its time, and so is done before the transaction that stores it. */
  async prepare({ password, credential }: ChosenWay, owner: Owner): Promise<ReadyWay> {
    if ((password === undefined) === (credential === undefined)) {
      throw invalid([{ path: '/', message: 'needs either password or credential' }])
    }
    if (credential !== undefined) {
      return { password: null, passkey: await this.#options.passkeys.register(credential, null) }
    }
    return { password: await this.hashed(password ?? '', owner), passkey: null }
  }

  hashed(password: string, owner: Owner): Promise<string> {
    requireGoodPassword(password, owner)
    return this.#options.passwords.hash(password)
  }
}

export interface AddedTo {
  actor: Actor
  personId: PersonId
  workspaceId: WorkspaceId
}

export async function addPasskeyIn(
  tx: Tx,
  { actor, personId, workspaceId }: AddedTo,
  name: string,
  passkey: store.NewPasskey,
): Promise<store.PasskeyRow> {
  const row = await store.insert(tx, newId<'psk'>(), personId, name, passkey)
  if (row === undefined) throw new DomainError('already_exists', 'This passkey is registered already.')
  const subject = encodeId('psk', row.id)
  await recordAudit(tx, actor, { workspaceId, projectId: null, action: 'passkey.added', subject })
  return row
}
