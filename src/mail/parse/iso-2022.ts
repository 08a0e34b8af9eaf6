/**
 * The charsets that switch between character sets by sequences inside of the text: ISO-2022-JP with its variants,
 * ISO-2022-KR, and HZ. The decoders of the Encoding Standard know the first of them only, and put a mark for an error
 * between two switches that follow each other, which is what joined encoded words consist of.
 */
import { TextDecoder } from 'node:util'

/** ISO-2022-JP and its variants, -KR, -CN, and the names that Windows gives them. */
export const isIso2022 = (label: string): boolean =>
  /^(?:(?:cs)?iso-?2022-?(?:jp(?:-?(?:[1-3]|2004|3-2004|ms|ext))?|kr|cn(?:-?ext)?)|cp5022[0-25])$/.test(label)

export const isHz = (label: string): boolean => label === 'hz' || label === 'hz-gb-2312'

/**
 * Tells whether bytes that end like this go on in the next ones: no switch back to ASCII came after the last one away
 * from it. Bytes without a switch end as they began.
 */
export function isUnfinished(label: string, bytes: Buffer, isBegun: boolean): boolean {
  if (isHz(label)) {
    const [away, back] = [bytes.lastIndexOf('~{'), bytes.lastIndexOf('~}')]
    return away === back ? isBegun : away > back
  }
  if (!isIso2022(label)) return false
  let isAway = isBegun
  for (let at = 0; at < bytes.length; at++) {
    const found = bytes[at] === ESC ? switchAt(bytes, at) : undefined
    // The Roman letters are as good as ASCII: one byte for each, so that none is torn.
    if (found && !found.isAnnounced) isAway = found.set !== undefined && found.set !== 'roman'
    else if (bytes[at] === SO || bytes[at] === SI) isAway = bytes[at] === SO
  }
  return isAway
}

interface CharacterSet {
  /** One character has this many bytes. */
  width: 1 | 2
  /** The code points by row and column, each from 0x21 on; by the byte where a character has one. */
  codes: Uint16Array
}

type Draw = (row: number, column: number) => number[]

/** Made when it is first needed: some milliseconds each. */
function lazily(label: string, width: 1 | 2, draw: Draw): () => CharacterSet {
  let made: CharacterSet | undefined
  return () => (made ??= { width, codes: codesOf(new TextDecoder(label), width, draw) })
}

const ROWS = 94

function codesOf(decoder: TextDecoder, width: 1 | 2, draw: Draw): Uint16Array {
  const codes = new Uint16Array(width === 1 ? ROWS : ROWS * ROWS)
  for (let at = 0; at < codes.length; at++) {
    const [row, column] = width === 1 ? [at, 0] : [Math.floor(at / ROWS), at % ROWS]
    codes[at] = decoder.decode(Buffer.from(draw(row + 0xa1, column + 0xa1))).charCodeAt(0)
  }
  return codes
}

const sets = {
  japanese: lazily('euc-jp', 2, (row, column) => [row, column]),
  supplement: lazily('euc-jp', 2, (row, column) => [0x8f, row, column]),
  katakana: lazily('euc-jp', 1, (row) => [0x8e, row]),
  /** JIS X 0201 is ASCII with `¥` for the backslash and `‾` for the tilde. */
  roman: lazily('iso-2022-jp', 1, (row) => [ESC, 0x28, 0x4a, row & 0x7f]),
  chinese: lazily('gbk', 2, (row, column) => [row, column]),
  korean: lazily('euc-kr', 2, (row, column) => [row, column]),
} as const

interface Switch {
  length: number
  /** None is ASCII. */
  set: keyof typeof sets | undefined
  /** SO (0x0e) switches to the announced set from then on, and SI (0x0f) back. */
  isAnnounced: boolean
}

