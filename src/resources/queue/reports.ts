import type { Database } from '../../storage/postgres.ts'
import type { WorkerReport } from './schema.ts'
import * as store from './store/reports.ts'

/** What workers tell about their destinations, for those who look at the queue. */
export class QueueReports {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async write(report: WorkerReport): Promise<void> {
    await store.writeStates(this.#db, report)
    await store.writeFlows(this.#db, report)
    if (report.replies.length > 0) await store.addReplies(this.#db, report.replies)
  }

  /** The destinations that get less than usual at the moment. */
  pacing(): Promise<store.Pace[]> {
    return store.pacing(this.#db.reads)
  }

  async forgetOld(): Promise<void> {
    await store.forgetReplies(this.#db)
  }
}
