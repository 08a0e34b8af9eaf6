import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** A secret is sealed to its row. */
export const placeOfSecret = (id: string) => ({ purpose: 'webhook-secret', id })

/** A secret as both conventions use it: the whole text is one key, what it encodes is the other. */
export interface SigningSecret {
  literal: KeyObject
  decoded: KeyObject
}

export const signingSecret = (text: string): SigningSecret => ({
  literal: createSecretKey(text, 'utf8'),
  decoded: createSecretKey(Buffer.from(text.slice(PREFIX.length), 'base64')),
})
