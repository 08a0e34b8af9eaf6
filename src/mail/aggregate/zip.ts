/**
 * The file in a zip archive, as far as reports need it: one file, stored or deflated. The directory at the end says what
 * there is (APPNOTE 4.3.12): programs that write archives in one go leave the sizes in front of the file empty.
 */
import { crc32, inflateRawSync } from 'node:zlib'
import { Unreadable } from './unreadable.ts'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const [END_BYTES, ENTRY_BYTES, LOCAL_BYTES] = [22, 46, 30]
const MAX_COMMENT_BYTES = 0xffff
/** Some programs add a file about the file. */
const MAX_ENTRIES = 10
const ENCRYPTED = 1
const [STORED, DEFLATED] = [0, 8]

interface Entry {
  isEncrypted: boolean
  method: number
  crc: number
  packedBytes: number
  bytes: number
  name: string
  /** Of its local header. */
  offset: number
}

/** Throws `Unreadable` for everything that is no archive with a file of at most so many bytes. */
export function fileInZip(zip: Buffer, mostBytes: (packed: number) => number): Buffer {
  const entry = entriesOf(zip).find(({ name, bytes }) => bytes > 0 && !/\/$|^__MACOSX\//.test(name))
  if (entry === undefined) throw new Unreadable('the archive has no file')
  if (entry.isEncrypted) throw new Unreadable('the archive is encrypted')
  if (entry.bytes > mostBytes(entry.packedBytes)) throw new Unreadable('the file in the archive is too large')
  const content = contentOf(entry, packedIn(zip, entry))
  if (content.length !== entry.bytes || crc32(content) !== entry.crc)
    throw new Unreadable('the file in the archive is damaged')
  return content
}

function entriesOf(zip: Buffer): Entry[] {
  const end = endOfDirectory(zip)
  const [count, start] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  if (count > MAX_ENTRIES) throw new Unreadable('the archive has too many files')
  const entries: Entry[] = []
  for (let [i, at] = [0, start]; i < count; i++) {
    if (at + ENTRY_BYTES > end || zip.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Unreadable('the directory of the archive is damaged')
    const nameBytes = zip.readUInt16LE(at + 28)
    entries.push({
      isEncrypted: (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedBytes: zip.readUInt32LE(at + 20),
      bytes: zip.readUInt32LE(at + 24),
      name: zip.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes),
      offset: zip.readUInt32LE(at + 42),
    })
    at += ENTRY_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** It is the last record, and a comment of up to 64 KB may follow it. */
function endOfDirectory(zip: Buffer): number {
  const first = Math.max(0, zip.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = zip.length - END_BYTES; at >= first; at--) if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at
  throw new Unreadable('the archive is cut off')
}

/** The local header repeats the name, and has extra fields of its own. */
function packedIn(zip: Buffer, { offset, packedBytes }: Entry): Buffer {
  if (offset + LOCAL_BYTES > zip.length || zip.readUInt32LE(offset) !== LOCAL_HEADER)
    throw new Unreadable('the archive is damaged')
  const start = offset + LOCAL_BYTES + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  if (start + packedBytes > zip.length) throw new Unreadable('the archive is cut off')
  return zip.subarray(start, start + packedBytes)
}

function contentOf({ method, bytes }: Entry, packed: Buffer): Buffer {
  if (method === STORED) return packed
  if (method !== DEFLATED) throw new Unreadable('the archive is packed in a way that nobody uses for reports')
  try {
    return inflateRawSync(packed, { maxOutputLength: bytes })
  } catch {
    throw new Unreadable('the file in the archive is damaged')
  }
}
