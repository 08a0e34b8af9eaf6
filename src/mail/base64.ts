/** RFC 2045 §6.8: 57 bytes make a line of 76 characters. */
const BYTES_PER_LINE = 57
const LINE = 76

/** This many bytes are encoded at a time, so that there is never a second copy of a large file. */
const BYTES_AT_ONCE = 1024 * BYTES_PER_LINE

/** Lines are ended by CRLF, the last one is not: what follows it in a message begins with a line break. */
export function encodeBase64(bytes: Buffer): Buffer {
  const lines = Buffer.allocUnsafe(base64Length(bytes.length))
  let end = 0
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    const encoded = Buffer.from(bytes.toString('base64', at, at + BYTES_AT_ONCE), 'latin1')
    for (let from = 0; from < encoded.length; from += LINE) {
      if (end > 0) {
        lines[end++] = 0x0d
        lines[end++] = 0x0a
      }
      end += encoded.copy(lines, end, from, from + LINE)
    }
  }
  return lines
}

/** Returns the length of the encoding of this many bytes, without encoding them. */
export function base64Length(bytes: number): number {
  const breaks = bytes === 0 ? 0 : Math.ceil(bytes / BYTES_PER_LINE) - 1
  return 4 * Math.ceil(bytes / 3) + 2 * breaks
}

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const FOREIGN = 255
const values = new Uint8Array(256).fill(FOREIGN)
for (const [value, character] of alphabet.entries()) values[character] = value
const PAD = 0x3d

/**
 * Decodes what other programs wrote, tolerantly: characters outside of the alphabet are skipped (§6.8), and where
 * several encodings were joined, each ends at its padding. Node's own decoder stops at the first.
 */
export function decodeBase64(encoded: Buffer): Buffer {
  const out = Buffer.allocUnsafe(Math.ceil((encoded.length * 3) / 4))
  let [end, bits, held] = [0, 0, 0]
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] ?? 0
    const value = values[byte] ?? FOREIGN
    if (value !== FOREIGN) {
      bits = ((bits << 6) | value) & 0xffff
      held += 6
      if (held >= 8) {
        held -= 8
        out[end++] = (bits >> held) & 0xff
      }
    } else if (byte === PAD) held = 0
  }
  return out.subarray(0, end)
}
