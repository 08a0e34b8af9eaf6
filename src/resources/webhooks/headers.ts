import { encodeId, type EventId, type WebhookDeliveryId } from '../../core/ids.ts'

/** Headers that every request has, whatever it tells. */
export const requestHeaders = { 'content-type': 'application/json', 'user-agent': 'Posthouse-Webhooks' } as const

/** What an attempt says in its headers, but for the signatures. */
export const plainHeaders = (
  { id, eventId, kind }: { id: WebhookDeliveryId; eventId: EventId; kind: string },
  attempt: number,
  at: number,
) => ({
  'x-service-event': kind,
  'x-service-delivery': encodeId('whd', id),
  'x-service-attempt': String(attempt),
  /** The same however often the event is sent; a receiver recognizes repetitions by it. */
  'webhook-id': encodeId('evt', eventId),
  /** Seconds since 1970. */
  'webhook-timestamp': String(Math.floor(at / 1_000)),
})
