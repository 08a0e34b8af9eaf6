// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsUsage {
  /** ISO 8601 in UTC, with milliseconds. */
  from: string
  /** ISO 8601 in UTC, with milliseconds. */
  to: string
  mode: 'test' | 'live'
  currency: string
  totals: SmsUsageCounts
  buckets: SmsUsageBucket[]
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
}

export interface SmsUsageBucket {
  key: SmsUsageKey
  outbound: number
  inbound: number
  segments: number
  delivered: number
  undelivered: number
  failed: number
  expired: number
  unconfirmed: number
  pending: number
  chargedMicros: number
  refundedMicros: number
  /** Of those that the carrier reported on; null if there are none. */
  deliveryRate: number | null
}

export interface SmsUsageCounts {
  outbound: number
  inbound: number
  segments: number
  delivered: number
  undelivered: number
  failed: number
  expired: number
  unconfirmed: number
  pending: number
  chargedMicros: number
  refundedMicros: number
  /** Of those that the carrier reported on; null if there are none. */
  deliveryRate: number | null
}

export interface SmsUsageKey {
  day?: string
  month?: string
  country?: string | null
  category?: string | null
  sender?: string | null
  program?: string | null
  status?: string | null
}
