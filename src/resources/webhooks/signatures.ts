import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** A secret as both conventions use it: the whole text is one key, what it encodes is the other. */
export interface SigningSecret {
  literal: KeyObject
  decoded: KeyObject
}

export const signingSecret = (text: string): SigningSecret => ({
  literal: createSecretKey(text, 'utf8'),
  decoded: createSecretKey(Buffer.from(text.slice(PREFIX.length), 'base64')),
})

export interface Signed {
  /** The same however often it is sent; a receiver can tell repetitions by it. */
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: Buffer
}

/** Of the secrets the first is the newest. Only the convention that allows several signatures has those of the others. */
export function signatureHeaders(secrets: readonly SigningSecret[], { id, timestamp, body }: Signed) {
  const [newest] = secrets
  if (newest === undefined) throw new Error('there is no secret to sign with')
  const dated = `${id}.${timestamp}.`
  const standard = secrets.map(
    ({ decoded }) => `v1,${createHmac('sha256', decoded).update(dated).update(body).digest('base64')}`,
  )
  return {
    'x-service-signature': `sha256=${createHmac('sha256', newest.literal).update(body).digest('hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}
