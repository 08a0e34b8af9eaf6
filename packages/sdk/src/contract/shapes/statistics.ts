// Made by `npm run generate`; change the routes and their schemas, not this file.

/**
 * Recipients, each at the time at which it happened. `deferred` has a recipient once, however often its mail was put
 * off.
 */
export interface EmailCounts {
  accepted: number
  delivered: number
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  suppressed: number
  failed: number
  opened: number
  clicked: number
  unsubscribed: number
}

export interface EmailLatency {
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p50: number | null
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p95: number | null
  /** Milliseconds from when it was to be sent; null if nothing was delivered. */
  p99: number | null
}

export interface EmailPoint {
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  accepted: number
  delivered: number
  deferred: number
  bounced: number
  filteredspam: number
  quarantined: number
  suppressed: number
  failed: number
  opened: number
  clicked: number
  unsubscribed: number
}

export interface EmailSeries {
  /**
   * The id of a domain or template, a provider, a source, or a tag as `name:value`; null for mail that has none, and
   * without `groupBy`.
   */
  key: string | null
  totals: EmailCounts
  points: EmailPoint[]
  latency: EmailLatency
}

export interface EmailStatistics {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  step: 'minute' | 'hour' | 'day'
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  totals: EmailCounts
  latency: EmailLatency
  waiting: WaitingRecipients
  series: EmailSeries[]
}

export interface WaitingRecipients {
  /** What the project has to deliver now; scheduled mail is not part of it. */
  recipients: number
  /** True where there are too many to count: then there are more. */
  isMore: boolean
  /** ISO 8601 in UTC, with milliseconds. */
  oldestAt: string | null
}

export interface WebhookCounts {
  delivered: number
  failed: number
  attempts: number
  /** Within so many milliseconds 95 of 100 attempts were over. */
  p95Ms: number | null
}

export interface WebhookPoint {
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  delivered: number
  failed: number
  attempts: number
  /** Within so many milliseconds 95 of 100 attempts were over. */
  p95Ms: number | null
}

export interface WebhookSeries {
  key: string | null
  points: WebhookPoint[]
}

export interface WebhookStatistics {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  step: 'minute' | 'hour' | 'day'
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  totals: WebhookCounts
  series: WebhookSeries[]
}
