/**
 * RSA keys that nobody has yet. Making one takes up to a second; whoever creates a domain takes one that a job made
 * before, in the transaction that creates it, and so a key that is not used after all stays here.
 */
import { newId, type DomainId } from '../../core/ids.ts'
import { jobKind } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { dkimRecord, exportKey, generateRsaKey } from '../../mail/compose/dkim-key.ts'
import type { Database, Tx } from '../../storage/postgres.ts'
import { SecretError, type Secrets } from '../../storage/secrets.ts'
import * as store from './store/domains.ts'

export const makeKeysAhead = jobKind('domains.make-keys-ahead')

/** Soon, unless there are as many as there should be. */
export const enqueueMakingKeys = (tx: Tx, afterMs = 0): Promise<void> =>
  enqueue(tx, makeKeysAhead, {}, { key: 'all', afterMs })

export interface SpareKeysOptions {
  db: Database
  secrets: () => Secrets
  /** How many there should be; none where it is 0. */
  count: number
}

export class SpareKeys {
  readonly #options: SpareKeysOptions

  constructor(options: SpareKeysOptions) {
    this.#options = options
  }

  /** One key at a time, so that other work in this process hardly notices. */
  async make(signal: AbortSignal): Promise<void> {
    const { db, secrets, count } = this.#options
    while (!signal.aborted && (await store.countSpareKeys(db)).count < count) {
      const key = await generateRsaKey()
      const id = newId<'dom'>()
      const privateKey = secrets().seal(placeOf(id), exportKey(key))
      await store.insertSpareKey(db, { id, record: dkimRecord(key), privateKey })
    }
  }

  /** Undefined when there is none. One that does not open any more, because of another master key, is thrown away. */
  async take(tx: Tx): Promise<{ record: string; privateKey: Buffer } | undefined> {
    if (this.#options.count === 0) return undefined
    const spare = await store.takeSpareKey(tx)
    await enqueueMakingKeys(tx)
    if (spare === undefined) return undefined
    try {
      return { record: spare.record, privateKey: this.#options.secrets().open(placeOf(spare.id), spare.privateKey) }
    } catch (error) {
      if (!(error instanceof SecretError)) throw error
      return undefined
    }
  }
}

const placeOf = (id: DomainId) => ({ purpose: 'spare-dkim-key', id })
