import { encodeId, timeOfId } from '../../core/ids.ts'
import { plainHeaders, requestHeaders } from './headers.ts'
import type {
  Delivery,
  DeliveryDetail,
  DeliveryView,
  Payload,
  SigningSecretView,
  Webhook,
  WebhookView,
} from './schema.ts'
import type { SecretRow } from './store/endpoints.ts'

export const webhookView = (webhook: Webhook): WebhookView => ({
  id: encodeId('whk', webhook.id),
  projectId: encodeId('prj', webhook.projectId),
  url: webhook.url,
  enabled: webhook.enabled,
  events: webhook.events,
  description: webhook.description,
  createdAt: webhook.createdAt.toISOString(),
  disabledReason: webhook.disabledReason,
})

export const signingSecretView = (
  secret: string,
  newest: SecretRow,
  replaced: readonly SecretRow[],
): SigningSecretView => ({
  secret,
  since: sinceOf(newest),
  previous: replaced.flatMap((row) =>
    row.validUntil === null ? [] : [{ since: sinceOf(row), validUntil: row.validUntil.toISOString() }],
  ),
})

/** A secret has no time of its own: its id has it. */
const sinceOf = ({ id }: SecretRow): string => new Date(timeOfId(id)).toISOString()

export const deliveryView = (delivery: Delivery): DeliveryView => ({
  id: encodeId('whd', delivery.id),
  eventId: encodeId('evt', delivery.eventId),
  type: delivery.kind,
  status: delivery.state,
  payload: JSON.parse(delivery.body) as Payload,
  attemptCount: delivery.attempts,
  attempts: delivery.log,
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
  endedAt: delivery.endedAt?.toISOString() ?? null,
})

export const deliveryDetail = (delivery: Delivery): DeliveryDetail => ({
  ...deliveryView(delivery),
  requestHeaders: headersOf(delivery),
})

function headersOf(delivery: Delivery): DeliveryDetail['requestHeaders'] {
  const last = delivery.log.at(-1)
  if (last === undefined) return null
  const told = plainHeaders(delivery, last.number, Date.parse(last.at))
  return { ...requestHeaders, ...told, 'x-service-signature': null, 'webhook-signature': null }
}
