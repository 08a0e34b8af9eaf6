import { notFound } from '../../core/errors.ts'
import { encodeId, type ReceivedId } from '../../core/ids.ts'
import { traceField } from '../../mail/parse/trace.ts'
import type { Blobs } from '../../storage/blobs.ts'
import type { Database } from '../../storage/postgres.ts'
import * as store from './store/mailbox.ts'

/** What came in for the operator: `postmaster@` and `abuse@`. */
export class OperatorMailbox {
  readonly #db: Database
  readonly #blobs: Blobs

  constructor(db: Database, blobs: Blobs) {
    this.#db = db
    this.#blobs = blobs
  }

  /** The newest first. */
  list(most: number): Promise<store.OperatorMail[]> {
    return store.list(this.#db, most)
  }

  /** As it came, behind our trace field. */
  async raw(id: ReceivedId): Promise<Buffer> {
    const found = await store.find(this.#db, id)
    const bytes = found && (await this.#blobs.get(found.blob))
    if (found === undefined || bytes === undefined) throw notFound('received email')
    return Buffer.concat([Buffer.from(traceField(found.session, encodeId('rcv', id), found.receivedAt)), bytes])
  }
}
