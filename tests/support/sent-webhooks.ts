import { signatureHeaders } from '../../src/delivery/webhooks/signatures.ts'
import { newId } from '../../src/core/ids.ts'
import { plainHeaders } from '../../src/resources/webhooks/index.ts'
import { signingSecret } from '../../src/resources/webhooks/secrets.ts'

/** The headers of a webhook as the server sends them. The newest secret is the first; `at` is in seconds. */
export function sentHeaders(secrets: readonly string[], at: number, body: string): Record<string, string> {
  const delivery = { id: newId<'whd'>(), eventId: newId<'evt'>(), kind: 'email.bounced' }
  const plain = plainHeaders(delivery, 1, at * 1_000)
  return { ...plain, ...signatureHeaders(secrets.map(signingSecret), plain, Buffer.from(body)) }
}
