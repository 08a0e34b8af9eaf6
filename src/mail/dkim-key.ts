import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generatePrime,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/**
 * Keys for DKIM signatures, and the TXT record that publishes one.
 *
 * An RSA key of ours has three prime factors instead of two (RFC 8017 §3.2, "multi-prime"). A signature then takes
 * 2.2 ms instead of 3.5 ms, and signing is most of what a message costs us. To everybody else it is an RSA key of 2048
 * bits: the number of factors shows in no public key and no signature. Three factors of 683 bits are as far from being
 * found as two of 1024 are; it is also what OpenSSL allows at this length, and no more.
 */

const MODULUS_BITS = 2048
const FACTOR_BITS = [683, 683, 682] as const
const EXPONENT = 65537n

export async function generateRsaKey(): Promise<KeyObject> {
  for (;;) {
    const factors = await Promise.all(FACTOR_BITS.map(randomPrime))
    if (!areUsable(factors)) continue
    const key = createPrivateKey({ key: privateKeyDer(factors), format: 'der', type: 'pkcs1' })
    await proveKey(key)
    return key
  }
}

export async function generateEd25519Key(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519')
  return privateKey
}

/** PKCS #8, for storage. As secret as the key. */
export const exportKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' })

export const importKey = (bytes: Buffer): KeyObject => createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })

/** RFC 6376 §3.6.1, RFC 8463 §4: the value of the TXT record at `<selector>._domainkey.<domain>`. */
export function dkimRecord(privateKey: KeyObject): string {
  const publicKey = createPublicKey(privateKey)
  if (publicKey.asymmetricKeyType === 'rsa') {
    return `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`
  }
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return `v=DKIM1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`
}

/** OpenSSL's, from its generator for secrets, tested so that a composite has a chance below 2^-128. */
const randomPrime = (bits: number): Promise<bigint> =>
  new Promise((resolve, reject) => {
    generatePrime(bits, { bigint: true }, (error, prime) => (error ? reject(error) : resolve(prime)))
  })

function areUsable(factors: readonly bigint[]): boolean {
  const modulus = factors.reduce((product, factor) => product * factor)
  return (
    modulus.toString(2).length === MODULUS_BITS &&
    new Set(factors).size === factors.length &&
    factors.every((factor) => (factor - 1n) % EXPONENT !== 0n)
  )
}

/** RFC 8017 A.1.2, version 1: the two factors that every key has, and one more. */
function privateKeyDer([p = 0n, q = 0n, r = 0n]: readonly bigint[]): Buffer {
  const d = inverse(EXPONENT, lcm(lcm(p - 1n, q - 1n), r - 1n))
  const third = sequence([r, d % (r - 1n), inverse(p * q, r)].map(integer))
  return sequence([
    ...[1n, p * q * r, EXPONENT, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)].map(integer),
    sequence([third]),
  ])
}

/** A key that does not verify its own signature is never given out (as FIPS 140-3 asks of every generated pair). */
async function proveKey(key: KeyObject): Promise<void> {
  const data = randomBytes(32)
  const signature = await promisify(sign)('sha256', data, key)
  if (!verify('sha256', data, createPublicKey(key), signature)) throw new Error('A new RSA key failed its own check.')
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

const lcm = (a: bigint, b: bigint): bigint => (a / gcd(a, b)) * b

/** By Euclid's extended algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b] = [modulus, value % modulus]
  let [x, y] = [0n, 1n]
  while (b !== 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return x < 0n ? x + modulus : x
}

const integer = (value: bigint): Buffer => {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  // DER integers are signed: a zero keeps the first bit from being read as a minus.
  return tagged(0x02, (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

const sequence = (items: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(items))

function tagged(tag: number, content: Buffer): Buffer {
  const length = content.length
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...head), content])
}
