import { gunzipSync } from 'node:zlib'
import { Unreadable } from './unreadable.ts'
import { fileInZip } from './zip.ts'

/** What a file turns out to be, by its first bytes: reporters call the same thing by many types and names. */
export interface Unpacked {
  kind: 'xml' | 'json' | 'other'
  bytes: Buffer
}

/** Real reports are packed to a tenth, and long ones to a fiftieth; a thousandth is what a bomb can be packed to. */
const MAX_RATIO = 200
/** Below this it does not matter how well something was packed. */
const MAX_SMALL_BYTES = 1024 * 1024

/** How large a file may become: nothing is unpacked beyond this. A plain file is as large as it is. */
export function limitOf(file: Buffer, budget: number): number {
  return startsWith(file, GZIP) || startsWith(file, ZIP) ? mostBytes(file.length, budget) : file.length
}

/** Unpacks once: an archive in an archive is no report. Throws `Unreadable`. */
export function unpacked(file: Buffer, limit: number): Unpacked {
  if (startsWith(file, GZIP)) return plain(gunzipped(file, limit))
  if (startsWith(file, ZIP)) return plain(fileInZip(file, (packed) => mostBytes(packed, limit)))
  return plain(file)
}

const mostBytes = (packed: number, budget: number): number =>
  Math.min(budget, Math.max(MAX_SMALL_BYTES, packed * MAX_RATIO))

function gunzipped(file: Buffer, maxOutputLength: number): Buffer {
  try {
    return gunzipSync(file, { maxOutputLength })
  } catch (error) {
    const isTooLarge = error instanceof RangeError
    throw new Unreadable(isTooLarge ? 'the compressed file is too large' : 'the compressed file is damaged')
  }
}

function plain(bytes: Buffer): Unpacked {
  const first = firstSign(bytes)
  if (first === '<') return { kind: 'xml', bytes }
  return { kind: first === '{' ? 'json' : 'other', bytes }
}

/** Behind a byte order mark, in one byte or two, and blanks. */
const firstSign = (bytes: Buffer): string | undefined =>
  /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)?[\s\0]*([^\s\0])/.exec(bytes.toString('latin1', 0, LOOKED_AT))?.[1]

const LOOKED_AT = 1_024
const GZIP = Buffer.of(0x1f, 0x8b)
const ZIP = Buffer.from('PK\x03\x04', 'latin1')

const startsWith = (bytes: Buffer, start: Buffer): boolean => bytes.subarray(0, start.length).equals(start)
