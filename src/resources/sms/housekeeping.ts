/** What has to be done about SMS now and then, whoever sends. */
import type { Log } from '../../core/log.ts'
import type { Database } from '../../storage/postgres.ts'

import type { SmsOperator } from './operator.ts'
import { type SmsInbox, type SmsReports, purgeBodies } from './messages/index.ts'

export interface HousekeepingOptions {
  db: Database
  reports: SmsReports
  inbox: SmsInbox
  operator: SmsOperator
  retainBodiesDays: number
  log: Log
}

const AT_ONCE = 1_000

export class SmsHousekeeping {
  readonly #options: HousekeepingOptions

  constructor(options: HousekeepingOptions) {
    this.#options = options
  }

  /** What nothing more is heard of. */
  async sweep(): Promise<void> {
    await this.#options.reports.sweep()
    await this.#options.inbox.sweep()
  }

  async purge(): Promise<void> {
    const { db, retainBodiesDays } = this.#options
    while ((await purgeBodies(db, retainBodiesDays, AT_ONCE)) === AT_ONCE);
  }

  /** Money that does not add up is a defect of ours that nobody must oversleep. */
  async checkLedger(): Promise<void> {
    const { violations } = await this.#options.operator.reconcile(undefined, false)
    for (const violation of violations) this.#options.log.error(violation, 'SMS wallet mismatch')
  }
}
