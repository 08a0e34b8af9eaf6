/**
 * What news of parts means for their message, in one transaction: states, money, events, the record of what happened.
 *
 *   queued ⇄ deferred → sent → delivered | undelivered | unconfirmed
 *   queued | deferred → failed | expired | undelivered | unconfirmed        unconfirmed → delivered | undelivered
 *
 * `submitting` is a message that is queued and of which something has left; see sms_status() in the migration. States
 * only move forward. Locks are taken in one order everywhere: the parts that a worker holds, wallets, messages, the
 * other parts.
 */
import { encodeId, newId, type SmsId } from '../../../core/ids.ts'
import type { EventKind } from '../../../events/kinds.ts'
import type { NewEvent, Publish } from '../../../events/publish.ts'
import type { SmsErrorCode } from '../../../sms/carrier.ts'
import { messageStatus, type MessageStatus, type PartState } from '../../../sms/receipts.ts'
import type { Tx } from '../../../storage/postgres.ts'

import { alphabetName } from './views.ts'
import { addHappenings, type NewHappening } from './store/messages.ts'
import * as store from './store/parts.ts'
import type { LockedMessage, MessageUpdate, PartOfMessage } from './store/parts.ts'
import type { PhoneBook } from '../projects/index.ts'
import { type WalletRef, type Wallets, lockOfMessages } from '../wallet/index.ts'

/** Where a part goes. */
export interface PartChange {
  id: string
  state: 'ready' | 'waiting' | Exclude<PartState, 'queued' | 'submitting'>
  afterMs?: number
  /** The carrier is known to have it. */
  accepted?: boolean
  isAttempt?: boolean
  errorCode?: SmsErrorCode | undefined
  providerCode?: string | undefined
  providerId?: string | undefined
}

export interface Decision {
  changes: readonly PartChange[]
  /** The message waits, for a reason that is not a carrier's. */
  deferral?: { afterMs: number; reason: string }
  happenings?: readonly Pick<NewHappening, 'type' | 'status' | 'errorCode' | 'detail'>[]
  /** Looked at again although nothing changes. */
  isDue?: boolean
}

/** Asked while the message is locked. */
export type Decide = (message: LockedMessage, parts: readonly PartOfMessage[]) => Decision

export class Settler {
  readonly #wallets: Wallets
  readonly #phones: PhoneBook
  readonly #publish: Publish

  constructor(wallets: Wallets, phones: PhoneBook, publish: Publish) {
    this.#wallets = wallets
    this.#phones = phones
    this.#publish = publish
  }

  async settle(tx: Tx, ids: readonly SmsId[], decide: Decide): Promise<void> {
    if (ids.length === 0) return
    await lockOfMessages(tx, ids)
    const messages = await store.lockMessages(tx, ids)
    const parts = Map.groupBy(await store.partsOf(tx, ids), ({ messageId }) => messageId)
    const updates: store.PartUpdate[] = []
    const happenings: NewHappening[] = []
    const events: NewEvent[] = []
    for (const message of messages) {
      const before = parts.get(message.id) ?? []
      const { changes, deferral = null, happenings: more = [], isDue = false } = decide(message, before)
      const all = withFollowers(before, changes)
      updates.push(...all.map(updateOf))
      happenings.push(...more.map((one) => happening(message, one)))
      const after = before.map((part) => changedPart(part, all))
      if (all.length === 0 && deferral === null && !isDue) continue
      const told = await this.#settleOne(tx, message, after, deferral)
      events.push(...told.events)
      happenings.push(...told.happenings)
    }
    if (updates.length > 0) await store.updateParts(tx, updates)
    if (happenings.length > 0) await addHappenings(tx, happenings)
    await this.#publish(tx, events)
  }

