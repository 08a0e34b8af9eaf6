// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsPage {
  data: SmsSummary[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsSummary {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
    | null
  keyword: 'STOP' | 'HELP' | 'START' | null
  programId: string | null
  senderId: string
  country: string | null
  toMasked: string
  fromMasked: string
  recipientRef: string
  encoding: string | null
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  /** In millionths of the currency. */
  chargedMicros: number
  currency: string
  errorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
}

export interface AcceptedSms {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
  toMasked: string
  country: string | null
  recipientRef: string
  senderId: string
  programId: string
  encoding: string
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  currency: string
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface SendSms {
  /** A phone number in E.164 form, e.g. `+12025550100`. */
  to: string
  /** An id that starts with `smssn_`. */
  senderId?: string | null
  /** An id that starts with `smspg_`. */
  programId?: string | null
  category: 'authentication' | 'transactional' | 'marketing' | 'conversational'
  /** The text of an SMS. */
  body: string
  encoding?: 'auto' | 'gsm7' | 'ucs2'
  /** Writes typographic characters plainly where that makes the text GSM-7. */
  transliterate?: boolean
  maxSegments?: number
  maxPriceMicros?: number | null
  validitySeconds?: number | null
  onQuietHours?: 'defer' | 'reject'
  /** An id that starts with `smscn_`. */
  consentId?: string | null
  userInitiated?: SmsUserInitiated | null
  metadata?: Record<string, string> | null
  /** Says what would happen. Nothing is stored or sent. */
  dryRun?: boolean
}

export interface SmsDryRun {
  dryRun: true
  encoding: string
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  currency: string
  wouldSend: boolean
  refusals: SmsRefusal[]
}

export interface SmsRefusal {
  code: string
  error: string
}

export interface SmsUserInitiated {
  /** ISO 8601 with an offset or `Z`. */
  requestedAt: string
  /** An IP address. */
  ipAddress: string
}

export interface Sms {
  id: string
  projectId: string
  object: 'sms_message'
  mode: 'test' | 'live'
  direction: 'outbound' | 'inbound'
  status:
    | 'queued'
    | 'deferred'
    | 'submitting'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'expired'
    | 'unconfirmed'
    | 'received'
  category:
    | 'authentication'
    | 'transactional'
    | 'marketing'
    | 'conversational'
    | 'keyword_reply'
    | null
  keyword: 'STOP' | 'HELP' | 'START' | null
  programId: string | null
  senderId: string
  country: string | null
  toMasked: string
  fromMasked: string
  recipientRef: string
  encoding: string | null
  units: number
  segments: number
  /** In millionths of the currency. */
  priceMicros: number
  /** In millionths of the currency. */
  chargedMicros: number
  currency: string
  errorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  deferredUntil: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  sentAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
  to: string
  from: string
  body: string | null
  bodySent: string | null
  metadata: Record<string, string> | null
  /** ISO 8601 in UTC, with milliseconds. */
  bodyPurgedAt: string | null
  consentId: string | null
  consent: SmsMessageConsent | null
  parts: SmsPart[]
  events: SmsEvent[]
  ledger: SmsMessageEntry[]
}

export interface SmsEvent {
  type: string
  /** ISO 8601 in UTC, with milliseconds. */
  at: string
  status: string | null
  errorCode: string | null
  detail: string
}

export interface SmsMessageConsent {
  type: string
  /** ISO 8601 in UTC, with milliseconds. */
  grantedAt: string | null
}

export interface SmsMessageEntry {
  entryId: string
  type: string
  /** In millionths of the currency. */
  amountMicros: number
}

export interface SmsPart {
  seq: number
  units: number
  status: string
  providerMessageId: string | null
  errorCode: string | null
  providerErrorCode: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  submittedAt: string | null
  /** ISO 8601 in UTC, with milliseconds. */
  finalAt: string | null
}
