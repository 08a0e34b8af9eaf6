/**
 * Prepaid money, in a double-entry ledger that is only ever added to. Of a message:
 *
 *   reservation   accepted: from available to reserved
 *   charge        the carrier took it: what it took, from reserved to us
 *   release       the rest of the reservation, back to available
 *   refund        what was charged, back to available
 *
 * A reservation is resolved once, by a charge, a release or both. Only a reversed top-up takes `available` below zero;
 * nothing can be sent then.
 */
import { DomainError, notFound } from '../../../core/errors.ts'
import type { ProjectContext } from '../../../core/caller.ts'
import { parseOptionalTimestamp } from '../../../core/clock.ts'
import {
  decodeId,
  encodeId,
  newId,
  type ProjectId,
  type SmsEntryId,
  type SmsId,
  type SmsTopUpId,
} from '../../../core/ids.ts'
import { page, type Page, type PageRequest } from '../../../core/page.ts'
import type { Publish } from '../../../events/publish.ts'
import type { Database, Db, Tx } from '../../../storage/postgres.ts'
import type { EntryView, ListEntries, Mode, PeriodView, TopUpView, Wallet, WalletView } from './schema.ts'
import { entryView, periodView, topUpView, walletView } from './views.ts'
import * as store from './store.ts'

export class Wallets {
  readonly #db: Database
  readonly #publish: Publish

  constructor(db: Database, publish: Publish) {
    this.#db = db
    this.#publish = publish
  }

