import { createPublicKey } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { KeyObject } from 'node:crypto'
import {
  dkimRecord,
  exportKey,
  generateEd25519Key,
  generateRsaKey,
  importKey,
} from '../../src/mail/compose/dkim-key.ts'

let rsa: KeyObject

beforeAll(async () => {
  rsa = await generateRsaKey()
})

test('an RSA key is one of 2048 bits, made of two primes', () => {
  expect(rsa.asymmetricKeyDetails).toMatchObject({ modulusLength: 2048, publicExponent: 65537n })
  // RFC 8017 A.1.2: a sequence whose first integer is 0 for two primes and 1 for more.
  expect(rsa.export({ format: 'der', type: 'pkcs1' }).subarray(4, 7).toString('hex')).toBe('020100')
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
