/**
 * Keeps large messages on their way out. A server that reads slowly, or not at all, may keep one for minutes, and
 * hundreds of servers may do so at the same time: kept in memory, 40 messages with a file of 10 MB each took 560 MB
 * more. So they wait on the disk, and a connection holds no more of its message than the piece that it is sending.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../core/log.ts'
import { Semaphore } from '../../core/semaphore.ts'

/** So many octets are composed at a time; a message that is larger than that is composed alone. */
const MAX_AT_ONCE = 16 * 1024 * 1024
const PIECE = 65_536

export class Spool {
  readonly #folder: string
  readonly #log: Log
  readonly #composing = new Semaphore(MAX_AT_ONCE)

  constructor(folder: string, log: Log) {
    this.#folder = folder
    this.#log = log
  }

  /** The pieces of what `compose` makes; it is called when the first piece is asked for. */
  async *pieces(size: number, compose: () => Promise<Buffer[]>): AsyncGenerator<Uint8Array> {
    const kept = await this.#composing.with(size, async () => this.#write(await compose()))
    if (Array.isArray(kept)) return yield* kept
    try {
      for (let at = 0; ;) {
        const { bytesRead, buffer } = await kept.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at)
        if (bytesRead === 0) return
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await kept.close()
    }
  }

  /** A message that cannot be written to the disk stays in memory. */
  async #write(parts: Buffer[]): Promise<FileHandle | Buffer[]> {
    let file: FileHandle | undefined
    try {
      file = await this.#create()
      for (const part of parts) await file.writeFile(part)
      return file
    } catch (error) {
      this.#log.warn({ err: error }, 'spool disabled, message kept in memory: DATA_DIR is not writable')
      await file?.close()
      return parts
    }
  }

  /** The file has no name any more when this returns: when this process dies, nothing of it is left behind. */
  async #create(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, randomUUID())
    const file = await open(path, 'wx+', 0o600)
    await unlink(path)
    return file
  }
}