  async balance(project: ProjectContext, mode: Mode | undefined): Promise<WalletView> {
    return walletView(await this.#find(this.#db.reads, project.id, mode))
  }

  async ledger(project: ProjectContext, query: ListEntries, request: PageRequest): Promise<Page<EntryView>> {
    const wallet = await this.#find(this.#db.reads, project.id, query.mode)
    const filter = {
      type: query.type,
      messageId: idIn('sms', query.messageId, 'SMS message'),
      topUpId: idIn('smtu', query.topUpId, 'SMS top-up'),
      createdAfter: parseOptionalTimestamp(query.createdAfter, '/query/createdAfter'),
      createdBefore: parseOptionalTimestamp(query.createdBefore, '/query/createdBefore'),
    }
    await this.#mustExist(project.id, filter)
    const after = request.after === null ? null : numberIn(request.after)
    const rows = await store.entries(this.#db.reads, wallet, filter, { limit: request.limit, after })
    return numbered(rows, request, ({ seq }) => seq, entryView)
  }

  async entry(project: ProjectContext, id: SmsEntryId): Promise<EntryView> {
    const entry = await store.entry(this.#db.reads, project.id, id)
    if (entry === undefined) throw notFound('SMS ledger entry')
    return entryView(entry)
  }

  async periods(project: ProjectContext, mode: Mode | undefined, request: PageRequest): Promise<Page<PeriodView>> {
    const wallet = await this.#find(this.#db.reads, project.id, mode)
    const after = request.after === null ? Infinity : numberIn(request.after)
    const months = await store.periods(this.#db.reads, wallet, undefined)
    const numberOf = ({ month }: { month: string }): number => Number(month.replace('-', ''))
    const rest = months.filter((period) => numberOf(period) < after).slice(0, request.limit + 1)
    return numbered(rest, request, numberOf, periodView)
  }

  async period(project: ProjectContext, mode: Mode | undefined, month: string): Promise<PeriodView> {
    const wallet = await this.#find(this.#db.reads, project.id, mode)
    const [period] = await store.periods(this.#db.reads, wallet, month)
    if (period === undefined) throw notFound('SMS period')
    return periodView(period)
  }

  async topUps(project: ProjectContext, mode: Mode | undefined, request: PageRequest): Promise<Page<TopUpView>> {
    const wallet = await this.#find(this.#db.reads, project.id, mode)
    return page(await store.topUps(this.#db.reads, wallet, request), request, topUpView)
  }

  async topUp(project: ProjectContext, id: SmsTopUpId): Promise<TopUpView> {
    const topUp = await store.topUp(this.#db.reads, project.id, id)
    if (topUp === undefined) throw notFound('SMS top-up')
    return topUpView(topUp)
  }

  /** False, and nothing written, when the money is not there. The caller holds the wallet. */
  async reserve(tx: Tx, wallet: Wallet, messageId: SmsId, amount: bigint): Promise<boolean> {
    if (amount === 0n) return wallet.frozenAt === null
    return this.#move(tx, wallet, {
      type: 'reservation',
      debit: 'wallet:available',
      credit: 'wallet:reserved',
      amount,
      messageId,
      mustBeCovered: true,
    })
  }

  async charge(tx: Tx, wallet: WalletRef, messageId: SmsId, amount: bigint, segments: number): Promise<void> {
    if (amount === 0n) return
    const sides = { debit: 'wallet:reserved', credit: 'platform:revenue' } as const
    await this.#move(tx, wallet, { type: 'charge', ...sides, amount, messageId, segments })
  }

  async release(tx: Tx, wallet: WalletRef, messageId: SmsId, amount: bigint): Promise<void> {
    if (amount === 0n) return
    const sides = { debit: 'wallet:reserved', credit: 'wallet:available' } as const
    await this.#move(tx, wallet, { type: 'release', ...sides, amount, messageId })
  }

  async refund(tx: Tx, wallet: WalletRef, messageId: SmsId, amount: bigint): Promise<void> {
    if (amount === 0n) return
    const sides = { debit: 'platform:revenue', credit: 'wallet:available' } as const
    await this.#move(tx, wallet, { type: 'refund', ...sides, amount, messageId })
  }

  /** The same reference again is the same top-up; with another amount it is a mistake. */
  async credit(tx: Tx, wallet: Wallet, amount: bigint, reference: string, method: string): Promise<TopUpView> {
    const known = await store.topUpByReference(tx, wallet.id, reference)
    if (known === undefined) {
      const id = newId<'smtu'>()
      await store.insertTopUp(tx, wallet, id, { amount, method, reference })
      const sides = { debit: 'platform:cash', credit: 'wallet:available' } as const
      await this.#move(tx, wallet, { type: 'top_up', ...sides, amount, topUpId: id })
    } else if (BigInt(known.amount) !== amount) {
      throw new DomainError('already_exists', 'There is a top-up of another amount with this reference.')
    }
    const topUp = await store.topUpByReference(tx, wallet.id, reference)
    if (topUp === undefined) throw new Error('a top-up that was just written is gone')
    return topUpView(topUp)
  }

  /** The only way below zero: the money was never ours. */
  async reverse(tx: Tx, wallet: Wallet, reference: string): Promise<TopUpView> {
    const reversed = await store.reverseTopUp(tx, wallet.id, reference)
    if (reversed !== undefined) {
      await this.#move(tx, wallet, {
        type: 'top_up_reversal',
        debit: 'wallet:available',
        credit: 'platform:cash',
        amount: BigInt(reversed.amount),
        topUpId: reversed.id,
        reversesEntryId: reversed.entryId,
      })
    }
    const topUp = await store.topUpByReference(tx, wallet.id, reference)
    if (topUp === undefined) throw notFound('SMS top-up')
    return topUpView(topUp)
  }

  /** Either way; a reference that was used before changes nothing. Down only as far as there is something. */
  async adjust(tx: Tx, wallet: Wallet, amount: bigint, reference: string, reason: string): Promise<void> {
    if (amount === 0n || (await store.adjustment(tx, wallet.id, reference)) !== undefined) return
    const isUp = amount > 0n
    const done = await this.#move(tx, wallet, {
      type: 'adjustment',
      debit: isUp ? 'platform:adjustments' : 'wallet:available',
      credit: isUp ? 'wallet:available' : 'platform:adjustments',
      amount: isUp ? amount : -amount,
      reference,
      reason,
      mustBeCovered: !isUp,
    })
    if (!done) throw new DomainError('sms_insufficient_funds', 'There is less in the wallet, or it is frozen.')
  }

  async #move(tx: Tx, wallet: WalletRef, movement: Omit<store.Movement, 'id' | 'walletId'>): Promise<boolean> {
    const id = newId<'sml'>()
    const moved = await store.move(tx, { ...movement, id, walletId: wallet.id })
    if (moved?.fellLow) {
      await this.#publish(tx, [
        {
          projectId: wallet.projectId,
          workspaceId: wallet.workspaceId,
          kind: 'sms.walletlow',
          messageId: id,
          recipient: '',
          detail: `The ${wallet.mode} wallet is below its threshold.`,
          sms: { masked: '', fields: { projectId: encodeId('prj', wallet.projectId), mode: wallet.mode } },
        },
      ])
    }
    return moved !== undefined
  }

  async #find(db: Db, project: ProjectId, mode: Mode | undefined): Promise<Wallet> {
    const wallet = await store.find(db, project, mode)
    if (wallet === undefined) throw notFound('SMS wallet')
    return wallet
  }

  /** What is not the project's own is told like what never was. */
  async #mustExist(project: ProjectId, { messageId, topUpId }: Pick<store.EntryFilter, 'messageId' | 'topUpId'>) {
    if (topUpId !== undefined && (await store.topUp(this.#db.reads, project, topUpId)) === undefined) {
      throw notFound('SMS top-up')
    }
    if (messageId !== undefined && !(await store.isMessage(this.#db.reads, project, messageId))) {
      throw notFound('SMS message')
    }
  }
}

export type WalletRef = Pick<Wallet, 'id' | 'projectId' | 'workspaceId' | 'mode'>

function idIn<P extends 'sms' | 'smtu'>(prefix: P, text: string | undefined, thing: string) {
  if (text === undefined) return undefined
  const id = decodeId(prefix, text)
  if (id === undefined) throw notFound(thing)
  return id
}

/** Cursors are ids. Where rows are in the order of a number instead, it is written as one. */
/** A cursor of another list is greater than any of ours. */
const numberIn = (cursor: string): number =>
  Math.min(Number.MAX_SAFE_INTEGER, Number(`0x${cursor.replaceAll('-', '')}`))

const asId = (n: number): string =>
  n
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const numbered = <Row, View>(
  rows: readonly Row[],
  request: PageRequest,
  numberOf: (row: Row) => number,
  view: (row: Row) => View,
): Page<View> =>
  page(
    rows.map((row) => ({ id: asId(numberOf(row)), row })),
    request,
    ({ row }) => view(row),
  )
