/**
 * RFC 2045 §6.7. Every line is at most 76 characters long, ends with CRLF, has no white space before its end, and does
 * not begin with a dot or with `From `, which hosts on the way would alter. CRLF, LF and CR are the same line break.
 */
export function encodeQuotedPrintable(text: string): Buffer {
  const bytes = Buffer.from(text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text, 'utf8')
  const out = Buffer.allocUnsafe(longestEncoding(bytes.length))
  return out.subarray(0, write(bytes, out))
}

/** Ends a line on the wire that goes on in the text. */
const SOFT_BREAK = Buffer.from('=\r\n')

/** One less than a line may have: the soft break needs a character. */
const FULL = 75

/** Three characters for each byte, and a soft break for every 73 of those: a triple is never split. */
const longestEncoding = (length: number): number => 3 * length + SOFT_BREAK.length * Math.ceil((3 * length) / 73)

const hex = Buffer.from('0123456789ABCDEF')
const [TAB, LF, CR, SPACE, DOT, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d]
const FROM = Buffer.from('From ')

const [ENCODED, LITERAL, BLANK, BREAK] = [0, 1, 2, 3]
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === LF || byte === CR) return BREAK
  if (byte === SPACE || byte === TAB) return BLANK
  return byte > SPACE && byte < 0x7f && byte !== EQUALS ? LITERAL : ENCODED
})

/** The loop uses a table, byte by byte: regular expressions took twice the time as soon as a line needed encoding. */
function write(bytes: Buffer, out: Buffer): number {
  let [at, end, lineStart] = [0, 0, 0]
  while (at < bytes.length) {
    const full = Math.min(bytes.length, at + FULL - (end - lineStart))
    const stop = end === lineStart && isAltered(bytes, at) ? at : full
    while (at < stop && stays(bytes, at)) out[end++] = bytes[at++] ?? 0
    const next = bytes[at]
    if (next === undefined) break
    if (kinds[next] === BREAK) {
      lineStart = end = lineBreak(out, end)
      at++
    } else if (end - lineStart + 3 > FULL) {
      out[end] = EQUALS
      lineStart = end = lineBreak(out, end + 1)
    } else {
      // There was room for it as it is: it had to be something else.
      end = triple(out, end, next)
      at++
    }
  }
  return end
}

const stays = (bytes: Buffer, at: number): boolean => {
  const kind = kinds[bytes[at] ?? 0]
  return kind === LITERAL || (kind === BLANK && !endsLine(bytes, at))
}

function lineBreak(out: Buffer, end: number): number {
  out[end] = CR
  out[end + 1] = LF
  return end + 2
}

function triple(out: Buffer, end: number, byte: number): number {
  out[end] = EQUALS
  out[end + 1] = hex[byte >> 4] ?? 0
  out[end + 2] = hex[byte & 15] ?? 0
  return end + 3
}

const endsLine = (bytes: Buffer, at: number): boolean => at + 1 >= bytes.length || kinds[bytes[at + 1] ?? 0] === BREAK

/** At the start of a line SMTP doubles a dot, and mailbox files put a > before `From `. */
const isAltered = (bytes: Buffer, at: number): boolean =>
  bytes[at] === DOT || (bytes[at] === FROM[0] && bytes.subarray(at, at + FROM.length).equals(FROM))

/** Decodes what other programs wrote, tolerantly: an `=` that means nothing stays, and so does a byte above ASCII. */
export function decodeQuotedPrintable(encoded: Buffer): Buffer {
  const out = Buffer.allocUnsafe(encoded.length)
  let [at, end] = [0, 0]
  // The position behind the last byte that was not white space: hosts on the way add white space at the end of a line.
  let solid = 0
  while (at < encoded.length) {
    const byte = encoded[at] ?? 0
    if (byte === EQUALS) {
      const value = tripleAt(encoded, at)
      const next = value === undefined ? afterSoftBreak(encoded, at + 1) : at + 3
      if (value !== undefined || next === undefined) out[end++] = value ?? byte
      at = next ?? at + 1
      solid = end
    } else {
      const kind = kinds[byte]
      if (kind === BREAK) end = solid
      out[end++] = byte
      if (kind !== BLANK) solid = end
      at++
    }
  }
  return out.subarray(0, solid)
}

function tripleAt(encoded: Buffer, at: number): number | undefined {
  const [high, low] = [digits[encoded[at + 1] ?? 0] ?? NO_DIGIT, digits[encoded[at + 2] ?? 0] ?? NO_DIGIT]
  return high === NO_DIGIT || low === NO_DIGIT ? undefined : high * 16 + low
}

/** Returns where the text goes on; undefined if the line does not end here. */
function afterSoftBreak(encoded: Buffer, from: number): number | undefined {
  let at = from
  while (kinds[encoded[at] ?? 0] === BLANK) at++
  if (at >= encoded.length) return at
  if (encoded[at] === CR && encoded[at + 1] === LF) return at + 2
  return encoded[at] === LF || encoded[at] === CR ? at + 1 : undefined
}

const NO_DIGIT = 255
const digits = Uint8Array.from({ length: 256 }, (_, byte) => {
  const value = Number.parseInt(String.fromCharCode(byte), 16)
  return Number.isNaN(value) ? NO_DIGIT : value
})
