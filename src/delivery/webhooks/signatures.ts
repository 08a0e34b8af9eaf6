import { createHmac } from 'node:crypto'
import type { SigningSecret } from '../../resources/webhooks/index.ts'

export interface Signed {
  /** It is the same however often the event is sent; a receiver recognizes repetitions by it. */
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: Buffer
}

/** The first secret is the newest. Only the convention that allows several signatures uses the others. */
export function signatureHeaders(secrets: readonly SigningSecret[], { id, timestamp, body }: Signed) {
  const [newest] = secrets
  if (newest === undefined) throw new Error('there is no secret to sign with')
  const dated = `${id}.${timestamp}.`
  const standard = secrets.map(
    ({ decoded }) => `v1,${createHmac('sha256', decoded).update(dated).update(body).digest('base64')}`,
  )
  return {
    'x-service-signature': `sha256=${createHmac('sha256', newest.literal).update(body).digest('hex')}`,
    'webhook-signature': standard.join(' '),
  }
}
