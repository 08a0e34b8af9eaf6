import type { Database } from '../../storage/postgres.ts'
import * as store from './store/retention.ts'

const AT_ONCE = 500

/** Deletes the contents of mails that have been kept for long enough. */
export class Retention {
  readonly #db: Database
  readonly #days: number

  constructor(db: Database, days: number) {
    this.#db = db
    this.#days = days
  }

  async purgeContents(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const purged = await this.#db.transaction((tx) => store.purge(tx, this.#days, AT_ONCE))
      if (purged < AT_ONCE) return
    }
  }

  /** Those of these blobs that are still an attachment. */
  async usedBlobs(addresses: readonly string[]): Promise<string[]> {
    return (await store.usedBlobs(this.#db, addresses)).map(({ blob }) => blob)
  }
}
