/** An authenticator in software: it makes passkeys and answers challenges as a browser hands them over. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

/** What can be wrong with an answer. */
export interface Wrong {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  /** User present, user verified. */
  isPresent?: boolean
  isVerified?: boolean
  signature?: Buffer
  counter?: number
  crossOrigin?: boolean
  topOrigin?: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

export class Authenticator {
  readonly id = randomBytes(16)
  readonly #key: KeyObject
  readonly #public: Buffer
  readonly #algorithm: Algorithm
  readonly #origin: string
  counter = 0

  constructor(origin: string, algorithm: Algorithm = 'ES256') {
    this.#origin = origin
    this.#algorithm = algorithm
    const { privateKey, publicKey } = pairOf(algorithm)
    this.#key = privateKey
    this.#public = coseKey(algorithm, publicKey)
  }

  get credentialId(): string {
    return this.id.toString('base64url')
  }

  /** `navigator.credentials.create()`. */
  register(challenge: string, wrong: Wrong = {}, attestation: object = { fmt: 'none', attStmt: new Map() }) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, this.#public])
    const authData = this.#data(HAS_CREDENTIAL, wrong, credential)
    const attestationObject = cbor(new Map(Object.entries({ ...attestation, authData })))
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, wrong).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  /** `navigator.credentials.get()`. */
  answer(challenge: string, wrong: Wrong = {}) {
    const data = this.#data(0, wrong)
    const clientData = this.#clientData('webauthn.get', challenge, wrong)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    const digest = this.#algorithm === 'EdDSA' ? null : 'sha256'
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: (wrong.signature ?? sign(digest, signed, this.#key)).toString('base64url'),
        userHandle: 'AAAA',
      },
    }
  }

  #clientData(type: string, challenge: string, wrong: Wrong): Buffer {
    const { crossOrigin = false, topOrigin } = wrong
    return Buffer.from(
      JSON.stringify({
        type: wrong.type ?? type,
        challenge: wrong.challenge ?? challenge,
        origin: wrong.origin ?? this.#origin,
        crossOrigin,
        ...(topOrigin === undefined ? {} : { topOrigin }),
      }),
    )
  }

  #data(flags: number, { rpId, isPresent = true, isVerified = true, counter }: Wrong, rest = Buffer.alloc(0)): Buffer {
    const host = rpId ?? new URL(this.#origin).hostname
    const set = flags | (isPresent ? USER_PRESENT : 0) | (isVerified ? USER_VERIFIED : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    return Buffer.concat([createHash('sha256').update(host).digest(), Buffer.of(set), count, rest])
  }
}

function pairOf(algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 })
}

/** RFC 9052: the type of the key, its algorithm, and its parts. */
function coseKey(algorithm: Algorithm, key: KeyObject): Buffer {
  const jwk = key.export({ format: 'jwk' })
  const part = (name: 'x' | 'y' | 'n' | 'e') => Buffer.from(jwk[name] ?? '', 'base64url')
  const parts: Record<Algorithm, [number, unknown][]> = {
    ES256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, part('x')],
      [-3, part('y')],
    ],
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part('x')],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, part('n')],
      [-2, part('e')],
    ],
  }
  return cbor(new Map(parts[algorithm]))
}

/** As much of CBOR as a passkey needs. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) {
    return Buffer.concat([head(5, value.size), ...[...value].flatMap(([name, part]) => [cbor(name), cbor(part)])])
  }
  throw new Error('not written as CBOR here')
}

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.of((type << 5) | value)
  if (value < 256) return Buffer.of((type << 5) | 24, value)
  return Buffer.of((type << 5) | 25, value >> 8, value & 0xff)
}
