import { randomBytes } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { wrongCredentials } from '../../core/errors.ts'
import type { PersonId } from '../../core/ids.ts'
import { hashToken } from '../../core/secret-token.ts'
import type { Database } from '../../storage/postgres.ts'
import type { AuthenticationCredential, RegistrationCredential } from './schema.ts'
import * as store from './store/passkeys.ts'

const CHALLENGE_BYTES = 32
const CHALLENGE_SECONDS = 300
/** ES256, EdDSA and RS256, by their numbers in COSE. */
const ALGORITHMS = [-7, -8, -257]

export interface PasskeyOptions {
  challenge: string
  rpId: string
  /** In milliseconds. */
  timeout: number
}

interface PasskeysOptions {
  db: Database
  /** Passkeys belong to the host of this URL; answers that were made for another page are refused. */
  publicUrl: string
}

/**
 * Passkeys are kept in an authenticator, which asks the person before it uses one: that is two factors. Answers are verified
 * by a library, which is loaded when the first one comes.
 */
export class Passkeys {
  readonly #db: Database
  readonly #rpId: string
  readonly #origin: string

  constructor({ db, publicUrl }: PasskeysOptions) {
    this.#db = db
    const { hostname, origin } = new URL(publicUrl)
    this.#rpId = hostname
    this.#origin = origin
  }

  /** A challenge that only this person may answer; with null, any visitor. */
  async options(person: PersonId | null): Promise<PasskeyOptions> {
    const challenge = randomBytes(CHALLENGE_BYTES)
    const text = challenge.toString('base64url')
    await store.insertChallenge(this.#db, hashToken(text), person, CHALLENGE_SECONDS)
    return { challenge: text, rpId: this.#rpId, timeout: CHALLENGE_SECONDS * 1_000 }
  }

  /** Reads a new passkey from the answer of a browser that has made one. */
  async register(credential: RegistrationCredential, person: PersonId | null): Promise<store.NewPasskey> {
    const expectedChallenge = await this.#take(credential.response.clientDataJSON, person)
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
    if (!(await isUnattested(credential.response.attestationObject))) throw wrongCredentials()
    const verified = await unlessWrong(() =>
      verifyRegistrationResponse({
        response: credential as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }),
    )
    if (!verified.verified) throw wrongCredentials()
    const { id, publicKey, counter } = verified.registrationInfo.credential
    return {
      credentialId: Buffer.from(id, 'base64url'),
      publicKey: Buffer.from(publicKey),
      counter,
      transports: credential.response.transports ?? [],
    }
  }

  /**
   * The passkey that signed the challenge, with its new counter. Whether that went back is decided when it is stored: only
   * there is nobody in between.
   */
  async authenticate(credential: AuthenticationCredential): Promise<store.Passkey> {
    const passkey = await store.findByCredential(this.#db, Buffer.from(credential.id, 'base64url'))
    const expectedChallenge = await this.#take(credential.response.clientDataJSON, null)
    if (passkey === undefined) throw wrongCredentials()
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified, authenticationInfo } = await unlessWrong(() =>
      verifyAuthenticationResponse({
        response: credential as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: this.#origin,
        expectedRPID: this.#rpId,
        requireUserVerification: true,
        credential: { id: credential.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
      }),
    )
    if (!verified) throw wrongCredentials()
    return { ...passkey, counter: authenticationInfo.newCounter }
  }

  /** A challenge is good once, whatever becomes of the rest of the answer. */
  async #take(clientData: string, person: PersonId | null): Promise<string> {
    const { challenge, crossOrigin, topOrigin } = readClientData(clientData)
    if (typeof challenge !== 'string') throw wrongCredentials()
    const isGood = await store.takeChallenge(this.#db, hashToken(challenge), person)
    // Our pages are in no frame of others. The library looks at this for some answers only.
    if (!isGood || crossOrigin === true || topOrigin !== undefined) throw wrongCredentials()
    return challenge
  }
}

interface ClientData {
  challenge?: unknown
  crossOrigin?: unknown
  topOrigin?: unknown
}

function readClientData(text: string): ClientData {
  try {
    return (JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as ClientData | null) ?? {}
  } catch {
    return {}
  }
}

/**
 * We ask for no attestation, so a browser sends none, or one that the passkey signs itself. The others name certificates,
 * whose lists of revoked ones would be fetched from wherever they say.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const decoded = await unlessWrong(async () => decodeAttestationObject(Buffer.from(attestationObject, 'base64url')))
  const format = decoded.get('fmt')
  return format === 'none' || (format === 'packed' && decoded.get('attStmt').get('x5c') === undefined)
}

/** The library throws whatever it finds wrong. */
async function unlessWrong<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch {
    throw wrongCredentials()
  }
}
