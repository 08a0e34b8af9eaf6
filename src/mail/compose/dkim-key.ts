import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'

/** Keys for DKIM signatures, and the TXT record that publishes one. */

/** RFC 8301 §3.2: signers should use at least 2048 bits. */
const MODULUS_BITS = 2048

export async function generateRsaKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  return privateKey
}

export async function generateEd25519Key(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('ed25519')
  return privateKey
}

/** PKCS #8 is the form for storage. It is as secret as the key. */
export const exportKey = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'pkcs8' })

export const importKey = (bytes: Buffer): KeyObject => createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })

/** Returns the value of the TXT record at `<selector>._domainkey.<domain>` (RFC 6376 §3.6.1, RFC 8463 §4). */
export function dkimRecord(privateKey: KeyObject): string {
  const publicKey = createPublicKey(privateKey)
  if (publicKey.asymmetricKeyType === 'rsa') {
    return `v=DKIM1; k=rsa; p=${publicKey.export({ format: 'der', type: 'spki' }).toString('base64')}`
  }
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return `v=DKIM1; k=ed25519; p=${Buffer.from(x, 'base64url').toString('base64')}`
}
