import { write, writeSync } from 'node:fs'

/** Nobody reads faster than this, and no more than this is lost with a process that is killed. */
const FLUSH_MS = 100
/** A system call for each line was a tenth of what a request cost. */
const ENOUGH = 4_096
/** Whoever does not read for so long finds a gap: no log is worth the memory of a process that delivers mail. */
const MAX_WAITING = 1_048_576
/** How often a process that ends tries to hand its last lines to a reader that does not read. */
const LAST_TRIES = 20

/**
 * Lines for a file descriptor, a few kilobytes at a time. The thread pool writes them, so that nobody waits for a reader
 * who takes his time, and nothing wakes a process that has nothing to say. `docs/decisions/0011` says why pino's own
 * destination does not do.
 */
export class LogLines {
  readonly #fd: number
  #waiting = ''
  #timer: NodeJS.Timeout | undefined
  #isWriting = false
  /** What a busy reader is offered once more. */
  #refused: Buffer = Buffer.alloc(0)

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#waiting.length > MAX_WAITING) return
    this.#waiting += line
    if (this.#isWriting) return
    if (this.#waiting.length >= ENOUGH) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  /** What is left, when there is no later. */
  end(): void {
    let rest = Buffer.concat([this.#refused, Buffer.from(this.#waiting)])
    for (let tries = 0; rest.length > 0 && tries < LAST_TRIES; tries++) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        if (!isBusy(error)) return
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FLUSH_MS / LAST_TRIES)
      }
    }
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting === '') return
    const bytes = Buffer.from(this.#waiting)
    this.#waiting = ''
    this.#isWriting = true
    this.#send(bytes)
  }

  #send(bytes: Buffer): void {
    write(this.#fd, bytes, (error, written) => {
      const isRefused = error !== null && isBusy(error)
      this.#refused = isRefused ? bytes : Buffer.alloc(0)
      if (isRefused) setTimeout(() => this.#send(bytes), FLUSH_MS).unref()
      else if (!error && written < bytes.length) this.#send(bytes.subarray(written))
      else {
        // If nobody reads any more, or the disk is full, these are lost; the next ones may fare better.
        this.#isWriting = false
        this.#flush()
      }
    })
  }
}

/** The pipe is full, and whoever made it does not want anybody to wait for that. */
const isBusy = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EAGAIN'
