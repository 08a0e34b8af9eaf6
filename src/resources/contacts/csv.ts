/**
 * Comma-separated values as people send them (RFC 4180, and what spreadsheets make of it): also separated by semicolons
 * or tabs, with or without a byte order mark, lines ended by LF or CRLF. Rows are cut out of the bytes, because the
 * signs that matter are ASCII and a file is read in pieces; a row's text is read only once the row is whole.
 */

const [QUOTE, LF, CR] = [0x22, 0x0a, 0x0d]
const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** A quotation mark that is not closed takes no more than this. */
export const MAX_ROW_LENGTH = 256 * 1024

export type Row = { fields: string[]; end: number } | { problem: string; end: number }

export const NOT_UTF8 = 'is not written in UTF-8'

/** The position at which the first row of a file begins. */
export const firstByte = (bytes: Buffer): number => (bytes.subarray(0, 3).equals(MARK) ? MARK.length : 0)

/** The one of the usual separators that the first line has most of. */
export function separatorOf(bytes: Buffer): number {
  const end = bytes.indexOf(LF)
  const line = bytes.toString('latin1', 0, end < 0 ? bytes.length : end).replaceAll(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: line.split(sign).length }))
  return counts.reduce((best, each) => (each.count > best.count ? each : best)).sign.charCodeAt(0)
}

/** The row that begins here, and where the next one does; undefined when its end is not among these bytes. */
export function readRow(bytes: Buffer, start: number, separator: number, isWhole: boolean): Row | undefined {
  const found = bytes.indexOf(LF, start)
  const isLong = bytes.length - start > MAX_ROW_LENGTH
  if (found < 0 && !isWhole && !isLong) return undefined
  const end = found < 0 ? bytes.length : found + 1
  const line = bytes.subarray(start, found < 0 ? bytes.length : found)
  if (line.length > MAX_ROW_LENGTH) return { problem: `is longer than ${MAX_ROW_LENGTH} bytes`, end }
  if (line.includes(QUOTE)) return readQuoted(bytes, start, separator, { isWhole, end })
  const text = line.toString('utf8').replace(/\r$/, '')
  return whole(text.split(String.fromCharCode(separator)), end)
}

/** `end` is where the line ends: a row that cannot be read costs that line, not the rest of the file. */
function readQuoted(
  bytes: Buffer,
  start: number,
  separator: number,
  { isWhole, end }: { isWhole: boolean; end: number },
): Row | undefined {
  const fields: string[] = []
  for (let at = start; ;) {
    const field = bytes[at] === QUOTE ? quotedField(bytes, at) : plainField(bytes, at, separator)
    if (field === undefined || field.end - start > MAX_ROW_LENGTH) {
      if (isWhole || bytes.length - start > MAX_ROW_LENGTH)
        return { problem: 'has a quotation mark that is not closed', end }
      return undefined
    }
    // One more quotation mark would change everything.
    if (field.end === bytes.length && !isWhole) return undefined
    fields.push(field.text)
    at = field.end
    const sign = bytes[at]
    if (sign === separator) at++
    else if (sign === undefined) return whole(fields, at)
    else if (sign === LF) return whole(fields, at + 1)
    else if (sign === CR && (bytes[at + 1] === LF || at + 1 === bytes.length)) {
      if (at + 1 === bytes.length && !isWhole) return undefined
      return whole(fields, Math.min(at + 2, bytes.length))
    } else return { problem: 'has something behind a quotation mark that closes a field', end }
  }
}

interface Field {
  text: string
  end: number
}

function quotedField(bytes: Buffer, start: number): Field | undefined {
  let text = ''
  for (let from = start + 1; ;) {
    const close = bytes.indexOf(QUOTE, from)
    if (close < 0) return undefined
    text += bytes.toString('utf8', from, close)
    if (bytes[close + 1] !== QUOTE) return { text, end: close + 1 }
    text += '"'
    from = close + 2
  }
}

/** A quotation mark inside of it is a sign like any other. */
function plainField(bytes: Buffer, start: number, separator: number): Field {
  let end = start
  while (end < bytes.length && bytes[end] !== separator && bytes[end] !== LF) end++
  if (bytes[end] !== separator && end > start && bytes[end - 1] === CR) end--
  return { text: bytes.toString('utf8', start, end), end }
}

/** What is no UTF-8 becomes this sign when it is read. */
const whole = (fields: string[], end: number): Row =>
  fields.some((field) => field.includes('\ufffd')) ? { problem: NOT_UTF8, end } : { fields, end }
