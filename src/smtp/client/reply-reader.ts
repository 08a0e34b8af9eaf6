/** A reply as it was received: its code, and the text behind the code on each line. */
export interface RawReply {
  kind: 'reply'
  code: number
  lines: readonly string[]
}

/** RFC 5321 §4.5.3.1.5 allows 512; some servers send more. */
const MAX_LINE_LENGTH = 8_192
const MAX_REPLY_LENGTH = 65_536
const MAX_LINES = 200
const LF = 10

/**
 * Splits the input into replies. After a reply without end or without sense it reads nothing more: `fault` says why. A
 * reply that is too long still counts, because its first line has the code; after the final dot that decides between
 * delivered and unknown.
 */
export class ReplyReader {
  #rest: Buffer = Buffer.alloc(0)
  #lines: string[] = []
  #size = 0
  #fault: string | undefined

  get fault(): string | undefined {
    return this.#fault
  }

  take(chunk: Buffer): RawReply[] {
    const replies: RawReply[] = []
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let from = 0
    for (let end = data.indexOf(LF); end !== -1 && this.#fault === undefined; end = data.indexOf(LF, from)) {
      this.#line(data.toString('utf8', from, end), replies)
      from = end + 1
    }
    this.#rest = data.subarray(from)
    if (this.#fault === undefined && this.#rest.length > MAX_LINE_LENGTH) {
      this.#line(this.#rest.toString('utf8', 0, MAX_LINE_LENGTH), replies)
    }
    return replies
  }

  #line(line: string, replies: RawReply[]): void {
    const [, code, mark] = /^([2-5]\d\d)([ -]|\r?$)/.exec(line) ?? []
    if (code === undefined) {
      this.#fault = 'what the server says is not SMTP'
      return
    }
    this.#size += line.length
    if (this.#lines.length < MAX_LINES) this.#lines.push(line.slice(4).trimEnd())
    const isTooLong = line.length > MAX_LINE_LENGTH - 1 || this.#size > MAX_REPLY_LENGTH
    if (isTooLong) this.#fault = 'the reply of the server has no end'
    if (mark === '-' && !isTooLong) return
    replies.push({ kind: 'reply', code: Number(code), lines: this.#lines })
    this.#lines = []
    this.#size = 0
  }
}
