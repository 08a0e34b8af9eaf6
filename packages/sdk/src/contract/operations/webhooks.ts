// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  EventKind,
  Webhook,
  WebhookPage,
  CreateWebhook,
  CreatedWebhook,
  WebhookWithHealth,
  UpdateWebhook,
  DeletedWebhook,
  WebhookSecret,
  TestWebhook,
  WebhookDelivery,
  WebhookDeliveryPage,
  ReplayWebhookDeliveries,
  WebhookReplay,
  WebhookDeliveryDetail,
} from '../shapes/webhooks.ts'

export interface WebhooksOperations {
  /** List the project's webhook endpoints. */
  'GET /webhooks': {
    params: undefined
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
    }
    body: undefined
    reply: WebhookPage
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Add an endpoint that events are posted to. The answer shows its signing secret, once. */
  'POST /webhooks': {
    params: undefined
    query: undefined
    body: CreateWebhook
    reply: CreatedWebhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Read one endpoint and its health. */
  'GET /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WebhookWithHealth
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Change the URL, the kinds of events or the description; enable or disable. */
  'PATCH /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: UpdateWebhook
    reply: Webhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Remove an endpoint. What waits for it is not sent any more. */
  'DELETE /webhooks/:id': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: DeletedWebhook
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Show the signing secret, to signed-in people only. The activity log records who saw it. */
  'POST /webhooks/:id/secret': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: WebhookSecret
    scope: 'webhooks:write'
    context: 'project'
    isForPersons: true
    needsConfirmation: true
  }
  /** Make a new signing secret. `webhook-signature` carries the old one too for 24 hours. */
  'POST /webhooks/:id/rotate-secret': {
    params: { id: string }
    query: undefined
    body: undefined
    reply: CreatedWebhook
    scope: 'webhooks:write'
    context: 'project'
    needsConfirmation: true
  }
  /** Send an event about a message that does not exist. Its delivery shows what the endpoint answers. */
  'POST /webhooks/:id/test': {
    params: { id: string }
    query: undefined
    body: TestWebhook | undefined
    reply: WebhookDelivery
    scope: 'webhooks:write'
    context: 'project'
  }
  /** List what the endpoint was told, with every attempt. */
  'GET /webhooks/:id/deliveries': {
    params: { id: string }
    query: {
      /** Rows per page; 25 if omitted. */
      limit?: number
      /** The `nextCursor` of the page before. */
      cursor?: string
      status?: 'pending' | 'delivered' | 'failed' | 'dropped'
      type?: EventKind
      /**
       * What the event is about: the id of an email, of a received email or of an SMS. `<email id>.<n>` is one
       * recipient.
       */
      messageId?: string
      /** ISO 8601 with an offset or `Z`. */
      createdAfter?: string
      /** ISO 8601 with an offset or `Z`. */
      createdBefore?: string
    }
    body: undefined
    reply: WebhookDeliveryPage
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Send many again: all that failed, or those of a stretch of time. */
  'POST /webhooks/:id/deliveries/replay': {
    params: { id: string }
    query: undefined
    body: ReplayWebhookDeliveries | undefined
    reply: WebhookReplay
    scope: 'webhooks:write'
    context: 'project'
  }
  /** Read one delivery: what was posted, with which headers, and what every attempt was answered. */
  'GET /webhooks/:id/deliveries/:deliveryId': {
    params: { id: string; deliveryId: string }
    query: undefined
    body: undefined
    reply: WebhookDeliveryDetail
    scope: 'webhooks:write'
    context: 'project'
    reads: true
  }
  /** Send one again, now. */
  'POST /webhooks/:id/deliveries/:deliveryId/replay': {
    params: { id: string; deliveryId: string }
    query: undefined
    body: undefined
    reply: WebhookDelivery
    scope: 'webhooks:write'
    context: 'project'
  }
}
