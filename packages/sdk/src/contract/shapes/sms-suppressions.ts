// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsSuppression {
  id: string
  projectId: string
  toMasked: string
  recipientRef: string
  scope: 'project' | 'program'
  programId: string | null
  origin: 'keyword' | 'inferred' | 'carrier' | 'manual'
  reason: 'manual' | 'complaint' | 'legal' | 'invalid_number' | 'opt_out'
  note: string | null
  status: 'active' | 'lifted'
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  liftedAt: string | null
  liftedBy: string | null
}

export interface SmsSuppressionPage {
  data: SmsSuppression[]
  hasMore: boolean
  nextCursor: string | null
}

export interface AddSmsSuppression {
  /** A phone number in E.164 form, e.g. `+12025550100`. */
  phone: string
  scope?: 'project' | 'program'
  /** An id that starts with `smspg_`. */
  programId?: string | null
  reason?: 'manual' | 'complaint' | 'legal' | 'invalid_number'
  note?: string | null
}
