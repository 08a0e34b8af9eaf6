import { decodeBase64 } from '../base64.ts'
import { decodeQuotedPrintable } from '../quoted-printable.ts'
import { firstField, nextLine, readFields, type Field } from './fields.ts'
import { readParameters, type Parameterised } from './parameters.ts'

/** A Part is a part of a message, or the whole message. */
export interface Part {
  /** The type is in lower case, as in `text/plain`. */
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
  readonly disposition: Parameterised | undefined
  /** The content id has no angle brackets. */
  readonly contentId: string | undefined
  readonly encoding: string
  /** The body is still encoded; `contentOf` decodes it. */
  readonly body: Buffer
  readonly parts: readonly Part[]
}

export interface Limits {
  readonly parts: number
  readonly depth: number
  /** The limit holds for the fields of the message, and once more for those of all its parts together. */
  readonly headerBytes: number
}

export const defaultLimits: Limits = { parts: 1_000, depth: 50, headerBytes: 256 * 1024 }

export interface Tree {
  readonly fields: readonly Field[]
  readonly root: Part
  /** A limit was reached: the parts beyond it are missing. */
  readonly isCut: boolean
}

/** Reads the tree of parts in one pass over any bytes. */
export const readTree = (message: Buffer, limits: Limits): Tree => new Reader(message, limits).read()

/** Removes the transfer encoding (RFC 2045 §6). An unknown encoding counts as none. */
export function contentOf({ encoding, body }: Part): Buffer {
  if (encoding === 'base64') return decodeBase64(body)
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body
}

type Draft = { -readonly [Key in keyof Part]: Part[Key] } & { parts: Draft[] }

/** A line `--boundary` or `--boundary--` of one of the multiparts that are open. */
interface Delimiter {
  depth: number
  isLast: boolean
  start: number
  end: number
}

/**
 * One pass, and one look at each line: all boundaries that are open are in a map, so that neither many of them nor
 * long ones cost more. A delimiter of an outer multipart ends all those inside it, whether they were closed or not.
 */
class Reader {
  readonly #message: Buffer
  readonly #limits: Limits
  readonly #open: { part: Draft; boundary: string }[] = []
  readonly #depths = new Map<string, number>()
  /** The sums of all lines that are delimiters now. Few lines have one of them, and only those are read as text. */
  readonly #sums = new Set<number>()
  #parts = 0
  #headerBytes: number
  #isCut = false

  constructor(message: Buffer, limits: Limits) {
    this.#message = message
    this.#limits = limits
    this.#headerBytes = limits.headerBytes
  }

