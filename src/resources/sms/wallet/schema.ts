import { Type, type Static } from 'typebox'
import type { ProjectId, SmsEntryId, SmsId, SmsTopUpId, WorkspaceId } from '../../../core/ids.ts'
import { IdInput, IdOf, listQuery, named, Nullable, PageOf, Timestamp, TimestampInput } from '../../../shapes/shapes.ts'

export const modes = ['test', 'live'] as const

export type Mode = (typeof modes)[number]

export const entryTypes = [
  'top_up',
  'top_up_reversal',
  'reservation',
  'charge',
  'release',
  'refund',
  'adjustment',
] as const

export type EntryType = (typeof entryTypes)[number]

const walletStatuses = ['active', 'low', 'empty', 'frozen'] as const

const Micros = Type.Integer({ description: 'In millionths of the currency.' })

const ModeQuery = Type.Optional(
  Type.Enum(modes, { description: 'Which wallet; the live one if the project sends live, else the test one.' }),
)

export const WalletView = named(
  'SmsWallet',
  Type.Object({
    object: Type.Literal('sms_wallet'),
    mode: Type.Enum(modes),
    currency: Type.String(),
    availableMicros: Micros,
    reservedMicros: Micros,
    totalMicros: Micros,
    status: Type.Enum(walletStatuses),
    lowBalanceThresholdMicros: Micros,
    dailySpendCapMicros: Nullable(Micros),
    spentTodayMicros: Micros,
    asOf: Timestamp,
    ledgerSeq: Type.Integer(),
  }),
)

export type WalletView = Static<typeof WalletView>

const Posting = named(
  'SmsPosting',
  Type.Object({
    account: Type.String(),
    debitMicros: Type.Optional(Micros),
    creditMicros: Type.Optional(Micros),
  }),
)

export const EntryView = named(
  'SmsLedgerEntry',
  Type.Object({
    id: IdOf('sml'),
    seq: Type.Integer(),
    type: Type.Enum(entryTypes),
    messageId: Nullable(IdOf('sms')),
    topUpId: Nullable(IdOf('smtu')),
    reversesEntryId: Nullable(IdOf('sml')),
    availableDeltaMicros: Micros,
    reservedDeltaMicros: Micros,
    availableAfterMicros: Micros,
    reservedAfterMicros: Micros,
    postings: Type.Array(Posting),
    createdAt: Timestamp,
  }),
)

export type EntryView = Static<typeof EntryView>

export const PeriodView = named(
  'SmsPeriod',
  Type.Object({
    id: Type.String({ description: 'The month, e.g. `2026-11`.' }),
    status: Type.Enum(['open', 'closed']),
    startsAt: Timestamp,
    endsAt: Timestamp,
    openingMicros: Micros,
    topUpsMicros: Micros,
    topUpReversalsMicros: Micros,
    chargesMicros: Micros,
    refundsMicros: Micros,
    adjustmentsMicros: Micros,
    closingMicros: Nullable(Micros),
    segmentsCharged: Type.Integer(),
  }),
)

export type PeriodView = Static<typeof PeriodView>

export const TopUpView = named(
  'SmsTopUp',
  Type.Object({
    id: IdOf('smtu'),
    amountMicros: Micros,
    currency: Type.String(),
    status: Type.Enum(['pending', 'settled', 'failed', 'reversed']),
    method: Type.String(),
    referenceMasked: Type.String(),
    createdAt: Timestamp,
    settledAt: Nullable(Timestamp),
    ledgerEntryId: Nullable(IdOf('sml')),
  }),
)

export type TopUpView = Static<typeof TopUpView>

export const EntryPage = PageOf(EntryView)

export const PeriodPage = PageOf(PeriodView)

export const TopUpPage = PageOf(TopUpView)

export const ReadWallet = Type.Object({ mode: ModeQuery }, { additionalProperties: false })

export const ListOfWallet = Type.Object({ ...listQuery, mode: ModeQuery }, { additionalProperties: false })

export const ListEntries = Type.Object(
  {
    ...listQuery,
    mode: ModeQuery,
    type: Type.Optional(Type.Enum(entryTypes)),
    messageId: Type.Optional(IdInput('sms')),
    topUpId: Type.Optional(IdInput('smtu')),
    createdAfter: Type.Optional(TimestampInput),
    createdBefore: Type.Optional(TimestampInput),
  },
  { additionalProperties: false },
)

export type ListEntries = Static<typeof ListEntries>

/** Amounts are numbers: the database holds none that a number could not hold exactly. */
export interface Wallet {
  id: string
  projectId: ProjectId
  workspaceId: WorkspaceId
  mode: Mode
  currency: string
  available: number
  reserved: number
  low: number
  dailyCap: number | null
  isLow: boolean
  frozenAt: Date | null
  seq: number
  spentToday: number
  tomorrow: Date
  now: Date
}

export interface Entry {
  id: SmsEntryId
  seq: number
  type: EntryType
  messageId: SmsId | null
  topUpId: SmsTopUpId | null
  reversesEntryId: SmsEntryId | null
  availableDelta: number
  reservedDelta: number
  availableAfter: number
  reservedAfter: number
  postings: { account: string; debit: number; credit: number }[]
  createdAt: Date
}

export interface Period {
  month: string
  startsAt: Date
  endsAt: Date
  isOpen: boolean
  opening: number
  topUps: number
  reversals: number
  charges: number
  refunds: number
  adjustments: number
  segments: number
}

export interface TopUp {
  id: SmsTopUpId
  amount: number
  currency: string
  status: TopUpView['status']
  method: string
  reference: string
  createdAt: Date
  settledAt: Date | null
  entryId: SmsEntryId | null
}
