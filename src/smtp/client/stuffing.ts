/**
 * Prepares content for the wire: it doubles a dot at the beginning of a line (RFC 5321 §4.5.2) and ends every line in
 * CRLF. It never sends a lone line feed or carriage return: servers disagree on whether it ends a line, and SMTP
 * smuggling uses that.
 */
const CR = 13
const LF = 10
const DOT = 46

export class DotStuffing {
  /** The last octet that was written. Content begins as if a line had just ended. */
  #last = LF

  /** Returns the given memory when nothing has to be changed, which is the usual case. */
  next(chunk: Uint8Array): Uint8Array {
    const last = this.#last
    this.#last = chunk.at(-1) ?? last
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    return isClean(bytes, last) ? bytes : rewritten(bytes, last)
  }

  /** Completes the last line and returns the end of data. */
  end(): string {
    if (this.#last === LF) return '.\r\n'
    return this.#last === CR ? '\n.\r\n' : '\r\n.\r\n'
  }
}

function isClean(chunk: Buffer, before: number): boolean {
  const [first, second] = chunk
  if (first === undefined) return true
  if (before === CR ? first !== LF || second === DOT : first === LF || (before === LF && first === DOT)) return false
  // The search begins behind the line feed that belongs to the last chunk. It runs on text: an expression takes a third
  // of the time of native searches for each line, and a quarter of that of a loop over the bytes.
  return !unclean.test(chunk.toString('latin1', before === CR ? 1 : 0))
}

/** The carriage return at the very end is for the next chunk to judge. */
const unclean = /\r(?!\n|$)|(?<!\r)\n|\n\./

function rewritten(chunk: Uint8Array, before: number): Uint8Array {
  // Every byte may need two more: a line feed and a dot.
  const out = Buffer.allocUnsafe(chunk.length * 3)
  let to = 0
  let last = before
  for (const byte of chunk) {
    if (last === CR && byte !== LF) {
      out[to++] = LF
      if (byte === DOT) out[to++] = DOT
    } else if (last !== CR && byte === LF) out[to++] = CR
    else if (byte === DOT && last === LF) out[to++] = DOT
    out[to++] = byte
    last = byte
  }
  return out.subarray(0, to)
}
