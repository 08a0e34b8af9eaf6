import { createHmac } from 'node:crypto'
import { eventually } from './eventually.ts'
import { mailWorld, type MailWorld, type MailWorldOptions } from './mail-world.ts'
import type { Client } from './client.ts'
import { created } from './world.ts'
import type { Heard } from './receiver.ts'

export interface Endpoint {
  id: string
  url: string
  secret: string
  enabled: boolean
  events: string[]
  disabledReason: string | null
}

export interface Delivery {
  id: string
  type: string
  status: string
  attemptCount: number
  attempts: {
    number: number
    status: number | null
    error: string | null
    answer: string | null
    at: string
    durationMs: number
  }[]
  nextAttemptAt: string | null
  payload: Record<string, string>
}

export interface WebhookWorld extends MailWorld {
  endpoint(url: string, more?: Record<string, unknown>, client?: Client): Promise<Endpoint>
  deliveries(endpoint: { id: string }, query?: string): Promise<Delivery[]>
  /** The newest delivery, once it is like this. */
  delivery(endpoint: { id: string }, what: string, isSo: (delivery: Delivery) => boolean): Promise<Delivery>
}

/** The sandbox and the simulator, unless asked for more: events without mail servers. */
export async function webhookWorld({ env = {}, ...options }: MailWorldOptions = {}): Promise<WebhookWorld> {
  const here = await mailWorld({
    bare: true,
    ...options,
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ENDPOINTS_PER_PROJECT: '1000', ...env },
  })
  const { projectApi } = here
  const deliveries = async ({ id }: { id: string }, query = ''): Promise<Delivery[]> =>
    (await projectApi.get<{ data: Delivery[] }>(`webhooks/${id}/deliveries${query}`)).body.data
  return {
    ...here,
    send: (to, more = {}, client) =>
      here.send(`${to}@${here.config.simulatorDomain}`, { from: here.config.sandboxSender, ...more }, client),
    endpoint: async (url, more = {}, client = projectApi) =>
      created(await client.post<Endpoint>('webhooks', { url, ...more })),
    deliveries,
    delivery: (endpoint, what, isSo) =>
      eventually(what, async () => {
        const [newest] = await deliveries(endpoint)
        return newest && isSo(newest) && newest
      }),
  }
}

/** What a receiver would compute, written by the book and without a line of ours. */
export const signatureBySpecification = (secret: string, { raw }: Heard): string =>
  `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(raw).digest('hex')}`

export function standardSignature(secret: string, { raw, headers }: Heard): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw.toString('utf8')}`
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
