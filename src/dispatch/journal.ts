/**
 * Keeps on the local disk what a process knows about the rows in its hands and the database does not: which of them may
 * have left us, and what became of them. The successor of a process that was killed need not guess then: it records the
 * outcomes that it finds, gives back at once what had not left yet, and only what was between the two is unknown.
 *
 * Nothing is synced. A killed process leaves what it has written to the kernel; when the machine loses its power there
 * is no journal, and whatever was begun is unknown, as it would be without one.
 *
 *   {"worker": …}    the name under which rows are leased from here on
 *   {"passing": …}   written before a message may leave: which lease
 *   {"settled": …}   its outcome
 *
 * Every process writes files of its own, a new one every few megabytes; one whose rows are all settled is removed.
 */
import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { LeaseKey } from './leases.ts'
import type { Settled } from './queue.ts'

type Line =
  | { worker: string }
  | { passing: LeaseKey }
  /** Dates in an outcome have become text. */
  | { settled: { key: LeaseKey } & Settled<unknown> }

/** What the journal says about one row. */
export interface JournalEntry {
  /** Resolves when the kernel has the line that the row may leave. */
  readonly written: Promise<void>
  settled(entry: { key: LeaseKey } & Settled<unknown>): void
  /** The entry is not needed any more: the database knows all that there is to know. */
  forget(): void
}

/** What the journals of processes that are gone say. */
export interface Leftovers {
  workers: readonly string[]
  mayHaveLeft: readonly LeaseKey[]
  settled: readonly ({ key: LeaseKey } & Settled<unknown>)[]
  /** Removes those journals. */
  done(): void
}

interface File {
  path: string
  descriptor: number
  bytes: number
  /** How many rows in it are not forgotten. */
  open: number
  unwritten: string
  flushed: PromiseWithResolvers<void>
}

type Write = (descriptor: number, bytes: Buffer, from: number) => number

const MAX_FILE_SIZE = 4 * 1024 * 1024

export class Journal {
  readonly #folder: string
  readonly #prefix: string
  readonly #onFailure: (error: unknown) => void
  readonly #write: Write
  /** The files that are not removed. */
  readonly #files = new Set<File>()
  #worker: string | undefined
  #current: File | undefined

  /** `name` keeps the journals of several queues apart. */
  constructor(folder: string, name: string, onFailure: (error: unknown) => void, write: Write = writeSync) {
    this.#folder = folder
    this.#prefix = `${name}@${encodeURIComponent(hostname())}@`
    this.#onFailure = onFailure
    this.#write = write
    // Replies of other servers quote addresses: no other user of this machine may read them.
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  register(worker: string): void {
    this.#worker = worker
    if (this.#current) this.#add(this.#current, { worker })
    else this.#file()
  }

  enter(key: LeaseKey): JournalEntry {
    const file = this.#file()
    this.#add(file, { passing: key })
    file.open++
    return {
      written: file.flushed.promise,
      settled: (entry) => this.#add(file, { settled: entry }),
      forget: () => {
        file.open--
        if (file.open === 0 && file !== this.#current) this.#remove(file)
      },
    }
  }

  leftovers(): Leftovers {
    const paths = readdirSync(this.#folder)
      .filter(
        (name) =>
          name.startsWith(this.#prefix) && !isOtherProcess(Number(name.slice(this.#prefix.length).split('.')[0])),
      )
      .map((name) => join(this.#folder, name))
      .filter((path) => path !== this.#current?.path)
    const lines = paths.flatMap((path) => readFileSync(path, 'utf8').split('\n').flatMap(readLine))
    return {
      workers: lines.flatMap((line) => ('worker' in line ? [line.worker] : [])),
      mayHaveLeft: lines.flatMap((line) => ('passing' in line ? [line.passing] : [])),
      settled: lines.flatMap((line) => ('settled' in line ? [line.settled] : [])),
      done: () => paths.forEach((path) => unlinkSync(path)),
    }
  }

  close(): void {
    const last = this.#current
    this.#current = undefined
    if (last?.open === 0) this.#remove(last)
  }

  #file(): File {
    const before = this.#current
    if (before !== undefined && before.bytes < MAX_FILE_SIZE) return before
    const path = join(this.#folder, `${this.#prefix}${process.pid}.${randomUUID()}`)
    const descriptor = openSync(path, 'a', 0o600)
    const file = { path, descriptor, bytes: 0, open: 0, unwritten: '', flushed: Promise.withResolvers<void>() }
    this.#current = file
    this.#files.add(file)
    if (before?.open === 0) this.#remove(before)
    if (this.#worker !== undefined) this.#add(file, { worker: this.#worker })
    return file
  }

  #remove(file: File): void {
    this.#files.delete(file)
    remove(file)
  }

  /** Many rows come to this point in one turn of the event loop; a call to the kernel for each would cost a lot. */
  #add(file: File, line: Line): void {
    if (file.unwritten === '') setImmediate(() => this.#flush(file))
    file.unwritten += `${JSON.stringify(line)}\n`
  }

  #flush(file: File): void {
    const { unwritten, flushed } = file
    file.unwritten = ''
    file.flushed = Promise.withResolvers<void>()
    try {
      if (file.descriptor !== CLOSED) file.bytes += writeWhole(this.#write, file.descriptor, unwritten)
    } catch (error) {
      this.#giveUp(error)
    }
    flushed.resolve()
  }

  /**
   * A disk that is full must not stop the mail. But a journal with gaps would call unsent what has left us, so there is
   * none from here on, and after a crash everything that was in hand is of unknown outcome.
   */
  #giveUp(error: unknown): void {
    this.#onFailure(error)
    for (const file of this.#files) remove(file)
    this.#files.clear()
  }
}

const CLOSED = -1

function remove(file: File): void {
  if (file.descriptor === CLOSED) return
  closeSync(file.descriptor)
  file.descriptor = CLOSED
  unlinkSync(file.path)
}

/** On a disk that is almost full the kernel takes a part and says how much. */
function writeWhole(write: Write, descriptor: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length;) at += write(descriptor, bytes, at)
  return bytes.length
}

/** The last line may have been cut off by the kill. */
function readLine(text: string): Line[] {
  try {
    return [JSON.parse(text) as Line]
  } catch {
    return []
  }
}

/** In a container a successor often has the process id of its predecessor: our own id is no other process. */
function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