  async #settleOne(
    tx: Tx,
    message: LockedMessage,
    parts: readonly PartOfMessage[],
    deferral: MessageUpdate['deferral'],
  ): Promise<{ events: NewEvent[]; happenings: NewHappening[] }> {
    const standing = messageStatus(parts.map(standingOf))
    const status = statusAfter(message, standing, deferral !== null)
    const isSent = message.sentAt === null && parts.every(({ accepted }) => accepted)
    const isChanged = status !== message.status
    const kinds: SmsEventKind[] = [
      ...(isSent ? (['sms.sent'] as const) : []),
      ...(isChanged ? (kindOf[status] ?? []) : []),
    ]
    const money = await this.#settleMoney(tx, message, parts, isChanged && status === 'undelivered')
    const errorCode = message.errorCode ?? standing.errorCode ?? null
    const providerErrorCode = message.providerErrorCode ?? standing.providerCode ?? null
    await store.updateMessage(tx, message.id, {
      status,
      deferral,
      errorCode: standing.errorCode ?? null,
      providerErrorCode: standing.providerCode ?? null,
      charged: money.charged,
      isMoneySettled: money.isSettled,
      isSent: isSent || message.sentAt !== null,
      isFinal: finals.has(status),
      sequence: message.sequence + kinds.length,
    })
    const now = { ...message, status, errorCode, providerErrorCode }
    return {
      events: this.#events(now, kinds),
      happenings: [
        ...(isSent && status !== 'sent' ? [happening(message, { type: 'sent', status: 'sent' })] : []),
        ...(isChanged ? [happening(message, { type: status, status, errorCode, detail: deferral?.reason ?? '' })] : []),
      ],
    }
  }

  /** Once nothing more can come of the reservation: what the carrier took is paid, the rest goes back. */
  async #settleMoney(
    tx: Tx,
    message: LockedMessage,
    parts: readonly PartOfMessage[],
    isUndelivered: boolean,
  ): Promise<{ charged: bigint; isSettled: boolean }> {
    const wallet: WalletRef = { ...message, id: message.walletId }
    const price = BigInt(message.segmentMicros)
    const isOpen = parts.some(({ state }) => pending.has(state) || state === 'unknown')
    if (message.isMoneySettled || isOpen) {
      if (isUndelivered && message.refundsUndelivered) {
        await this.#wallets.refund(tx, wallet, message.id, BigInt(message.chargedMicros))
      }
      return { charged: 0n, isSettled: message.isMoneySettled }
    }
    const taken = parts.filter(({ accepted }) => accepted).length
    const charged = price * BigInt(taken)
    await this.#wallets.charge(tx, wallet, message.id, charged, taken)
    await this.#wallets.release(tx, wallet, message.id, price * BigInt(parts.length - taken))
    if (isUndelivered && message.refundsUndelivered) await this.#wallets.refund(tx, wallet, message.id, charged)
    return { charged, isSettled: true }
  }

  #events(message: LockedMessage, kinds: readonly SmsEventKind[]): NewEvent[] {
    if (kinds.length === 0) return []
    const recipient = this.#phones.open('sms number', message.id, message.phone)
    return kinds.map((kind, i) => {
      const isSent = kind === 'sms.sent'
      return {
        projectId: message.projectId,
        workspaceId: message.workspaceId,
        kind,
        messageId: message.id,
        recipient,
        detail: isSent ? '' : (message.errorCode ?? ''),
        sms: {
          masked: message.masked,
          fields: {
            projectId: encodeId('prj', message.projectId),
            mode: message.mode,
            direction: 'outbound',
            status: isSent ? 'sent' : message.status,
            category: message.category,
            programId: message.programId && encodeId('smspg', message.programId),
            senderId: encodeId('smssn', message.senderId),
            segments: message.segments,
            encoding: alphabetName(message.encoding),
            errorCode: isSent ? null : message.errorCode,
            providerErrorCode: isSent ? null : message.providerErrorCode,
            sequence: message.sequence + i + 1,
          },
        },
      }
    })
  }
}

