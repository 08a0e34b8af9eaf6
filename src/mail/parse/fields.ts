import { guessText } from './charset.ts'
import { decodeWords } from '../encoded-word.ts'
import { toSingleLine } from '../headers.ts'

/** One header field as it was received. */
export interface Field {
  readonly name: string
  /** The raw value is unfolded, and nothing in it is decoded. */
  readonly raw: string
  /** The value has its encoded words decoded. */
  readonly value: string
}

export interface FieldBlock {
  readonly fields: readonly Field[]
  /** The body begins here. */
  readonly end: number
  /** There was more than the limit allows; `fields` are those before it. */
  readonly isCut: boolean
}

/** True for a line that ends the block although it is not empty. `next` is where the following one begins. */
export type EndsBlock = (bytes: Buffer, at: number, next: number) => boolean

/**
 * The fields of a message or of a part, in their order. A line that is neither a field nor the continuation of one is
 * left out: hosts that return messages put all kinds of things there.
 */
export function readFields(bytes: Buffer, start: number, limit: number, endsBlock: EndsBlock = never): FieldBlock {
  const fields: Field[] = []
  const last = Math.min(bytes.length, start + limit)
  let at = start
  while (at < last) {
    let next = nextLine(bytes, at)
    if (isEmptyLine(bytes, at)) return { fields, end: next, isCut: false }
    if (endsBlock(bytes, at, next)) return { fields, end: at, isCut: false }
    while (next < bytes.length && isBlank(bytes[next]) && !isEmptyLine(bytes, next)) next = nextLine(bytes, next)
    if (next - start > limit) break
    const field = fieldFrom(bytes, at, next)
    if (field !== undefined) fields.push(field)
    at = next
  }
  return at >= bytes.length ? { fields, end: at, isCut: false } : { fields, end: endOfBlock(bytes, at), isCut: true }
}

export const firstField = (fields: readonly Field[], name: string): Field | undefined =>
  fields.find((field) => field.name.length === name.length && field.name.toLowerCase() === name)

/** The loop reads byte by byte: a call of `indexOf` for each of a million short lines costs many times as much. */
export function nextLine(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== LF) at++
  return Math.min(at + 1, bytes.length)
}

const [TAB, LF, CR, SPACE, COLON] = [0x09, 0x0a, 0x0d, 0x20, 0x3a]

const never: EndsBlock = () => false

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === TAB

const isEmptyLine = (bytes: Buffer, at: number): boolean =>
  bytes[at] === LF || (bytes[at] === CR && (bytes[at + 1] === LF || at + 1 === bytes.length))

function fieldFrom(bytes: Buffer, start: number, end: number): Field | undefined {
  let colon = start
  while (colon < end && isNameByte(bytes[colon])) colon++
  const nameEnd = colon
  // RFC 5322 §4.5.8: white space before the colon was allowed once.
  while (colon < end && isBlank(bytes[colon])) colon++
  if (nameEnd === start || bytes[colon] !== COLON) return undefined
  const folded = guessText(bytes.subarray(colon + 1, end))
  const raw = toSingleLine(folded.replaceAll(/\r?\n(?=[ \t])/g, '').trim())
  return { name: bytes.toString('latin1', start, nameEnd), raw, value: toSingleLine(decodeWords(raw)).toWellFormed() }
}

const isNameByte = (byte = 0): boolean => byte > SPACE && byte < 0x7f && byte !== COLON

/** The first empty line, without reading what is before it. */
function endOfBlock(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && !isEmptyLine(bytes, at)) at = nextLine(bytes, at)
  return at < bytes.length ? nextLine(bytes, at) : at
}
