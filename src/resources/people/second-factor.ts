import type { Actor } from '../../core/caller.ts'
import { encodeId, type PersonId } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import * as store from './store/credentials.ts'
import { stepOf } from './totp.ts'

/** A code of the person's authenticator, or one of their recovery codes. */
export interface GivenCode {
  totp?: string
  recoveryCode?: string
}

export const totpPlace = (id: PersonId) => ({ purpose: 'totp', id })

export class SecondFactor {
  readonly #secrets: () => Secrets

  constructor(secrets: () => Secrets) {
    this.#secrets = secrets
  }

  /** Uses the code up. False when it is wrong, or was used before. */
  async useIn(tx: Tx, person: store.Credentials, given: GivenCode, actor: Actor): Promise<boolean> {
    if (given.totp !== undefined) return this.useTotpIn(tx, person, given.totp)
    if (given.recoveryCode === undefined) return false
    const isGood = await store.useRecoveryCode(tx, person.id, hashRecoveryCode(given.recoveryCode))
    const { workspaceId } = person
    const subject = encodeId('per', person.id)
    if (isGood) await recordAudit(tx, actor, { workspaceId, projectId: null, action: 'totp.recovered', subject })
    return isGood
  }

  /** Also for a secret that does not count yet: its first code makes it count. */
  async useTotpIn(tx: Tx, { id, workspaceId, totpSecret }: store.Credentials, code: string): Promise<boolean> {
    if (totpSecret === null) return false
    const { now } = await store.now(tx)
    const step = stepOf(this.#secrets().open(totpPlace(id), totpSecret), code, now)
    return step !== undefined && (await store.useStep(tx, workspaceId, id, step))
  }
}
