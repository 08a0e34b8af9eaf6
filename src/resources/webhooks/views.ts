import { encodeId } from '../../core/ids.ts'
import type { Delivery, DeliveryView, Payload, Webhook, WebhookView } from './schema.ts'

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
