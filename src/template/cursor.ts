import { isBlank } from './blank.ts'
import { Mistake } from './problems.ts'

/** Reads what stands between two delimiters, from left to right and without going back. */
export class Cursor {
  readonly source: string
  readonly #end: number
  #at: number

  constructor(source: string, from: number, to: number) {
    this.source = source
    this.#at = from
    this.#end = to
  }

  /** The offset of the next character that is not blank. */
  get offset(): number {
    while (this.#at < this.#end && isBlank(this.source.charCodeAt(this.#at))) this.#at++
    return this.#at
  }

  /** The next character that is not blank; '' at the end. */
  get next(): string {
    return this.offset < this.#end ? (this.source[this.#at] ?? '') : ''
  }

  /** The next character even if it is blank: `a .b` is not `a.b`. */
  get adjacent(): string {
    return this.#at < this.#end ? (this.source[this.#at] ?? '') : ''
  }

  get done(): boolean {
    return this.next === ''
  }

  fail(message: string, offset = this.offset): never {
    throw new Mistake(message, offset)
  }

  /** Nothing may be left. */
  finish(): void {
    if (!this.done) this.fail(`${this.#glimpse()} is not expected here`)
  }

  take(expected: string): boolean {
    const found = this.source.startsWith(expected, this.offset) && this.#at + expected.length <= this.#end
    if (found) this.#at += expected.length
    return found
  }

  /** Works like `take`, but the word must end there: `order` does not begin with `or`. */
  takeWord(expected: string): boolean {
    const end = this.offset + expected.length
    return !(end < this.#end && isWordCode(this.source.charCodeAt(end))) && this.take(expected)
  }

  /** Reads letters, digits, `_`, `-` and `?`; returns '' when there are none. */
  word(): string {
    const start = this.offset
    while (this.#at < this.#end && isWordCode(this.source.charCodeAt(this.#at))) this.#at++
    if (this.#at - start > MAX_WORD_LENGTH) this.fail(`a name has at most ${MAX_WORD_LENGTH} characters`, start)
    return this.source.slice(start, this.#at)
  }

  /** A name that can be assigned to and read again. */
  name(what: string): string {
    const start = this.offset
    const name = this.word()
    if (!/[^\d?-]/.test(name)) this.fail(`${what} is expected here`, start)
    return name
  }

  number(): number | undefined {
    const start = this.offset
    numeral.lastIndex = start
    const found = numeral.exec(this.source)?.[0]
    if (found === undefined || start + found.length > this.#end) return undefined
    if (isWordCode(this.source.charCodeAt(start + found.length)) && start + found.length < this.#end) return undefined
    this.#at += found.length
    return Number(found)
  }

  /** A string in single or double quotes. */
  string(): string | undefined {
    const quote = this.next
    if (quote !== '"' && quote !== "'") return undefined
    const start = this.#at++
    let text = ''
    let from = this.#at
    for (; this.adjacent !== quote; this.#at++) {
      if (this.adjacent === '') this.fail('this quote is never closed', start)
      if (this.adjacent !== '\\') continue
      text += this.source.slice(from, this.#at) + this.#escaped()
      from = this.#at + 1
    }
    return text + this.source.slice(from, this.#at++)
  }

  #escaped(): string {
    const char = this.source[++this.#at] ?? ''
    if (this.#at >= this.#end) return ''
    if (char !== 'u') return escapes[char] ?? char
    const digits = /^[\da-f]{0,4}/i.exec(this.source.slice(this.#at + 1, this.#at + 5))?.[0] ?? ''
    this.#at += digits.length
    return String.fromCharCode(Number.parseInt(digits, 16) || 0)
  }

  #glimpse(): string {
    const rest = this.source.slice(this.offset, this.#end).trimEnd()
    return JSON.stringify(rest.length > 24 ? `${rest.slice(0, 24)}…` : rest)
  }
}

/** Names are compared in every round of every loop: they must not be long. */
const MAX_WORD_LENGTH = 255

const numeral = /[+-]?\d+(?:\.\d+)?/y

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/** Anything beyond ASCII counts as a letter, except blanks and the curly quotes that word processors make. */
const isWordCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x39) ||
  code === 0x5f ||
  code === 0x2d ||
  code === 0x3f ||
  (code >= 0x80 && code !== 0x201c && code !== 0x201d && !isBlank(code))
