import type { Database } from '../../storage/postgres.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { placeOfSecret, signingSecret, type SigningSecret } from './secrets.ts'
import * as store from './store/deliveries.ts'

const MAX_REMEMBERED = 10_000

/** The rows of secrets never change, so one that was read and opened stays good. */
export class OpenedSecrets {
  readonly #db: Database
  readonly #secrets: () => Secrets
  readonly #opened = new Map<string, SigningSecret>()

  constructor(db: Database, secrets: () => Secrets) {
    this.#db = db
    this.#secrets = secrets
  }

  /** In the order of the ids. One that was deleted a moment ago is left out. */
  async all(ids: readonly string[]): Promise<SigningSecret[]> {
    const missing = ids.filter((id) => !this.#opened.has(id))
    if (missing.length > 0) await this.#open(missing)
    return ids.flatMap((id) => this.#opened.get(id) ?? [])
  }

  async #open(ids: readonly string[]): Promise<void> {
    if (this.#opened.size >= MAX_REMEMBERED) this.#opened.clear()
    for (const { id, secret } of await store.secrets(this.#db, ids)) {
      const text = this.#secrets().open(placeOfSecret(id), secret).toString('utf8')
      this.#opened.set(id, signingSecret(text))
    }
  }
}
