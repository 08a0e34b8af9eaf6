import { DomainError } from '../core/errors.ts'
import type { Identity, KeyCaller } from '../core/caller.ts'
import { decodeId, type ProjectId } from '../core/ids.ts'
import { hashKeySecret, isWellFormedKeySecret } from '../core/key-secret.ts'
import { grants, type Scope } from '../core/scopes.ts'

/**
 * Looks the key up on every request: there is no cache to outlive a revocation. Where nobody has asked for anything, it is
 * no use of the key.
 */
export type Identify = (
  secretHash: Buffer,
  named: ProjectId | undefined,
  isUse?: boolean,
) => Promise<Identity | undefined>

/** Missing, malformed, unknown, expired and revoked keys get one and the same answer. */
const refusal = (): DomainError =>
  new DomainError('unauthorized', 'Send a valid API key as "Authorization: Bearer <key>".')

/** Remembers the hashes of the keys that were used last: not whether they are good, only what to look up. */
export class KeyHashes {
  readonly #known = new Map<string, Buffer>()

  /** Undefined for what cannot be a key. */
  of(secret: string): Buffer | undefined {
    const known = this.#known.get(secret)
    if (known !== undefined) return known
    if (!isWellFormedKeySecret(secret)) return undefined
    if (this.#known.size === MAX_HASHES) this.#known.clear()
    const hash = hashKeySecret(secret)
    this.#known.set(secret, hash)
    return hash
  }
}

const MAX_HASHES = 1_000

export const signedOut = (): DomainError => new DomainError('unauthorized', 'Your session has ended: sign in again.')

export async function authenticate(
  authorization: string | undefined,
  projectHeader: string | undefined,
  hashes: KeyHashes,
  identify: Identify,
): Promise<Identity> {
  const [, secret] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
  const secretHash = secret === undefined ? undefined : hashes.of(secret)
  if (secretHash === undefined) throw refusal()
  const named = projectHeader === undefined ? undefined : decodeId('prj', projectHeader)
  const identity = await identify(secretHash, named)
  if (identity === undefined) throw refusal()
  return identity
}

export function requireScope(caller: KeyCaller, scope: Scope): void {
  if (!grants(caller, scope)) {
    throw new DomainError('insufficient_scope', `This key lacks the scope ${scope}.`, { requiredScope: scope })
  }
}