const pending: ReadonlySet<string> = new Set(['held', 'waiting', 'ready', 'claimed', 'in_flight'])
const lost: ReadonlySet<string> = new Set(['undelivered', 'refused', 'stopped'])
const finals: ReadonlySet<string> = new Set(['delivered', 'undelivered', 'failed', 'expired'])

type SmsEventKind = Extract<EventKind, `sms.${string}`>

const kindOf: Readonly<Partial<Record<LockedMessage['status'], readonly SmsEventKind[]>>> = {
  delivered: ['sms.delivered'],
  undelivered: ['sms.undelivered'],
  failed: ['sms.failed'],
  expired: ['sms.failed'],
  unconfirmed: ['sms.unconfirmed'],
}

/** The part behind one that has left is next; behind one that is lost nothing follows. */
function withFollowers(parts: readonly PartOfMessage[], changes: readonly PartChange[]): PartChange[] {
  const after = parts.map((part) => changedPart(part, changes))
  const held = after.filter(({ state }) => state === 'held')
  if (held.length === 0) return [...changes]
  const before = after.filter(({ state }) => state !== 'held')
  const failed = before.find(({ state }) => lost.has(state))
  if (failed !== undefined) {
    const errorCode = (failed.errorCode ?? 'internal') as SmsErrorCode
    return [...changes, ...held.map(({ id }) => ({ id, state: 'stopped' as const, errorCode }))]
  }
  const [next] = held
  if (next === undefined || before.some(({ state }) => pending.has(state))) return [...changes]
  return [...changes, { id: next.id, state: 'ready' }]
}

function changedPart(part: PartOfMessage, changes: readonly PartChange[]): PartOfMessage {
  const change = changes.find(({ id }) => id === part.id)
  if (change === undefined) return part
  return {
    ...part,
    state: change.state,
    accepted: part.accepted || change.accepted === true,
    errorCode: change.errorCode ?? part.errorCode,
    providerErrorCode: change.providerCode ?? part.providerErrorCode,
  }
}

const updateOf = (change: PartChange): store.PartUpdate => ({
  id: change.id,
  state: change.state === 'waiting' && change.afterMs === 0 ? 'ready' : change.state,
  afterMs: change.afterMs ?? 0,
  accepted: change.accepted ?? false,
  isAttempt: change.isAttempt ?? false,
  isSubmission: change.state === 'sent' || change.state === 'unknown',
  isFinal: lost.has(change.state) || change.state === 'delivered',
  errorCode: change.errorCode ?? null,
  providerErrorCode: change.providerCode ?? null,
  providerMessageId: change.providerId ?? null,
})

export const standingOf = ({ seq, state, errorCode, providerErrorCode }: PartOfMessage) => ({
  seq,
  state: partStateOf(state),
  errorCode: (errorCode ?? undefined) as SmsErrorCode | undefined,
  providerCode: providerErrorCode ?? undefined,
})

function partStateOf(state: string): PartState {
  if (state === 'in_flight') return 'submitting'
  // The states of the queue are ours; all others have the words that the rules of receipts use.
  return pending.has(state) ? 'queued' : (state as PartState)
}

function statusAfter(
  { status }: LockedMessage,
  { state, errorCode }: MessageStatus,
  isDeferred: boolean,
): LockedMessage['status'] {
  if (finals.has(status)) return status
  switch (state) {
    case 'queued':
      return isDeferred ? 'deferred' : status
    case 'submitting':
      return status
    case 'failed':
      return errorCode === 'expired' ? 'expired' : 'failed'
    case 'sent':
      return status === 'unconfirmed' ? status : 'sent'
    default:
      return state
  }
}

const happening = (
  { id, projectId }: LockedMessage,
  {
    type,
    status = null,
    errorCode = null,
    detail = '',
  }: Pick<NewHappening, 'type' | 'status' | 'errorCode' | 'detail'>,
): NewHappening => ({ id: newId<'evt'>(), projectId, messageId: id, type, status, errorCode, detail })
