/**
 * Keeps what was said in a session or a transaction. Every mail makes one and nearly all of them are thrown away, so that
 * it only keeps references to commands and replies that exist anyway; they become text when somebody wants to keep them.
 * The content of a mail is never in it, only its size; of AUTH there is only the name.
 */
import { compact, type Dialogue, type SpokenLine } from '../../core/dialogue.ts'
import type { RawReply } from './reply-reader.ts'
import { struck } from './secret.ts'

type Entry =
  | { at: number; said: string }
  | { at: number; heard: RawReply }
  | { at: number; content: number }
  | SpokenLine

export class Transcript {
  readonly #now: () => number
  #entries: Entry[] = []
  #bytes = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** One command, or several that were one write. */
  said(commands: string, at = this.#now()): void {
    this.#entries.push({ at, said: commands })
  }

  heard(reply: RawReply): void {
    this.#entries.push({ at: this.#now(), heard: reply })
  }

  /** Counts content that went out; `isLast` says that this was all of it. */
  sent(bytes: number, isLast: boolean): void {
    this.#bytes += bytes
    if (isLast) this.#entries.push({ at: this.#now(), content: this.#bytes }, { at: this.#now(), said: '.' })
  }

  /**
   * Keeps no more than could be stored, and nothing by reference: the opening of a session lives as long as the session,
   * and a server may greet us with as much as it likes.
   */
  shrink(): void {
    this.#entries = bounded(this.lines().map(cut)).map((line) => ({ ...line, text: copyOf(line.text) }))
  }

  lines(): SpokenLine[] {
    return this.#entries.flatMap(linesOf)
  }
}

function linesOf(entry: Entry): SpokenLine[] {
  if ('text' in entry) return [entry]
  const { at } = entry
  if ('content' in entry) return [{ at, from: 'us', text: `(${entry.content} bytes of content)` }]
  if ('said' in entry) {
    return entry.said
      .trimEnd()
      .split('\r\n')
      .map((text) => ({ at, from: 'us', text: plain(text) }))
  }
  const { code, lines } = entry.heard
  const last = lines.length - 1
  return lines.map((text, i) => ({ at, from: 'them', text: plain(`${code}${i < last ? '-' : ' '}${text}`) }))
}

const MAX_LINES = 60
const MAX_LINE_LENGTH = 400
/** As it is stored: see `compact`. */
const MAX_BYTES = 4_096
/** The beginning has at most so much of it: the end says why. */
const MAX_HEAD_LINES = 20
const MAX_HEAD_BYTES = 1_200
/** For the brackets, and for the line that says how much is missing. */
const RESERVED = 120

/**
 * Joins transcripts to what is worth keeping; undefined when nothing was said. `strike` is a text that is left out wherever
 * it stands, because it is a secret.
 */
export function dialogueOf(transcripts: readonly Transcript[], strike?: string): Dialogue | undefined {
  const all = transcripts.flatMap((transcript) => transcript.lines())
  if (all.length === 0) return undefined
  const lines = all.map((line) => cut(strike ? { ...line, text: struck(line.text, strike) } : line))
  return { lines: bounded(lines), bytes: transcripts.reduce((sum, { bytes }) => sum + bytes, 0) }
}

function bounded(lines: readonly SpokenLine[]): SpokenLine[] {
  if (fitting(lines, MAX_LINES, MAX_BYTES - RESERVED) === lines.length) return [...lines]
  const head = lines.slice(0, fitting(lines, MAX_HEAD_LINES, MAX_HEAD_BYTES))
  const rest = lines.slice(head.length)
  const room = MAX_BYTES - RESERVED - sizeOf(head)
  const kept = fitting(rest.toReversed(), MAX_LINES - head.length - 1, room)
  const left = rest.length - kept
  const [first] = rest
  const gap = first && [{ ...first, text: `(${left} lines are left out)` }]
  return [...head, ...(gap ?? []), ...rest.slice(left)]
}

/** How many of the first lines fit. */
function fitting(lines: readonly SpokenLine[], most: number, bytes: number): number {
  let size = 0
  const tooMuch = lines.findIndex((line, i) => i >= most || (size += sizeOf([line])) > bytes)
  return tooMuch === -1 ? lines.length : tooMuch
}

const sizeOf = (lines: readonly SpokenLine[]): number =>
  lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(compact(line))) + 1, 0)

const cut = (line: SpokenLine): SpokenLine =>
  line.text.length <= MAX_LINE_LENGTH
    ? line
    : { ...line, text: `${line.text.slice(0, MAX_LINE_LENGTH).toWellFormed()}…` }

/** A part of a string keeps the whole alive. */
const copyOf = (text: string): string => Buffer.from(text, 'utf8').toString('utf8')

const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trimEnd()
