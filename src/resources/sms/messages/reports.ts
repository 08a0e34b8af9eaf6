/** What carriers say about parts that they have taken: in any order, more than once, and sometimes before we know them. */
import { newId, type SmsId } from '../../../core/ids.ts'
import type { Receipt } from '../../../sms/carrier.ts'
import { applyReceiptToParts, type PartStatus } from '../../../sms/receipts.ts'
import type { Database, Tx } from '../../../storage/postgres.ts'
import type { Connections } from './connections.ts'

import { standingOf, type Decide, type PartChange, type Settler } from './settle.ts'
import * as store from './store/parts.ts'
import type { PhoneBook } from '../projects/index.ts'
import { activeSender } from '../registration/index.ts'

export interface ReportsOptions {
  db: Database
  settler: Settler
  connections: Connections
  phones: PhoneBook
  timeScale: number
  /** Told when there may be something new to tell. */
  onTold: () => void
}

/** Reports come within three days or not at all. */
const SILENT_HOURS = 72
/** No submit waits longer for its answer. */
const ANSWERED_WITHIN_SECONDS = 120
const AT_ONCE = 200

export class SmsReports {
  readonly #options: ReportsOptions

  constructor(options: ReportsOptions) {
    this.#options = options
  }

  /** Returns when it is committed. */
  async receipt(connection: string, receipt: Receipt): Promise<void> {
    await this.#options.db.transaction(async (tx) => {
      await store.lockProviderIds(tx, connection, [receipt.providerId])
      if (await this.#apply(tx, connection, receipt)) return
      await this.#keep(tx, connection, receipt)
    })
    this.#options.onTold()
  }

  /** Those that came before the answer that they are about. The caller holds these ids. */
  async applyOrphans(tx: Tx, connection: string, providerIds: readonly string[]): Promise<void> {
    const orphans = await store.takeOrphans(tx, connection, providerIds)
    // Written by `receipt`; in the order in which they came.
    const inOrder = orphans.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ receipt }) => receipt as Receipt)
    for (const receipt of inOrder) await this.#apply(tx, connection, receipt)
  }

  /** Until the answer that it is about comes. Of the number only what it can be looked up by. */
  async #keep(tx: Tx, connection: string, { parties, ...receipt }: Receipt): Promise<void> {
    const { phones } = this.#options
    const sender = parties && (await activeSender(tx, connection, parties.ours))
    const phoneHmac = sender && (await phones.hmac(tx, sender.projectId, parties.handset))
    const { providerId } = receipt
    const projectId = sender?.projectId ?? null
    await store.addOrphan(tx, {
      id: newId<'evt'>(),
      connection,
      providerId,
      receipt,
      projectId,
      phoneHmac: phoneHmac ?? null,
    })
  }

  /**
   * A report whose answer must have been lost, with the process that waited for it: it is about the part to that number
   * of which nobody knows what became.
   */
  async #adoptOrphans(): Promise<void> {
    const { db, connections, onTold } = this.#options
    const orphans = await store.lateOrphans(db, ANSWERED_WITHIN_SECONDS, AT_ONCE)
    for (const orphan of orphans) {
      await db.transaction(async (tx) => {
        await store.lockProviderIds(tx, orphan.connection, [orphan.providerId])
        await store.adopt(tx, orphan, connections.traits(orphan.connection).splitsItself)
        // Written by `#keep`.
        await this.#apply(tx, orphan.connection, orphan.receipt as Receipt)
        await store.dropOrphan(tx, orphan.id)
      })
    }
    if (orphans.length > 0) onTold()
  }

  /** Gives up waiting. What the carrier took stays paid; what it may never have taken is not paid any more. */
  async sweep(): Promise<void> {
    const { db, settler, timeScale, onTold } = this.#options
    await this.#adoptOrphans()
    for (;;) {
      const found = await store.silent(db, SILENT_HOURS, timeScale, AT_ONCE)
      const ids = found.map(({ messageId }) => messageId)
      await db.transaction((tx) => settler.settle(tx, ids, giveUp))
      if (ids.length > 0) onTold()
      if (ids.length < AT_ONCE) return
    }
  }

  /** False when nobody knows the part. */
  async #apply(tx: Tx, connection: string, receipt: Receipt): Promise<boolean> {
    const { settler, connections } = this.#options
    const found = await store.byProviderId(tx, connection, receipt.providerId)
    if (found.length === 0) return false
    const messages = [...new Set(found.map(({ messageId }) => messageId))]
    const { receiptsFor } = connections.traits(connection)
    const places = new Map<SmsId, number[]>(
      messages.map((id) => [id, found.filter(({ messageId }) => messageId === id).map(({ seq }) => seq)]),
    )
    await settler.settle(tx, messages, afterReceipt(receipt, places, receiptsFor))
    return true
  }
}

const giveUp: Decide = (_message, parts) => ({
  changes: parts
    .filter(({ state }) => state === 'sent' || state === 'unknown')
    .map(({ id }) => ({ id, state: 'unconfirmed' })),
})

const afterReceipt =
  (receipt: Receipt, places: ReadonlyMap<SmsId, readonly number[]>, receiptsFor: 'part' | 'message'): Decide =>
  (message, parts) => {
    // A part that has not left is nobody's to report on, even where one report is about all of them.
    const before = parts
      .map((part) => ({ ...standingOf(part), id: part.id }))
      .filter(({ state }) => state !== 'queued' && state !== 'submitting')
    const seqs = places.get(message.id) ?? []
    const after = seqs.reduce((now, seq) => applyReceiptToParts(now, seq, receipt, receiptsFor), before)
    const changes = after.flatMap((part, i) => (part === before[i] ? [] : changeTo(part)))
    // Whatever it says, whoever looks at the message wants to know that it came; its own text stays with the carrier.
    const detail = changes.length > 0 ? `report: ${receipt.state}` : `report without effect: ${receipt.state}`
    return { changes, happenings: [{ type: 'receipt', errorCode: receipt.errorCode ?? null, detail }] }
  }

function changeTo(part: PartStatus & { id: string }): PartChange[] {
  const { id, state, errorCode, providerCode } = part
  if (state === 'queued' || state === 'submitting') return []
  return [{ id, state, accepted: true, errorCode, providerCode }]
}
