/**
 * Raw mail and attachments, by the SHA-256 of their bytes. The same bytes are stored once, however often they are put.
 *
 * Storing takes two steps, because a transaction must never wait for a foreign server: `stage` before it opens, `put`
 * inside it. In PostgreSQL the bytes are written by `put` and commit together with the row that refers to them. In S3
 * they are written by `stage`: when the transaction then fails, an object is left that nothing refers to, but a
 * committed row never refers to an object that is not there. Only `put` gives out the address, so a row cannot refer
 * to bytes that were merely staged.
 *
 * Sharing makes deleting delicate: while a sweep decides that nothing refers to a blob, somebody may be putting the
 * same bytes again. Every put therefore renews the blob's age, and what is younger than the grace is never deleted.
 */
import { createHash } from 'node:crypto'
import type { Db, Tx } from './postgres.ts'
import type { S3Bucket } from './s3.ts'
import { sql } from './sql.ts'

export interface Blobs {
  stage(bytes: Buffer): Promise<StagedBlob>
  /** Works like `put` for each blob, in order, but with one query for all: it is for blobs that are mostly new. */
  putAll(tx: Tx, staged: readonly StagedBlob[]): Promise<string[]>
  /** Undefined when there is no such blob. Throws rather than hand out bytes that are not those that were put. */
  get(address: string): Promise<Buffer | undefined>
  has(address: string): Promise<boolean>
  /** Deletes blobs that nothing refers to. Those put within the last hour stay. Returns how many were deleted. */
  delete(addresses: readonly string[]): Promise<number>
  /** Every address in ascending order, for a sweep to compare with what is referred to. */
  list(): AsyncIterable<string>
}

export interface StagedBlob {
  /**
   * The address of the blob is valid once the transaction has committed. Like any rows, two new blobs that two
   * transactions put in opposite order can deadlock; PostgreSQL then ends one of them, and its caller has to try again.
   */
  put(tx: Tx): Promise<string>
}

/** Longer than any transaction lives (see the time-outs in `postgres.ts`), so no uncommitted put is overlooked. */
const GRACE_MS = 60 * 60_000

export class PostgresBlobs implements Blobs {
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  async stage(bytes: Buffer): Promise<StagedBlob> {
    return new Staged(bytes)
  }

  async putAll(tx: Tx, staged: readonly StagedBlob[]): Promise<string[]> {
    const all = staged.filter((one) => one instanceof Staged)
    if (all.length < staged.length) throw new Error('a blob was staged elsewhere')
    const different = new Map(all.map((one) => [one.address, one.bytes]))
    if (different.size > 0) await insertOrRenew(tx, different)
    return all.map(({ address }) => address)
  }

  /**
   * Reads in pieces: bytes travel as text of twice their length, and a large file would need several copies at once.
   */
  async get(address: string): Promise<Buffer | undefined> {
    const first = await this.#piece(address, 0)
    if (first === undefined || first.bytes.length === first.size) return first && intact(address, first.bytes)
    const whole = Buffer.allocUnsafe(first.size)
    for (let end = first.bytes.copy(whole); end < whole.length;) {
      const next = await this.#piece(address, end)
      if (next?.size !== whole.length) return undefined
      end += next.bytes.copy(whole, end)
    }
    return intact(address, whole)
  }

  async has(address: string): Promise<boolean> {
    const row = await this.#db.maybeOne(sql`select from blobs where address = ${toBytes(address)}`)
    return row !== undefined
  }

