/**
 * Reads the content between 354 and the end of data, which is CRLF.CRLF and nothing else. It refuses every other line
 * end that a more tolerant server accepts: a sender may have been made to pass it on as content, and it would be a
 * second message here (SMTP smuggling, CVE-2023-51764). A message with a problem is read to its end: it gets one
 * answer, and the next line is a command again.
 */
import * as answers from './answers.ts'
import type { Answer } from './answers.ts'
import type { Limits } from './limits.ts'
import type { Memory, Share } from './memory.ts'

const CR = 13
const LF = 10
const DOT = 46
const EMPTY: Buffer = Buffer.alloc(0)
const lineWithDot = Buffer.from('\r\n.')

/** No real header is longer; a mail loop shows within this length. */
const SEARCHED_HEADER = 262_144

export class ContentReader {
  readonly #limits: Limits
  readonly #share: Share
  #problem: Answer | undefined
  /** These blocks are full and in order; `#block` is being filled. */
  readonly #full: Buffer[] = []
  #block = EMPTY
  #filled = 0
  /** The size counts all octets that were kept. */
  #size = 0
  #received = 0
  /** The end of the last chunk, four octets at most, is held when only the next chunk shows what it means. */
  #held = EMPTY
  #isLineStart = true

  constructor(limits: Limits, memory: Memory) {
    this.#limits = limits
    this.#share = memory.share()
  }

  /** Octets, as they came over the wire. */
  get received(): number {
    return this.#received
  }

  get problem(): Answer | undefined {
    return this.#problem
  }

  /** The client has sent more than we read for the sake of giving it an answer. */
  get exceedsDrain(): boolean {
    return this.#received > 2 * this.#limits.messageBytes
  }

  /** Returns what came behind the end of data; undefined until that is reached. */
  take(chunk: Buffer): Buffer | undefined {
    this.#received += chunk.length
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    let from = 0
    let dot = this.#isLineStart && bytes[0] === DOT ? 0 : nextDot(bytes, 0)
    for (; dot !== -1; dot = nextDot(bytes, from)) {
      this.#keep(bytes.subarray(from, dot))
      const [, second, third] = bytes.subarray(dot, dot + 3)
      if (second === CR && third === LF) return bytes.subarray(dot + 3)
      if (second === undefined || (second === CR && third === undefined)) return this.#hold(bytes, dot, true)
      // RFC 5321 §4.5.2: the client added this dot.
      from = dot + 1
    }
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length
    this.#keep(bytes.subarray(from, end))
    return this.#hold(bytes, end, bytes[end - 1] === LF && bytes[end - 2] === CR)
  }

  /** The message as it came, or why we do not want it. */
  finish(): Buffer | Answer {
    if (this.#problem) return this.#problem
    const last = this.#block.subarray(0, this.#filled)
    const content = this.#full.length === 0 ? last : Buffer.concat([...this.#full, last])
    return passedServers(content) > this.#limits.receivedHeaders ? answers.mailLoop : content
  }

  /** Gives back the memory. To be called once the content is of no more use, and in any case. */
  release(): void {
    this.#share.release()
    this.#full.length = 0
    this.#block = EMPTY
  }

  #hold(bytes: Buffer, from: number, isLineStart: boolean): undefined {
    this.#held = bytes.subarray(from)
    this.#isLineStart = isLineStart
  }

  #keep(piece: Buffer): void {
    if (this.#problem || piece.length === 0) return
    this.#problem = this.#problemWith(piece)
    if (this.#problem) return this.release()
    // Most messages come in one piece, which then is the message.
    if (this.#size === 0) [this.#block, this.#filled] = [piece, piece.length]
    else this.#append(piece)
    this.#size += piece.length
  }

  #problemWith(piece: Buffer): Answer | undefined {
    // One search by an expression takes a third of the time of a search for each line end, a fifth of a loop's.
    const fault = /\r(?!\n)|(?<!\r)\n|\0/.exec(piece.toString('latin1'))
    if (fault) return fault[0] === '\0' ? answers.nulByte : answers.bareLineEnd
    const size = this.#size + piece.length
    if (size > this.#limits.messageBytes) return answers.tooLarge
    return this.#share.grow(size) ? undefined : answers.outOfMemory
  }

  /**
   * Pieces are copied together, so that a message that arrives octet by octet does not become a million buffers. Full
   * blocks are never copied again: a growing buffer would leave garbage as large as the message.
   */
  #append(piece: Buffer): void {
    for (let rest = piece; rest.length > 0;) {
      if (this.#filled === this.#block.length) {
        this.#full.push(this.#block)
        this.#block = Buffer.allocUnsafeSlow(Math.min(Math.max(this.#size, MIN_BLOCK_SIZE), MAX_BLOCK_SIZE))
        this.#filled = 0
      }
      const copied = rest.copy(this.#block, this.#filled)
      this.#filled += copied
      rest = rest.subarray(copied)
    }
  }
}

const MIN_BLOCK_SIZE = 4_096
const MAX_BLOCK_SIZE = 1_048_576

/** Returns where the next line with a dot in front begins, or -1. */
function nextDot(bytes: Buffer, from: number): number {
  const at = bytes.indexOf(lineWithDot, from)
  return at === -1 ? -1 : at + 2
}

function passedServers(content: Buffer): number {
  const end = content.indexOf('\r\n\r\n')
  const header = content.toString('latin1', 0, Math.min(end === -1 ? content.length : end, SEARCHED_HEADER))
  return header.match(/^received[ \t]*:/gim)?.length ?? 0
}
