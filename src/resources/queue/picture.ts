import type { Database } from '../../storage/postgres.ts'
import * as store from './store/picture.ts'

/**
 * How much waits, counted for the whole installation at most every five seconds, and only when it is asked for. Whoever asks
 * while it is being counted waits for that.
 */
export class Picture {
  readonly #db: Database
  #taking: Promise<Date> | undefined

  constructor(db: Database) {
    this.#db = db
  }

  /** Makes sure that there is a recent one, and says of when it is. */
  async asOf(): Promise<Date> {
    const recent = await store.recentPicture(this.#db.reads)
    if (recent !== undefined) return recent.asOf
    this.#taking ??= this.#take().finally(() => (this.#taking = undefined))
    return this.#taking
  }

  #take(): Promise<Date> {
    return this.#db.transaction(async (tx) => {
      await store.lockPicture(tx)
      const recent = await store.recentPicture(tx)
      if (recent !== undefined) return recent.asOf
      await store.forgetPicture(tx)
      await store.takePicture(tx)
      return (await store.datePicture(tx)).asOf
    })
  }
}
