import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ImportId } from '../../core/ids.ts'
import type { Db } from '../../storage/postgres.ts'
import { readerFor, type ImportRow, type RowReader } from './import-rows.ts'
import type { Import } from './schema.ts'
import { pieceAt } from './store/imports.ts'

/** How much of a file is read before the event loop gets a turn. */
const TURN = { rows: 64, bytes: 32 * 1024 }

/** Some rows of a file, where the next one begins, and whether there is none. */
export interface Chunk {
  rows: ImportRow[]
  end: number
  isLast: boolean
}

/** A file that lies in pieces, read from any row on. What is held of it is a piece, and the row that reaches over. */
export class ImportFile {
  readonly #db: Db
  readonly #id: ImportId
  readonly #size: number
  readonly #rows: RowReader
  #buffer: Buffer
  /** The position in the file at which the buffer begins, and in the buffer at which the next row does. */
  #base: number
  #at: number

  private constructor(db: Db, one: Import, rows: RowReader, first: Buffer) {
    this.#db = db
    this.#id = one.id
    this.#size = one.bytes
    this.#rows = rows
    this.#buffer = first
    this.#base = 0
    this.#at = rows.start
  }

  static async open(db: Db, one: Import): Promise<ImportFile> {
    const first = await pieceAt(db, one.id, 0)
    if (first === undefined) throw new Error('the file of an import is not there')
    const reader = await readerFor(one, first.bytes, first.bytes.length === one.bytes)
    const file = new ImportFile(db, one, reader, first.bytes)
    if (one.processedBytes > 0) await file.#seek(one.processedBytes)
    return file
  }

  /** The next rows, until there are so many or they have so many bytes. Blank ones are work, too, and count. */
  async take(most: { rows: number; bytes: number }, now: number): Promise<Chunk> {
    const rows: ImportRow[] = []
    const start = this.#position
    let turn = { rows: 0, position: start }
    while (this.#position < this.#size && rows.length < most.rows && this.#position - start < most.bytes) {
      const row = this.#rows.read(this.#buffer, this.#at, this.#isWhole, now)
      if (row === undefined) {
        await this.#readOn()
        continue
      }
      this.#at = row.end
      rows.push(row)
      if (rows.length - turn.rows < TURN.rows && this.#position - turn.position < TURN.bytes) continue
      await nextTurn()
      turn = { rows: rows.length, position: this.#position }
    }
    return { rows, end: this.#position, isLast: this.#position >= this.#size }
  }

  get #position(): number {
    return this.#base + this.#at
  }

  get #isWhole(): boolean {
    return this.#base + this.#buffer.length === this.#size
  }

  async #seek(byte: number): Promise<void> {
    if (byte >= this.#size) {
      this.#buffer = Buffer.alloc(0)
      this.#base = this.#size
      this.#at = 0
      return
    }
    const piece = await pieceAt(this.#db, this.#id, byte)
    if (piece === undefined) throw new Error('a piece of an import is not there')
    this.#buffer = piece.bytes
    this.#base = piece.start
    this.#at = byte - piece.start
  }

  async #readOn(): Promise<void> {
    const end = this.#base + this.#buffer.length
    const piece = await pieceAt(this.#db, this.#id, end)
    if (piece?.start !== end) throw new Error('a piece of an import is not there')
    this.#buffer = Buffer.concat([this.#buffer.subarray(this.#at), piece.bytes])
    this.#base += this.#at
    this.#at = 0
  }
}