  read(): Tree {
    const { fields, end, isCut } = readFields(this.#message, 0, this.#limits.headerBytes)
    this.#isCut = isCut
    const root = draftFrom(fields, 'text/plain')
    this.#readBody(root, end)
    return { fields, root, isCut: this.#isCut }
  }

  #readBody(root: Draft, from: number): void {
    this.#enter(root)
    let [part, start]: [Draft | undefined, number] = [root, from]
    for (;;) {
      const delimiter = this.#nextDelimiter(start)
      if (part !== undefined)
        part.body = this.#message.subarray(start, delimiter ? this.#before(delimiter, start) : undefined)
      if (delimiter === undefined) break
      this.#leaveInside(delimiter.depth)
      if (delimiter.isLast) {
        this.#leaveInside(delimiter.depth - 1)
        ;[part, start] = [undefined, delimiter.end]
        continue
      }
      const opened = this.#openPart(delimiter.end)
      if (opened === undefined) break
      ;[part, start] = opened
    }
    this.#leaveInside(-1)
  }

  /** The part that begins here and where its body does; undefined when there have been enough. */
  #openPart(from: number): [Draft | undefined, number] | undefined {
    const parent = this.#open.at(-1)?.part
    if (parent === undefined || this.#parts >= this.#limits.parts || this.#headerBytes <= 0) {
      this.#isCut = true
      return undefined
    }
    const block = readFields(this.#message, from, this.#headerBytes, (_, at, next) => this.#isDelimiter(at, next))
    this.#headerBytes -= block.end - from
    this.#isCut ||= block.isCut
    this.#parts++
    const part = draftFrom(block.fields, parent.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain')
    if (!this.#enter(part)) return [undefined, block.end]
    parent.parts.push(part)
    return [part, block.end]
  }

  /**
   * False for what is too deep. The text before the first delimiter becomes the body of a multipart: it is all there
   * is of one whose boundary never comes, and text to a mail program.
   */
  #enter(part: Draft): boolean {
    const boundary = part.parameters.get('boundary')?.trimEnd() ?? ''
    if (!part.type.startsWith('multipart/') || boundary === '') return true
    if (this.#open.length >= this.#limits.depth) {
      this.#isCut = true
      return false
    }
    const line = `--${Buffer.from(boundary).toString('latin1')}`
    // When two parts have the same boundary, it ends the outer one.
    if (!this.#depths.has(line)) this.#depths.set(line, this.#open.length)
    this.#open.push({ part, boundary: line })
    this.#expect(line)
    return true
  }

  #leaveInside(depth: number): void {
    while (this.#open.length > depth + 1) {
      const left = this.#open.pop()
      if (left !== undefined && this.#depths.get(left.boundary) === this.#open.length)
        this.#depths.delete(left.boundary)
    }
    this.#sums.clear()
    for (const { boundary } of this.#open) this.#expect(boundary)
  }

  #expect(line: string): void {
    for (const delimiter of [line, `${line}--`]) {
      const bytes = Buffer.from(delimiter, 'latin1')
      this.#sums.add(sumOf(bytes, 0, bytes.length))
    }
  }

  #nextDelimiter(from: number): Delimiter | undefined {
    if (this.#depths.size === 0) return undefined
    let at = from
    while (at < this.#message.length) {
      const next = nextLine(this.#message, at)
      const found = this.#delimiterAt(at, next)
      if (found !== undefined) return { ...found, start: at, end: next }
      at = next
    }
    return undefined
  }

  #isDelimiter(at: number, next: number): boolean {
    return this.#delimiterAt(at, next) !== undefined
  }

  /** RFC 2046 §5.1.1: a delimiter is a whole line, behind which only white space may stand. */
  #delimiterAt(at: number, next: number): Pick<Delimiter, 'depth' | 'isLast'> | undefined {
    if (this.#message[at] !== HYPHEN || this.#message[at + 1] !== HYPHEN) return undefined
    let end = next
    while (end > at && isWhite(this.#message[end - 1])) end--
    if (!this.#sums.has(sumOf(this.#message, at, end))) return undefined
    const line = this.#message.toString('latin1', at, end)
    const depth = this.#depths.get(line)
    if (depth !== undefined) return { depth, isLast: false }
    const closed = line.endsWith('--') ? this.#depths.get(line.slice(0, -2)) : undefined
    return closed === undefined ? undefined : { depth: closed, isLast: true }
  }

  /** The line break before a delimiter belongs to the delimiter. */
  #before({ start }: Delimiter, from: number): number {
    let end = start
    if (end > from && this.#message[end - 1] === LF) end--
    if (end > from && this.#message[end - 1] === CR) end--
    return end
  }
}

/** Any will do that is cheap and differs for most lines. */
function sumOf(bytes: Buffer, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum = (sum * 31 + (bytes[at] ?? 0)) | 0
  return sum
}

const [LF, CR, HYPHEN] = [0x0a, 0x0d, 0x2d]

const isWhite = (byte = 0): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

function draftFrom(fields: readonly Field[], defaultType: string): Draft {
  const written = readParameters(firstField(fields, 'content-type')?.raw ?? '')
  const type = written.value.replace(/\s.*$/s, '').toLowerCase()
  const disposition = firstField(fields, 'content-disposition')
  const contentId = firstField(fields, 'content-id')?.raw.replaceAll(/^<|>$/g, '')
  return {
    type: typeFrom(type, defaultType),
    parameters: written.parameters,
    disposition: disposition && readParameters(disposition.raw),
    contentId: contentId === '' ? undefined : contentId,
    encoding:
      firstField(fields, 'content-transfer-encoding')
        ?.raw.replace(/[\s;].*$/s, '')
        .toLowerCase() ?? '7bit',
    body: Buffer.alloc(0),
    parts: [],
  }
}

/** RFC 2045 §5.2: an invalid type means plain text. `application-x-gzip` is invalid too, but is clearly no text. */
function typeFrom(written: string, defaultType: string): string {
  if (/^[\w.+-]+\/[\w.+-]+$/.test(written)) return written
  return /^(?:application|image|audio|video)\b/.test(written) ? 'application/octet-stream' : defaultType
}
