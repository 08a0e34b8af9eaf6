import { checkPrimeSync, createPublicKey, hash, sign } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { KeyObject } from 'node:crypto'
import { dkimRecord, exportKey, generateEd25519Key, generateRsaKey, importKey } from '../../src/mail/dkim-key.ts'

let rsa: KeyObject

beforeAll(async () => {
  rsa = await generateRsaKey()
})

test('an RSA key is one of 2048 bits, made of three primes that fit its exponents', () => {
  expect(rsa.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65537n })
  const [version, n = 0n, e = 0n, d = 0n, p = 0n, q = 0n, dp, dq, qInv = 0n, r = 0n, dr, rInv = 0n] = integersOf(rsa)
  expect(version).toBe(1n)
  expect(p * q * r).toBe(n)
  for (const [prime, exponent] of [[p, dp] as const, [q, dq] as const, [r, dr] as const]) {
    expect(checkPrimeSync(prime)).toBe(true)
    expect((d * e) % (prime - 1n)).toBe(1n)
    expect(exponent).toBe(d % (prime - 1n))
    expect([682, 683]).toContain(prime.toString(2).length)
  }
  expect((qInv * q) % p).toBe(1n)
  expect((rInv * p * q) % r).toBe(1n)
})

test('its signatures follow from the public key by arithmetic alone', () => {
  for (let round = 0; round < 20; round++) {
    const data = Buffer.from(`message ${round}`)
    const { n = '', e = '' } = createPublicKey(rsa).export({ format: 'jwk' })
    const opened = power(number(sign('sha256', data, rsa)), bigint(e), bigint(n))
    // RFC 8017 §9.2: padding, the name of SHA-256, the hash.
    const prefix = '3031300d060960864801650304020105000420'
    const padding = 'ff'.repeat(256 - 3 - prefix.length / 2 - 32)
    expect(opened.toString(16).padStart(512, '0')).toBe(`0001${padding}00${prefix}${hash('sha256', data)}`)
  }
})

test('keys survive being stored', async () => {
  for (const key of [rsa, await generateEd25519Key()]) {
    const again = importKey(exportKey(key))
    expect(again.equals(key)).toBe(true)
    expect(dkimRecord(again)).toBe(dkimRecord(key))
  }
})

test('the record carries the public key and nothing of the private one', async () => {
  const spki = createPublicKey(rsa).export({ format: 'der', type: 'spki' }).toString('base64')
  expect(dkimRecord(rsa)).toBe(`v=DKIM1; k=rsa; p=${spki}`)
  // The key of RFC 8463 A.2.
  const seed = Buffer.from('nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=', 'base64')
  const known = importKey(Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]))
  expect(dkimRecord(known)).toBe('v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=')
})

/** All integers of a PKCS #1 key, in order, through the sequences of its further primes. */
function integersOf(key: KeyObject): bigint[] {
  const read = (der: Buffer): bigint[] => {
    const found: bigint[] = []
    for (let at = 0; at < der.length;) {
      const first = der[at + 1]!
      const lengthBytes = first < 0x80 ? 0 : first & 0x7f
      const length = lengthBytes === 0 ? first : der.readUIntBE(at + 2, lengthBytes)
      const start = at + 2 + lengthBytes
      const content = der.subarray(start, start + length)
      found.push(...(der[at] === 0x30 ? read(content) : [number(content)]))
      at = start + length
    }
    return found
  }
  return read(key.export({ format: 'der', type: 'pkcs1' }))
}

const number = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)

const bigint = (text: string): bigint => number(Buffer.from(text, 'base64url'))

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
