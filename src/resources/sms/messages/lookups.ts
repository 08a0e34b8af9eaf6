/** Asks carriers that can be asked about messages of which they have said nothing, or of which nobody knows anything. */
import type { Log } from '../../../core/log.ts'
import { Wakeup } from '../../../dispatch/wakeup.ts'
import type { CarrierAdapter } from '../../../sms/carrier.ts'
import type { Database } from '../../../storage/postgres.ts'
import { addressOf } from './connections.ts'
import type { SmsOutcomes } from './outcomes.ts'

import type { SmsReports } from './reports.ts'
import * as store from './store/lookups.ts'
import type { PhoneBook } from '../projects/index.ts'

export interface LookupsOptions {
  db: Database
  outcomes: SmsOutcomes
  reports: SmsReports
  phones: PhoneBook
  carriers: ReadonlyMap<string, CarrierAdapter>
  log: Log
}

const EVERY_MS = 60_000
/** In one go, one after the other: whoever asks too often is throttled, and has less left for messages. */
const AT_ONCE = 20
const patience: store.Patience = { sentMinutes: 15, unknownMinutes: 2, againMinutes: 60 }

export class SmsLookups {
  readonly #options: LookupsOptions
  /** Those that can be asked. */
  readonly #connections: readonly string[]
  readonly #wakeup = new Wakeup()
  #stopping = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: LookupsOptions) {
    this.#options = options
    this.#connections = [...options.carriers].filter(([, { lookup }]) => lookup !== undefined).map(([name]) => name)
  }

  start(): void {
    if (this.#connections.length > 0) this.#loop = this.#askUntilStopped()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    this.#wakeup.ring()
    await this.#loop
  }

  async runOnce(): Promise<void> {
    const { db } = this.#options
    for (const silent of await store.takeSilent(db, this.#connections, patience, AT_ONCE)) {
      if (this.#stopping) return
      await this.#ask(silent)
    }
  }

  async #ask(silent: store.Silent): Promise<void> {
    const { carriers, phones, outcomes, reports } = this.#options
    const { id, connection, messageId, isUnknown, providerId } = silent
    const receipt = await carriers.get(connection)?.lookup?.({
      providerId: providerId ?? undefined,
      to: phones.open('sms number', messageId, silent.phone),
      from: addressOf(silent.senderType, silent.ourAddress),
      after: silent.createdAt,
      text: silent.text === null ? undefined : phones.open('sms text', messageId, silent.text),
      known: new Set(silent.known),
    })
    if (receipt === undefined) return
    if (isUnknown) await outcomes.answeredLate(connection, id, { ok: true, providerIds: [receipt.providerId] })
    // That it is still on its way is no news.
    if (receipt.state === 'delivered' || receipt.state === 'undelivered') await reports.receipt(connection, receipt)
  }

  async #askUntilStopped(): Promise<void> {
    const { log } = this.#options
    while (!this.#stopping) {
      await this.#wakeup.wait(EVERY_MS)
      if (this.#stopping) return
      try {
        await this.runOnce()
      } catch (error) {
        // Only the kind of error: its words may quote a number.
        const kind = error instanceof Error ? error.name : typeof error
        log.warn({ kind }, 'carrier status lookup failed')
      }
    }
  }
}
