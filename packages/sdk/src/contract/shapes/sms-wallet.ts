// Made by `npm run generate`; change the routes and their schemas, not this file.

export interface SmsWallet {
  object: 'sms_wallet'
  mode: 'test' | 'live'
  currency: string
  /** In millionths of the currency. */
  availableMicros: number
  /** In millionths of the currency. */
  reservedMicros: number
  /** In millionths of the currency. */
  totalMicros: number
  status: 'active' | 'low' | 'empty' | 'frozen'
  /** In millionths of the currency. */
  lowBalanceThresholdMicros: number
  /** In millionths of the currency. */
  dailySpendCapMicros: number | null
  /** In millionths of the currency. */
  spentTodayMicros: number
  /** ISO 8601 in UTC, with milliseconds. */
  asOf: string
  ledgerSeq: number
}

export interface SmsLedgerEntry {
  id: string
  projectId: string
  seq: number
  type:
    | 'top_up'
    | 'top_up_reversal'
    | 'reservation'
    | 'charge'
    | 'release'
    | 'refund'
    | 'adjustment'
  messageId: string | null
  topUpId: string | null
  reversesEntryId: string | null
  /** In millionths of the currency. */
  availableDeltaMicros: number
  /** In millionths of the currency. */
  reservedDeltaMicros: number
  /** In millionths of the currency. */
  availableAfterMicros: number
  /** In millionths of the currency. */
  reservedAfterMicros: number
  postings: SmsPosting[]
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
}

export interface SmsLedgerEntryPage {
  data: SmsLedgerEntry[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsPosting {
  account: string
  /** In millionths of the currency. */
  debitMicros?: number
  /** In millionths of the currency. */
  creditMicros?: number
}

export interface SmsPeriod {
  /** The month, e.g. `2026-11`. */
  id: string
  projectId: string
  status: 'open' | 'closed'
  /** ISO 8601 in UTC, with milliseconds. */
  startsAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  endsAt: string
  /** In millionths of the currency. */
  openingMicros: number
  /** In millionths of the currency. */
  topUpsMicros: number
  /** In millionths of the currency. */
  topUpReversalsMicros: number
  /** In millionths of the currency. */
  chargesMicros: number
  /** In millionths of the currency. */
  refundsMicros: number
  /** In millionths of the currency. */
  adjustmentsMicros: number
  /** In millionths of the currency. */
  closingMicros: number | null
  segmentsCharged: number
}

export interface SmsPeriodPage {
  data: SmsPeriod[]
  hasMore: boolean
  nextCursor: string | null
}

export interface SmsTopUp {
  id: string
  projectId: string
  /** In millionths of the currency. */
  amountMicros: number
  currency: string
  status: 'pending' | 'settled' | 'failed' | 'reversed'
  method: string
  referenceMasked: string
  /** ISO 8601 in UTC, with milliseconds. */
  createdAt: string
  /** ISO 8601 in UTC, with milliseconds. */
  settledAt: string | null
  ledgerEntryId: string | null
}

export interface SmsTopUpPage {
  data: SmsTopUp[]
  hasMore: boolean
  nextCursor: string | null
}
