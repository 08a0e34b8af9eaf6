import { signatureHeaders } from '../../src/delivery/webhooks/signatures.ts'
import { signingSecret } from '../../src/resources/webhooks/secrets.ts'

/** The headers of a webhook as the server sends them. The newest secret is the first; `at` is in seconds. */
export const sentHeaders = (secrets: readonly string[], at: number, body: string): Record<string, string> => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(at),
  ...signatureHeaders(secrets.map(signingSecret), { id: 'evt_1', timestamp: at, body: Buffer.from(body) }),
})
