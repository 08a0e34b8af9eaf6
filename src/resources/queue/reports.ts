import type { Database } from '../../storage/postgres.ts'
import type { WorkerReport } from './schema.ts'
import * as store from './store/reports.ts'

/** By one statement. */
const MAX_ADDED = 2_000

/** What workers tell about their destinations, for those who look at the queue. */
export class QueueReports {
  readonly #db: Database

  constructor(db: Database) {
    this.#db = db
  }

  async write(report: WorkerReport): Promise<void> {
    await store.writeStates(this.#db, report)
    await store.writeFlows(this.#db, report)
    for (let at = 0; at < report.replies.length; at += MAX_ADDED) {
      await store.addReplies(this.#db, report.replies.slice(at, at + MAX_ADDED))
    }
  }

  /** The destinations that get less than usual at the moment. */
  pacing(): Promise<store.Pace[]> {
    return store.pacing(this.#db.reads)
  }

  async forgetOld(): Promise<void> {
    await store.forgetReplies(this.#db)
  }
}
