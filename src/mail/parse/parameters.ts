import { decodeText } from './charset.ts'
import { decodeWords } from '../encoded-word.ts'

/** Parameterised is a value with parameters, as in `attachment; filename="a.pdf"`. Names are in lower case. */
export interface Parameterised {
  readonly value: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads whatever it can of a field; the first of two parameters with one name counts. */
export function readParameters(raw: string): Parameterised {
  const valueEnd = endOf(raw, 0, ';')
  const plain = new Map<string, string>()
  const numbered = new Map<string, Piece[]>()
  for (const { name, text } of scan(raw, valueEnd)) {
    const [, base = '', number = '0', isEncoded] = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/.exec(name) ?? []
    if (base === '') continue
    if (base === name) {
      if (!plain.has(base)) plain.set(base, isForPeople(base) ? decodeWords(text) : text)
      continue
    }
    const pieces = numbered.get(base) ?? []
    numbered.set(base, pieces)
    pieces.push({ number: Number(number), text, isEncoded: isEncoded !== undefined })
  }
  // RFC 2231 beside the plain form is the better one of the two: programs that write it know what it is for.
  const parameters = new Map([...plain, ...[...numbered].map(([name, pieces]) => [name, assemble(pieces)] as const)])
  return { value: raw.slice(0, valueEnd).trim(), parameters }
}

interface Piece {
  number: number
  text: string
  isEncoded: boolean
}

const isForPeople = (name: string): boolean => name === 'filename' || name === 'name'

/** The scan reads each character once, from left to right. */
function* scan(raw: string, from: number): Generator<{ name: string; text: string }> {
  let at = from
  while (at < raw.length) {
    while (at < raw.length && /[;\s]/.test(raw[at] ?? '')) at++
    const nameEnd = endOf(raw, at, '=;')
    const name = raw.slice(at, nameEnd).trim().toLowerCase()
    at = nameEnd + 1
    if (raw[nameEnd] !== '=') continue
    while (raw[at] === ' ' || raw[at] === '\t') at++
    const { text, end } = raw[at] === '"' ? quotedFrom(raw, at + 1) : bareFrom(raw, at, name)
    at = end
    yield { name, text }
  }
}

function endOf(raw: string, from: number, stops: string): number {
  let at = from
  while (at < raw.length && !stops.includes(raw[at] ?? '')) at++
  return at
}

/** A backslash counts only before what needs one: others write the names of Windows folders as they are. */
function quotedFrom(raw: string, from: number): { text: string; end: number } {
  const end = endOfQuoted(raw, from)
  return { text: raw.slice(from, end).replaceAll(/\\(["\\])/g, '$1'), end: endOf(raw, end, ';') }
}

function endOfQuoted(raw: string, from: number): number {
  let at = from
  while (at < raw.length && raw[at] !== '"') at += raw[at] === '\\' ? 2 : 1
  return Math.min(at, raw.length)
}

/** Spaces in a name of a file without quotation marks are meant; elsewhere a semicolon was forgotten. */
function bareFrom(raw: string, from: number, name: string): { text: string; end: number } {
  const end = endOf(raw, from, ';')
  const text = raw.slice(from, end).trim()
  if (isForPeople(name) || !/\s/.test(text)) return { text, end }
  const space = endOf(raw, from, ' \t')
  return { text: raw.slice(from, space), end: space }
}

/**
 * RFC 2231 §3 and §4: pieces are joined by their numbers, and the first one names the charset of those that are
 * encoded.
 */
function assemble(unsorted: readonly Piece[]): string {
  const pieces = unsorted.toSorted((one, other) => one.number - other.number)
  if (!pieces.some(({ isEncoded }) => isEncoded)) return decodeWords(pieces.map(({ text }) => text).join(''))
  const [, charset, rest] = /^([^']*)'[^']*'(.*)$/s.exec(pieces[0]?.text ?? '') ?? []
  const bytes = pieces.map(({ text, isEncoded }, index) => {
    const own = index === 0 && isEncoded ? (rest ?? text) : text
    return isEncoded ? percentDecoded(own) : Buffer.from(own)
  })
  return decodeText(charset, Buffer.concat(bytes))
}

const percentDecoded = (text: string): Buffer =>
  Buffer.from(
    Buffer.from(text)
      .toString('latin1')
      .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
