import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/postgres.ts'
import * as store from './store/retention.ts'

const AT_ONCE = 500

/** Forgets what mails said when it has been kept for long enough. */
export class Retention {
  readonly #db: Database
  readonly #blobs: Blobs
  readonly #days: number

  constructor(db: Database, blobs: Blobs, days: number) {
    this.#db = db
    this.#blobs = blobs
    this.#days = days
  }

  async purgeContents(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const purged = await this.#db.transaction((tx) => store.purge(tx, this.#days, AT_ONCE))
      if (purged < AT_ONCE) return
    }
  }

  /** Bytes that no content refers to. A blob that is being put in this moment is too young to be deleted. */
  async sweepBlobs(signal: AbortSignal): Promise<void> {
    let some: string[] = []
    for await (const address of this.#blobs.list()) {
      if (some.push(address) < AT_ONCE) continue
      await this.#sweep(some)
      some = []
      if (signal.aborted) return
    }
    await this.#sweep(some)
  }

  async #sweep(addresses: readonly string[]): Promise<void> {
    const used = new Set((await store.usedBlobs(this.#db, addresses)).map(({ blob }) => blob))
    await this.#blobs.delete(addresses.filter((address) => !used.has(address)))
  }
}