/** The keys are the two or three bytes behind ESC as one number: a message may consist of nothing else. */
const switches: ReadonlyMap<number, Switch> = new Map(
  (
    [
      ['(B', undefined],
      ['(J', 'roman'],
      ['$B', 'japanese'],
      ['$@', 'japanese'],
      ['(I', 'katakana'],
      ['$(D', 'supplement'],
      ['$A', 'chinese'],
      ['$(C', 'korean'],
      ['$)C', 'korean'],
      ['$)A', 'chinese'],
    ] as const
  ).map(([text, set]) => {
    const number = Buffer.from(text).readUIntBE(0, text.length)
    return [number, { length: text.length, set, isAnnounced: text.includes(')') }]
  }),
)

/** `$(` and `$)`, which one more byte follows. */
const [DOLLAR_OPEN, DOLLAR_CLOSE] = [0x2428, 0x2429]

function switchAt(bytes: Buffer, at: number): Switch | undefined {
  const two = ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
  return switches.get(two === DOLLAR_OPEN || two === DOLLAR_CLOSE ? (two << 8) | (bytes[at + 3] ?? 0) : two)
}

const [TAB, LF, SO, SI, ESC, TILDE, UNKNOWN] = [0x09, 0x0a, 0x0e, 0x0f, 0x1b, 0x7e, 0xfffd]

export function decodeIso2022(bytes: Buffer): string {
  const out = new Output(bytes.length)
  let set: CharacterSet | undefined
  let announced: keyof typeof sets = 'korean'
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === ESC) {
      const found = switchAt(bytes, at)
      if (found?.isAnnounced) announced = found.set ?? announced
      else if (found) set = found.set && sets[found.set]()
      at += 1 + (found?.length ?? 0)
    } else if (byte === SO || byte === SI) {
      set = byte === SO ? sets[announced]() : undefined
      at++
    } else {
      // A line ends every switch but that of SO (RFC 1468, RFC 1557); who goes on without a new one means it.
      at += set === undefined || byte <= 0x20 ? out.plain(byte) : out.from(set, byte, bytes[at + 1])
    }
  }
  return out.text
}

/** RFC 1843 writes Chinese between `~{` and `~}`, `~~` for a tilde, and a tilde at the end of a line that goes on. */
export function decodeHz(bytes: Buffer): string {
  const out = new Output(bytes.length)
  let set: CharacterSet | undefined
  let at = 0
  while (at < bytes.length) {
    const [byte, next] = [bytes[at] ?? 0, String.fromCharCode(bytes[at + 1] ?? 0)]
    if (byte !== TILDE || !'{}~\n'.includes(next)) {
      if (byte === LF) set = undefined
      at += set === undefined || byte <= 0x20 ? out.plain(byte) : out.from(set, byte, bytes[at + 1])
      continue
    }
    if (next === '{') set = sets.chinese()
    if (next === '}') set = undefined
    if (next === '~') out.plain(TILDE)
    at += 2
  }
  return out.text
}

/** One array holds the whole output: a text per switch would let a hostile message cost too much. */
class Output {
  readonly #codes: Uint16Array
  #length = 0

  constructor(most: number) {
    this.#codes = new Uint16Array(most)
  }

  get text(): string {
    return Buffer.from(this.#codes.buffer, 0, this.#length * 2).toString('utf16le')
  }

  /** Answers how many bytes were read, as does the next. */
  plain(byte: number): number {
    const isText = byte === TAB || byte === LF || byte === 0x0d || (byte >= 0x20 && byte < 0x7f)
    this.#codes[this.#length++] = isText || byte === 0 ? byte : UNKNOWN
    return 1
  }

  from({ width, codes }: CharacterSet, first: number, second: number | undefined): number {
    const [row, column] = [(first & 0x7f) - 0x21, ((second ?? 0) & 0x7f) - 0x21]
    const isThere = width === 1 || (column >= 0 && column < ROWS)
    this.#codes[this.#length++] = (isThere ? codes[width === 1 ? row : row * ROWS + column] : undefined) ?? UNKNOWN
    return isThere ? width : 1
  }
}
