/**
 * Arrays on their way to the server, in its own binary form. As text each of them is escaped here and taken apart again
 * there, letter by letter, which was a sixth of all that the server had to do for a mail.
 *
 *   dimensions: 1, or 0 for an empty array · whether there are nulls · type of the elements · how many · first index
 *   for each element: its length, or -1 for null · its bytes
 */
import { statementName } from './sql.ts'

interface Codec {
  /** The oid is that of the element type, in pg_type. */
  oid: number
  /** Returns the size in bytes; undefined for a value that does not fit. */
  sizeOf(value: unknown): number | undefined
  /** False for what turns out not to fit after all. */
  write(out: Buffer, at: number, value: unknown): unknown
}

/** The values of a statement, with the arrays among them encoded as its casts (`$1::uuid[]`) say. */
export function encodeValues(text: string, values: readonly unknown[]): unknown[] {
  const codecs = codecsOf(text)
  return values.map((value, i) => {
    const codec = codecs[i]
    return codec && Array.isArray(value) ? (encoded(codec, value) ?? value) : value
  })
}

const WORD = 4
const EMPTY_HEADER = 3 * WORD
const HEADER = 5 * WORD
const NULL = -1

/** Undefined where an element does not fit: sent as text, the server reads it or says what is wrong with it. */
function encoded(codec: Codec, values: readonly unknown[]): Buffer | undefined {
  const sizes: number[] = []
  let bytes = values.length === 0 ? EMPTY_HEADER : HEADER
  let hasNulls = false
  for (const value of values) {
    const isNull = value === null || value === undefined
    const size = isNull ? NULL : codec.sizeOf(value)
    if (size === undefined) return undefined
    sizes.push(size)
    hasNulls ||= isNull
    bytes += WORD + (isNull ? 0 : size)
  }
  const out = Buffer.allocUnsafe(bytes)
  let at = 0
  const word = (value: number): void => void (at = out.writeInt32BE(value, at))
  word(values.length === 0 ? 0 : 1)
  word(hasNulls ? 1 : 0)
  word(codec.oid)
  if (values.length === 0) return out
  word(values.length)
  word(1)
  for (const [i, size] of sizes.entries()) {
    word(size)
    if (size === NULL) continue
    if (codec.write(out, at, values[i]) === false) return undefined
    at += size
  }
  return out
}

function codec<T>(
  oid: number,
  fits: (value: unknown) => value is T,
  size: (value: T) => number,
  write: (out: Buffer, at: number, value: T) => unknown,
): Codec {
  return { oid, sizeOf: (value) => (fits(value) ? size(value) : undefined), write: write as Codec['write'] }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isLikeUuid = (value: unknown): value is string =>
  isText(value) && value.length === 36 && [8, 13, 18, 23].every((at) => value[at] === '-')

/** The two digits of each byte stand at these places. */
const places = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)
/** The table has an entry for every UTF-16 unit; the server writes small letters only. */
const digits = new Int8Array(2 ** 16).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) digits[digit.charCodeAt(0)] = value

/** There are several in each row: with a table it takes a third of what an expression and arithmetic do. */
function writeUuid(out: Buffer, at: number, value: string): boolean {
  let seen = 0
  for (let i = 0; i < 16; i++) {
    const place = places[i] ?? 0
    const high = digits[value.charCodeAt(place)] ?? -1
    const low = digits[value.charCodeAt(place + 1)] ?? -1
    // A character that is no digit makes the value negative for good.
    seen |= high | low
    out[at + i] = (high << 4) | low
  }
  return seen >= 0
}

const isWithin =
  (most: number) =>
  (value: unknown): value is number =>
    Number.isInteger(value) && Math.abs(value as number) <= most

const int = codec(
  23,
  isWithin(2 ** 31 - 1),
  () => 4,
  (out, at, value) => out.writeInt32BE(value, at),
)

function writeInt64(out: Buffer, at: number, value: number): void {
  const high = Math.floor(value / 2 ** 32)
  out.writeInt32BE(high, at)
  out.writeUInt32BE(value - high * 2 ** 32, at + WORD)
}

const codecs: Readonly<Record<string, Codec>> = {
  uuid: codec(2950, isLikeUuid, () => 16, writeUuid),
  text: codec(
    25,
    isText,
    (value) => Buffer.byteLength(value),
    (out, at, value) => out.write(value, at),
  ),
  jsonb: codec(
    3802,
    isText,
    (value) => 1 + Buffer.byteLength(value),
    // The version number of jsonb comes first; there is only version 1.
    (out, at, value) => out.write(value, out.writeUInt8(1, at)),
  ),
  bytea: codec(
    17,
    (value) => value instanceof Uint8Array,
    (value) => value.length,
    (out, at, value) => out.set(value, at),
  ),
  boolean: codec(
    16,
    (value) => typeof value === 'boolean',
    () => 1,
    (out, at, value) => out.writeUInt8(value ? 1 : 0, at),
  ),
  smallint: codec(
    21,
    isWithin(2 ** 15 - 1),
    () => 2,
    (out, at, value) => out.writeInt16BE(value, at),
  ),
  int,
  integer: int,
  bigint: codec(20, isWithin(Number.MAX_SAFE_INTEGER), () => 8, writeInt64),
  float8: codec(
    701,
    (value) => typeof value === 'number',
    () => 8,
    (out, at, value) => out.writeDoubleBE(value, at),
  ),
  timestamptz: codec(
    1184,
    (value): value is Date => value instanceof Date && !Number.isNaN(value.getTime()),
    () => 8,
    // PostgreSQL counts microseconds from the year 2000.
    (out, at, value) => writeInt64(out, at, (value.getTime() - Date.UTC(2000, 0)) * 1_000),
  ),
}

/** By the name of the statement, which is shorter than its text. */
const known = new Map<string, (Codec | undefined)[]>()

function codecsOf(statement: string): (Codec | undefined)[] {
  const name = statementName(statement)
  let found = known.get(name)
  if (found === undefined) {
    found = []
    for (const [, number, type = ''] of statement.matchAll(/\$(\d+)::(\w+)\[\]/g)) {
      found[Number(number) - 1] = codecs[type]
    }
    known.set(name, found)
  }
  return found
}
