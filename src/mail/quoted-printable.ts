/**
 * RFC 2045 §6.7. Every line is at most 76 characters long, ends with CRLF, has no white space before its end, and does
 * not begin with a dot or with `From `, which hosts on the way would alter. CRLF, LF and CR are the same line break.
 */
export function encodeQuotedPrintable(text: string): Buffer {
  const lines = (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text).split('\n')
  const encoded: string[] = []
  let others: string[] = []
  const encodeOthers = (): void => {
    if (others.length > 0) encoded.push(byteByByte(others.join('\n')))
    others = []
  }
  for (const line of lines) {
    const plain = cutOnly(line)
    if (plain === undefined) others.push(line)
    else {
      encodeOthers()
      encoded.push(plain)
    }
  }
  encodeOthers()
  return Buffer.from(encoded.join('\r\n'), 'latin1')
}

/** Ends a line on the wire that goes on in the text. */
export const SOFT_BREAK = Buffer.from('=\r\n')

/** One less than a line may have: the soft break needs a character. */
const FULL = 75

/** A line that needs soft breaks and nothing else, which take a third of the time; undefined for others. */
function cutOnly(line: string): string | undefined {
  if (line === '') return line
  if (!/^[!-<>-~ ]*[!-<>-~]$/.test(line)) return undefined
  let pieces = ''
  for (let at = 0; at < line.length; at += FULL) {
    const piece = line.slice(at, at + FULL)
    if (piece.startsWith('.') || piece.startsWith('From ')) return undefined
    pieces += at === 0 ? piece : `=\r\n${piece}`
  }
  return pieces
}

const hex = Buffer.from('0123456789ABCDEF')
const [TAB, LF, CR, SPACE, DOT, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x2e, 0x3d]
const FROM = Buffer.from('From ')

const [ENCODED, LITERAL, BLANK, BREAK] = [0, 1, 2, 3]
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === LF || byte === CR) return BREAK
  if (byte === SPACE || byte === TAB) return BLANK
  return byte > SPACE && byte < 0x7f && byte !== EQUALS ? LITERAL : ENCODED
})

/** Three characters for each byte, and a soft break for every 73 of those: a triple is never split. */
const longestEncoding = (length: number): number => 3 * length + SOFT_BREAK.length * Math.ceil((3 * length) / 73)

function byteByByte(lines: string): string {
  const bytes = Buffer.from(lines, 'utf8')
  const out = Buffer.allocUnsafe(longestEncoding(bytes.length))
  return out.toString('latin1', 0, write(bytes, out))
}

/** With a table: for what has to be encoded, regular expressions over a string took twice the time. */
function write(bytes: Buffer, out: Buffer): number {
  let [at, end, column] = [0, 0, 0]
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    const kind = kinds[byte]
    if (kind === LITERAL && column > 0 && column < FULL) {
      out[end++] = byte
      column++
      at++
    } else if (kind === BREAK) {
      end = lineBreak(out, end)
      column = 0
      at++
    } else {
      const isLiteral = kind === LITERAL ? column > 0 || !isAltered(bytes, at) : kind === BLANK && !endsLine(bytes, at)
      if (column + (isLiteral ? 1 : 3) > FULL) {
        out[end++] = EQUALS
        end = lineBreak(out, end)
        column = 0
      }
      // After a soft break the same byte may have to be encoded that was literal before it.
      else {
        end = isLiteral ? literal(out, end, byte) : triple(out, end, byte)
        column += isLiteral ? 1 : 3
        at++
      }
    }
  }
  return end
}

function lineBreak(out: Buffer, end: number): number {
  out[end] = CR
  out[end + 1] = LF
  return end + 2
}

function literal(out: Buffer, end: number, byte: number): number {
  out[end] = byte
  return end + 1
}

function triple(out: Buffer, end: number, byte: number): number {
  out[end] = EQUALS
  out[end + 1] = hex[byte >> 4] ?? 0
  out[end + 2] = hex[byte & 15] ?? 0
  return end + 3
}

const endsLine = (bytes: Buffer, at: number): boolean => at + 1 >= bytes.length || kinds[bytes[at + 1] ?? 0] === BREAK

/** At the start of a line: a dot is doubled by SMTP, `From ` gets a > in mailbox files. */
const isAltered = (bytes: Buffer, at: number): boolean =>
  bytes[at] === DOT || (bytes[at] === FROM[0] && bytes.subarray(at, at + FROM.length).equals(FROM))

/** What others wrote by these rules, or nearly: an `=` that means nothing stays, and so does a byte above ASCII. */
export function decodeQuotedPrintable(encoded: Buffer): Buffer {
  const out = Buffer.allocUnsafe(encoded.length)
  let [at, end] = [0, 0]
  // Behind the last byte that was not white space: what hosts on the way add at the end of a line is taken away.
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

/** Where the text goes on; undefined if the line does not end here. */
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
