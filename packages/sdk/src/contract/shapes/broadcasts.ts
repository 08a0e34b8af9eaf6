// Made by `npm run generate`; change the routes and their schemas, not this file.

import type {
  Explanation,
} from './emails.ts'

export interface BroadcastPage {
  data: BroadcastSummary[]
  hasMore: boolean
  nextCursor: string | null
}

/** The numbers from `queued` to `cancelled` add up to `recipients` at every moment. */
export interface BroadcastStats {
  recipients: number
  /** Not tried yet. */
  queued: number
  delivered: number
  /** Put off by their servers, and tried again. */
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  /** Suppressed, unsubscribed or deleted before it was sent to them. */
  suppressed: number
  /** Not delivered for another reason. */
  failed: number
  /** Not sent, because the broadcast was cancelled or its project archived. */
  cancelled: number
  unsubscribed: number
  opens: number
  clicks: number
}

export interface BroadcastSummary {
  id: string
  projectId: string
  name: string
  audienceId: string
  from: string
  replyTo: string[]
  subject: string | null
  previewText: string | null
  templateId: string | null
  tracking: BroadcastTracking
  throttle: BroadcastThrottle
  status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  completedAt: string | null
  /** Why it could not be sent when its time came; it is a draft again then. */
  problem: string | null
  stats: BroadcastStats
}

export interface BroadcastThrottle {
  perMinute: number | null
}

/** Null leaves it to the sender's domain. */
export interface BroadcastTracking {
  opens: boolean | null
  clicks: boolean | null
}

export interface Broadcast {
  id: string
  projectId: string
  name: string
  audienceId: string
  from: string
  replyTo: string[]
  subject: string | null
  previewText: string | null
  templateId: string | null
  tracking: BroadcastTracking
  throttle: BroadcastThrottle
  status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled'
  /** ISO 8601 in UTC, with milliseconds. */
  sendAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  startedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  completedAt: string | null
  /** Why it could not be sent when its time came; it is a draft again then. */
  problem: string | null
  stats: BroadcastStats
  html: string | null
  text: string | null
  variables: Record<string, unknown>
}

/** How many messages may leave in a minute, at most. */
export interface BroadcastThrottleInput {
  perMinute: number | null
}

export interface BroadcastTrackingInput {
  opens?: boolean | null
  clicks?: boolean | null
}

export interface CreateBroadcast {
  /** An id that starts with `aud_`. */
  audienceId: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from: string
  name?: string | null
  replyTo?: string | string[] | null
  /** The template's if omitted. */
  subject?: string | null
  /** What mail programs show beside the subject. */
  previewText?: string | null
  html?: string | null
  /** Made from the html if omitted. */
  text?: string | null
  /** An id that starts with `tpl_`, or an alias. */
  templateId?: string | null
  variables?: Record<string, unknown>
  tracking?: BroadcastTrackingInput | null
  throttle?: BroadcastThrottleInput | null
}

export interface UpdateBroadcast {
  /** An id that starts with `aud_`. */
  audienceId?: string
  /** A mailbox: `ann@example.com` or `Ann <ann@example.com>`. */
  from?: string
  name?: string | null
  replyTo?: string | string[] | null
  /** The template's if omitted. */
  subject?: string | null
  /** What mail programs show beside the subject. */
  previewText?: string | null
  html?: string | null
  /** Made from the html if omitted. */
  text?: string | null
  /** An id that starts with `tpl_`, or an alias. */
  templateId?: string | null
  variables?: Record<string, unknown>
  tracking?: BroadcastTrackingInput | null
  throttle?: BroadcastThrottleInput | null
}

export interface DeletedBroadcast {
  id: string
  deleted: true
}

export interface SendBroadcast {
  /** Refused if it is another number of people who would get it now. */
  expectedRecipients?: number
}

export interface ScheduleBroadcast {
  /** ISO 8601 with an offset or `Z`. */
  sendAt: string
}

export interface TestBroadcast {
  to: string | string[]
}

export interface OutstandingRecipient {
  contactId: string
  /** Null where the contact is gone. */
  email: string | null
  status: 'waiting' | 'queued' | 'sending' | 'deferred' | 'held'
  emailId: string | null
  attempts: number
  /** ISO 8601 in UTC, with milliseconds. */
  nextAttemptAt: string | null
}

export interface OutstandingRecipientPage {
  data: OutstandingRecipient[]
  hasMore: boolean
  nextCursor: string | null
}

export interface BroadcastRecipient {
  contactId: string
  /** Null where there is no email and the contact is gone. */
  email: string | null
  /**
   * `unsubscribed`, and `suppressed` without an `emailId`: they were in the audience when it started, and no email was
   * made for them.
   */
  status:
    | 'scheduled'
    | 'queued'
    | 'deferred'
    | 'sending'
    | 'delivered'
    | 'bounced'
    | 'filteredspam'
    | 'quarantined'
    | 'suppressed'
    | 'failed'
    | 'cancelled'
    | 'unsubscribed'
  emailId: string | null
  explanation: Explanation | null
  opens: number
  clicks: number
  /** ISO 8601 in UTC, with milliseconds. */
  updatedAt: string
}

export interface BroadcastRecipientPage {
  data: BroadcastRecipient[]
  hasMore: boolean
  nextCursor: string | null
}

export interface BroadcastLink {
  url: string
  /** How many different people followed it. */
  people: number
  /** How often they did. */
  clicks: number
}

export interface BroadcastLinks {
  /** Those with the most people first. Programs that follow every link are not counted. */
  data: BroadcastLink[]
}
