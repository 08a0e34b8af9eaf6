import { statfs } from 'node:fs/promises'
import type { Log } from '../core/log.ts'

/**
 * The variable in which the supervisor tells its roles where the embedded database stores. It is empty for a database
 * on another machine, whose disk cannot be read from here; DATABASE_URL is set in both cases.
 */
export const WATCHED_DIRECTORY = 'POSTHOUSE_WATCHED_DIRECTORY'

const LOOK_EVERY_MS = 5_000

export interface DiskRoomOptions {
  /** Below this number of free bytes the receiving server puts mail off. */
  leastBytes: number
  freeBytes: () => Promise<number>
  log: Log
}

/** Knows whether the disk has room for more mail. It reads the free space every few seconds; callers get the last result. */
export class DiskRoom {
  readonly #options: DiskRoomOptions
  #isThere = true
  #looking: NodeJS.Timeout | undefined

  constructor(options: DiskRoomOptions) {
    this.#options = options
  }

  get isThere(): boolean {
    return this.#isThere
  }

  async start(): Promise<void> {
    await this.look()
    this.#looking = setInterval(() => void this.look(), LOOK_EVERY_MS).unref()
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  /** Where the free space cannot be read, mail is taken as if there were enough. */
  async look(): Promise<void> {
    const { leastBytes, freeBytes, log } = this.#options
    const free = await freeBytes().catch(() => Infinity)
    const isThere = free >= leastBytes
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    if (isThere) log.info({ free }, 'receiving resumed')
    else log.error({ free, leastBytes }, 'disk nearly full, receiving deferred')
  }
}

/** How large the disk is, and how much of it a process without root rights can use. */
export async function roomAt(path: string): Promise<{ freeBytes: number; totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(path)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** The free space that a process without root rights can use: `bavail`, not `bfree`. */
export const freeBytesAt = (path: string) => async (): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
