import { createHmac } from 'node:crypto'
import type { PlainHeaders, SigningSecret } from '../../resources/webhooks/index.ts'

/** The first secret is the newest. Only the convention that allows several signatures uses the others. */
export function signatureHeaders(secrets: readonly SigningSecret[], plain: PlainHeaders, body: Buffer) {
  const [newest] = secrets
  if (newest === undefined) throw new Error('there is no secret to sign with')
  const dated = `${plain['webhook-id']}.${plain['webhook-timestamp']}.`
  const standard = secrets.map(
    ({ decoded }) => `v1,${createHmac('sha256', decoded).update(dated).update(body).digest('base64')}`,
  )
  return {
    'x-service-signature': `sha256=${createHmac('sha256', newest.literal).update(body).digest('hex')}`,
    'webhook-signature': standard.join(' '),
  }
}
