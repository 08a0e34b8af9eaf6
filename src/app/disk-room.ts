import { statfs } from 'node:fs/promises'
import type { Log } from '../core/log.ts'

const LOOK_EVERY_MS = 5_000

export interface DiskRoomOptions {
  /** With fewer free bytes there is no room. */
  leastBytes: number
  freeBytes: () => Promise<number>
  log: Log
}

/** Whether a disk has room for more mail: looked at every few seconds, and known to whoever asks in between. */
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

  /** A disk that cannot be asked about is not held against anybody. */
  async look(): Promise<void> {
    const { leastBytes, freeBytes, log } = this.#options
    const free = await freeBytes().catch(() => Infinity)
    const isThere = free >= leastBytes
    if (isThere === this.#isThere) return
    this.#isThere = isThere
    if (isThere) log.info({ free }, 'received mail is taken again')
    else log.error({ free, leastBytes }, 'the disk is nearly full: received mail is put off')
  }
}

/** For whoever may write without being root. */
export const freeBytesAt = (path: string) => async (): Promise<number> => {
  const { bavail, bsize } = await statfs(path)
  return bavail * bsize
}
