/**
 * What becomes of a part, and of the message that it belongs to. Pure.
 *
 * A part:   queued → submitting → sent → delivered | undelivered | unconfirmed
 *           submitting → refused | unknown          unknown, unconfirmed → delivered | undelivered (a receipt)
 *           queued → stopped (by us: too late, not allowed any more)
 *
 * Receipts come late, twice and in any order. Each state has a rank, and a part only ever rises: the first final receipt
 * wins, and whatever comes after it is for the records. A message has the state that its parts give it together.
 */
import type { Receipt, SmsErrorCode } from './carrier.ts'

export type PartState =
  | 'queued'
  | 'submitting'
  | 'sent'
  /** Submitted, and no answer: it may have been accepted. */
  | 'unknown'
  /** Accepted, and no final receipt within the time that is waited for one. */
  | 'unconfirmed'
  | 'delivered'
  | 'undelivered'
  /** The carrier refused the part for good. */
  | 'refused'
  /** The part was never offered to the carrier. */
  | 'stopped'

export interface PartStatus {
  seq: number
  state: PartState
  errorCode?: SmsErrorCode | undefined
  providerCode?: string | undefined
}

/** A statement that sets a state asks for a lower rank than the new one. */
export const partRank: Readonly<Record<PartState, number>> = {
  queued: 0,
  submitting: 1,
  sent: 2,
  unknown: 2,
  unconfirmed: 3,
  delivered: 4,
  undelivered: 4,
  refused: 4,
  stopped: 4,
}

/** Returns the part after a receipt; it is the same object when nothing changes. */
export function applyReceipt<Part extends PartStatus>(part: Part, receipt: Receipt): Part {
  const state = finalStateOf(receipt) ?? acceptedBy(part)
  if (state === undefined || partRank[state] < partRank[part.state]) return part
  if (partRank[state] === partRank[part.state] && part.state !== 'unknown') return part
  // Only a failure has a code; a receipt without one never erases one that is known.
  if (state !== 'undelivered') return { ...part, state }
  const errorCode = receipt.errorCode ?? part.errorCode ?? 'unknown'
  return { ...part, state, errorCode, providerCode: receipt.providerCode ?? part.providerCode }
}

/** Undefined for what changes nothing: on its way, accepted, or not known to the carrier itself. */
const finalStateOf = ({ state }: Receipt): 'delivered' | 'undelivered' | undefined =>
  state === 'delivered' || state === 'undelivered' ? state : undefined

/** A carrier that reports on a part has accepted it. */
const acceptedBy = ({ state }: PartStatus): 'sent' | undefined =>
  state === 'unknown' || state === 'submitting' ? 'sent' : undefined

/**
 * Returns all parts after a receipt. Carriers send one for each part, or one for all of them with the id of any one;
 * the connection says which.
 */
export function applyReceiptToParts<Part extends PartStatus>(
  parts: readonly Part[],
  seq: number,
  receipt: Receipt,
  receiptsFor: 'part' | 'message',
): Part[] {
  return parts.map((part) => (receiptsFor === 'message' || part.seq === seq ? applyReceipt(part, receipt) : part))
}

export type MessageState =
  | 'queued'
  | 'submitting'
  | 'sent'
  | 'delivered'
  | 'undelivered'
  | 'unconfirmed'
  /** No part was accepted, nor can any have been. */
  | 'failed'

export interface MessageStatus {
  state: MessageState
  errorCode?: SmsErrorCode | undefined
  providerCode?: string | undefined
}

/**
 * Computes the state of a message from its parts, in their order. The error is that of the first part that has failed.
 */
export function messageStatus(parts: readonly PartStatus[]): MessageStatus {
  const state = messageState(parts.map((part) => part.state))
  if (state !== 'undelivered' && state !== 'failed') return { state }
  const failed = parts.toSorted((a, b) => a.seq - b.seq).find((part) => lost.has(part.state))
  return { state, errorCode: failed?.errorCode ?? 'unknown', providerCode: failed?.providerCode }
}

function messageState(states: readonly PartState[]): MessageState {
  const some = (...wanted: PartState[]): boolean => states.some((state) => wanted.includes(state))
  if (states.some((state) => lost.has(state))) {
    // An unknown part may be on a handset already; "failed" would say that none is.
    if (some('sent', 'delivered', 'undelivered', 'unknown', 'unconfirmed')) return 'undelivered'
    return some('submitting') ? 'submitting' : 'failed'
  }
  if (states.every((state) => state === 'queued')) return 'queued'
  if (some('queued', 'submitting')) return 'submitting'
  if (some('unknown', 'unconfirmed')) return 'unconfirmed'
  return states.every((state) => state === 'delivered') ? 'delivered' : 'sent'
}

const lost: ReadonlySet<PartState> = new Set<PartState>(['undelivered', 'refused', 'stopped'])
