import { encodeId } from '../../../core/ids.ts'
import type { Entry, EntryView, Period, PeriodView, TopUp, TopUpView, Wallet, WalletView } from './schema.ts'

export const walletView = (wallet: Wallet): WalletView => ({
  object: 'sms_wallet',
  mode: wallet.mode,
  currency: wallet.currency,
  availableMicros: wallet.available,
  reservedMicros: wallet.reserved,
  totalMicros: wallet.available + wallet.reserved,
  status: statusOf(wallet),
  lowBalanceThresholdMicros: wallet.low,
  dailySpendCapMicros: wallet.dailyCap,
  spentTodayMicros: wallet.spentToday,
  asOf: wallet.now.toISOString(),
  ledgerSeq: wallet.seq,
})

function statusOf({ frozenAt, available, low }: Wallet): WalletView['status'] {
  if (frozenAt !== null) return 'frozen'
  if (available <= 0) return 'empty'
  return available < low ? 'low' : 'active'
}

export const entryView = (entry: Entry): EntryView => ({
  id: encodeId('sml', entry.id),
  seq: entry.seq,
  type: entry.type,
  messageId: entry.messageId && encodeId('sms', entry.messageId),
  topUpId: entry.topUpId && encodeId('smtu', entry.topUpId),
  reversesEntryId: entry.reversesEntryId && encodeId('sml', entry.reversesEntryId),
  availableDeltaMicros: entry.availableDelta,
  reservedDeltaMicros: entry.reservedDelta,
  availableAfterMicros: entry.availableAfter,
  reservedAfterMicros: entry.reservedAfter,
  postings: entry.postings.map(({ account, debit, credit }) => ({
    account,
    ...(debit === 0 ? { creditMicros: credit } : { debitMicros: debit }),
  })),
  createdAt: entry.createdAt.toISOString(),
})

export function periodView(period: Period): PeriodView {
  const { opening, topUps, reversals, charges, refunds, adjustments } = period
  return {
    id: period.month,
    status: period.isOpen ? 'open' : 'closed',
    startsAt: period.startsAt.toISOString(),
    endsAt: period.endsAt.toISOString(),
    openingMicros: opening,
    topUpsMicros: topUps,
    topUpReversalsMicros: reversals,
    chargesMicros: charges,
    refundsMicros: refunds,
    adjustmentsMicros: adjustments,
    closingMicros: period.isOpen ? null : opening + topUps - reversals - charges + refunds + adjustments,
    segmentsCharged: period.segments,
  }
}

export const topUpView = (topUp: TopUp): TopUpView => ({
  id: encodeId('smtu', topUp.id),
  amountMicros: topUp.amount,
  currency: topUp.currency,
  status: topUp.status,
  method: topUp.method,
  referenceMasked: masked(topUp.reference),
  createdAt: topUp.createdAt.toISOString(),
  settledAt: topUp.settledAt?.toISOString() ?? null,
  ledgerEntryId: topUp.entryId && encodeId('sml', topUp.entryId),
})

/** Enough for the operator to find the invoice by. */
const masked = (reference: string): string =>
  reference.length < 8 ? `***${reference.slice(-2)}` : `${reference.slice(0, 4)}***${reference.slice(-2)}`
