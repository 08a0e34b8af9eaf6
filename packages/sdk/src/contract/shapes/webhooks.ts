// Made by `npm run generate`; change the routes and their schemas, not this file.

export type EventKind =
  | 'email.delivered'
  | 'email.bounced'
  | 'email.filteredspam'
  | 'email.suppressed'
  | 'email.quarantined'
  | 'email.unsubscribed'
  | 'email.received'
  | 'email.deferred'
  | 'email.failed'
  | 'email.opened'
  | 'email.clicked'
  | 'sms.sent'
  | 'sms.delivered'
  | 'sms.undelivered'
  | 'sms.failed'
  | 'sms.unconfirmed'
  | 'sms.received'
  | 'sms.optedout'
  | 'sms.optedin'
  | 'sms.walletlow'

export interface Webhook {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
}

export interface WebhookPage {
  data: Webhook[]
  hasMore: boolean
  nextCursor: string | null
}

export interface CreateWebhook {
  /** An https URL on the public internet, without credentials. */
  url: string
  enabled?: boolean
  /** The kinds of events to be told of. */
  events?: EventKind[]
  description?: string | null
}

export interface CreatedWebhook {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
  /** What requests are signed with. Shown here and never again. */
  secret: string
}

export interface WebhookHealth {
  /** ISO 8601 in UTC, with milliseconds. */
  lastDeliveredAt: string | null
  /** When the present series of failures began; null while there is none. */
  failingSince: string | null
  /** Deliveries that are to be sent; 10000 for that many or more. */
  pending: number
  /** The part of the attempts of the last 24 hours that were acknowledged, from 0 to 1. */
  successRate24h: number | null
  /** Of 20 attempts of the last 24 hours, 19 took no longer than this. */
  p95Ms: number | null
}

export interface WebhookWithHealth {
  id: string
  projectId: string
  url: string
  enabled: boolean
  events: EventKind[]
  description: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** Why we disabled it; null if it was not us. */
  disabledReason: string | null
  health: WebhookHealth
}

export interface UpdateWebhook {
  /** An https URL on the public internet, without credentials. */
  url?: string
  enabled?: boolean
  /** The kinds of events to be told of. */
  events?: EventKind[]
  description?: string | null
}

export interface DeletedWebhook {
  id: string
  deleted: true
}

export interface ReplacedWebhookSecret {
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  /** ISO 8601 in UTC, with milliseconds. */
  validUntil: string
}

export interface WebhookSecret {
  /** What requests are signed with. */
  secret: string
  /** ISO 8601 in UTC, with milliseconds. */
  since: string
  /** Replaced secrets that still sign `webhook-signature` for a while. */
  previous: ReplacedWebhookSecret[]
}

/** Of events of SMS: what is known of the message, never its text. */
export interface SmsEventDetail {
  projectId: string
  mode: 'test' | 'live'
  [name: string]: unknown
}

export interface TestWebhook {
  type?: EventKind
}

export interface WebhookAttempt {
  number: number
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  /** The HTTP status; null if there was no answer. */
  status: number | null
  durationMs: number
  /** What went wrong; null if it was acknowledged. */
  error: string | null
  /** The beginning of the answer. */
  answer: string | null
}

export interface WebhookDelivery {
  id: string
  projectId: string
  eventId: string
  type: string
  status: 'pending' | 'delivered' | 'failed' | 'dropped'
  payload: WebhookEvent
  attemptCount: number
  /** The newest last; of very many the first are left out. */
  attempts: WebhookAttempt[]
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
}

export interface WebhookEvent {
  type: string
  /** What it is about; with `type` it tells one event from another. */
  messageId: string
  recipient: string
  /** ISO 8601 in UTC, with milliseconds. */
  timestamp: string
  detail: string
  accountId: string
  sms?: SmsEventDetail
}

export interface WebhookDeliveryPage {
  data: WebhookDelivery[]
  hasMore: boolean
  nextCursor: string | null
}

export interface ReplayWebhookDeliveries {
  /** `failed` unless given: all that did not arrive. Pending ones go on by themselves. */
  status?: 'failed' | 'delivered' | 'any'
  /** ISO 8601 with an offset or `Z`. */
  createdAfter?: string
  /** ISO 8601 with an offset or `Z`. */
  createdBefore?: string
}

export interface WebhookReplay {
  id: string
  projectId: string
  /** How many are going to be sent again. */
  deliveries: number
}

export interface WebhookDeliveryDetail {
  id: string
  projectId: string
  eventId: string
  type: string
  status: 'pending' | 'delivered' | 'failed' | 'dropped'
  payload: WebhookEvent
  attemptCount: number
  /** The newest last; of very many the first are left out. */
  attempts: WebhookAttempt[]
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endedAt: string | null
  /** The headers of the last attempt, null before the first. Signatures are not kept: they are null. */
  requestHeaders: Record<string, string | null> | null
}