  async delete(addresses: readonly string[]): Promise<number> {
    return this.#db.run(sql`
      delete from blobs
       where address = any(${addresses.map(toBytes)}::bytea[])
         and put_at <= clock_now() - ${GRACE_MS} * interval '1 millisecond'`)
  }

  #piece(address: string, from: number): Promise<{ size: number; bytes: Buffer } | undefined> {
    return this.#db.maybeOne(sql<{ size: number; bytes: Buffer }>`
      select octet_length(bytes) as size, substring(bytes from ${from + 1}::int for ${PIECE_BYTES}::int) as bytes
        from blobs
       where address = ${toBytes(address)}`)
  }

  async *list(): AsyncIterable<string> {
    for (let last: Buffer | undefined = Buffer.alloc(0); last;) {
      const page: { address: Buffer }[] = await this.#db.all(sql<{ address: Buffer }>`
        select address from blobs where address > ${last} order by address limit 1000`)
      for (const { address } of page) yield address.toString('hex')
      last = page.at(-1)?.address
    }
  }
}

/** A piece takes twice as many bytes on its way. */
const PIECE_BYTES = 512 * 1024

class Staged implements StagedBlob {
  readonly address: string
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.address = addressOf(bytes)
    this.bytes = bytes
  }

  async put(tx: Tx): Promise<string> {
    if (!(await isFresh(tx, this.address))) await insertOrRenew(tx, new Map([[this.address, this.bytes]]))
    return this.address
  }
}

/**
 * Most puts of a shared attachment end here: no bytes travel, no row is written, and no lock is held until commit, for
 * which other senders of the same attachment would have to wait. Half the grace is left for the transaction to end.
 */
async function isFresh(tx: Tx, address: string): Promise<boolean> {
  const row = await tx.maybeOne(sql`
    select from blobs
     where address = ${toBytes(address)}
       and put_at > clock_now() - ${GRACE_MS / 2} * interval '1 millisecond'`)
  return row !== undefined
}

/** Renewing locks the row: a deletion at the same moment waits for our commit, then finds the blob too young. */
const insertOrRenew = (tx: Tx, blobs: ReadonlyMap<string, Buffer>): Promise<number> =>
  tx.run(sql`
    insert into blobs (address, bytes)
    select * from unnest(${[...blobs.keys()].map(toBytes)}::bytea[], ${[...blobs.values()]}::bytea[])
     order by 1
    on conflict (address) do update set put_at = excluded.put_at`)

export class S3Blobs implements Blobs {
  readonly #bucket: S3Bucket

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket
  }

  /** Uploads even what is there already: that is what renews an object's age. */
  async stage(bytes: Buffer): Promise<StagedBlob> {
    const address = addressOf(bytes)
    await this.#bucket.put(address, bytes, address)
    return { put: async () => address }
  }

  putAll(tx: Tx, staged: readonly StagedBlob[]): Promise<string[]> {
    return Promise.all(staged.map((one) => one.put(tx)))
  }

  async get(address: string): Promise<Buffer | undefined> {
    const bytes = await this.#bucket.get(checked(address))
    return bytes && intact(address, bytes)
  }

  async has(address: string): Promise<boolean> {
    return (await this.#bucket.head(checked(address))) !== undefined
  }

  /**
   * S3 has no deletion on condition of age, so it is asked for before. Bytes staged between the question and the
   * deletion would be lost; nothing but the same bytes put again, after an hour without, in those milliseconds, does it.
   */
  async delete(addresses: readonly string[]): Promise<number> {
    let gone = 0
    for (const address of addresses) {
      const headers = await this.#bucket.head(checked(address))
      if (!headers || !(ageMs(headers) >= GRACE_MS)) continue
      await this.#bucket.delete(address)
      gone++
    }
    return gone
  }

  async *list(): AsyncIterable<string> {
    for await (const key of this.#bucket.keys()) if (ADDRESS.test(key)) yield key
  }
}

/** The age comes from the store's own clock. It is NaN, and thus never old enough, when the store does not tell. */
const ageMs = (headers: Headers): number =>
  Date.parse(headers.get('date') ?? '') - Date.parse(headers.get('last-modified') ?? '')

const ADDRESS = /^[0-9a-f]{64}$/

const addressOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** An address becomes part of a path in S3; anything else that is handed in here is a defect of the caller. */
function checked(address: string): string {
  if (!ADDRESS.test(address)) throw new Error(`not the address of a blob: ${JSON.stringify(address)}`)
  return address
}

const toBytes = (address: string): Buffer => Buffer.from(checked(address), 'hex')

/** Bytes that were damaged or changed in the store must not be sent as a customer's mail. */
function intact(address: string, bytes: Buffer): Buffer {
  if (addressOf(bytes) !== address) throw new Error(`blob ${address} is damaged: its bytes have another checksum`)
  return bytes
}
