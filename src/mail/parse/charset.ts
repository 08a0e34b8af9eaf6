import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import iconv from 'iconv-lite'
import { decodeHz, decodeIso2022, isHz, isIso2022 } from './iso-2022.ts'

/**
 * Decodes bytes in a charset that the message names. Undefined for an unknown charset. NUL becomes the replacement
 * character, because PostgreSQL does not store it.
 */
export function decodeCharset(label: string, bytes: Buffer): string | undefined {
  const decode = decoderFor(label.trim().toLowerCase())
  return decode && withoutNul(decode(bytes))
}

/** Never gives up: a charset that is unknown, or ASCII where the bytes are not, is guessed. */
export function decodeText(label: string | undefined, bytes: Buffer): string {
  const isVague = label === undefined || vague.test(label.trim())
  const decoded = isVague ? undefined : decodeCharset(label, bytes)
  return decoded?.replace(/^\ufeff/, '') ?? guessText(bytes)
}

/** UTF-8 if it can be, else the charset that contains Latin-1: by accident text is almost never valid UTF-8. */
export const guessText = (bytes: Buffer): string =>
  isUtf8(bytes) ? withoutNul(bytes.toString('utf8')) : (decodeCharset('windows-1252', bytes) ?? '')

const vague = /^(?:us-ascii|ascii|ansi_x3\.4-1968|x-unknown|unknown-8bit|iso-8859-1|latin1)?$/i

/** Names that mail programs use and the Encoding Standard does not list. */
const aliases: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  'utf-8-sig': 'utf-8',
  'ks_c_5601-1987': 'euc-kr',
}

type Decode = (bytes: Buffer) => string

/**
 * Only known charsets get in here, so a message cannot make the map grow. Text decoders keep nothing between two calls.
 */
const decoders = new Map<string, Decode>()

function decoderFor(label: string): Decode | undefined {
  const known = decoders.get(label)
  if (known !== undefined || label.length > MAX_LABEL_LENGTH) return known
  const decode = newDecoder(aliases[label] ?? label)
  if (decode !== undefined) decoders.set(label, decode)
  return decode
}

/** The Encoding Standard has what web pages need; mail is older than that. */
function newDecoder(label: string): Decode | undefined {
  if (isIso2022(label)) return decodeIso2022
  if (isHz(label)) return decodeHz
  if (/^utf-?16$|^ucs-?2$|^unicode$/.test(label)) return decodeUtf16
  try {
    // The byte order mark is kept as text: the caller that decodes a body removes it, and inside of a field it is no
    // mark.
    const decoder = new TextDecoder(label, { ignoreBOM: true })
    return (bytes) => decoder.decode(bytes)
  } catch {
    if (!fromIconv.test(label) || !iconv.encodingExists(label)) return undefined
    return (bytes) => iconv.decode(bytes, label)
  }
}

/** iconv-lite decodes these: code pages of DOS, as far as it has them, UTF-7 and UTF-32. */
const fromIconv = /^(?:unicode-1-1-)?utf-?7$|^utf-?32(?:[lb]e)?$|^(?:cp|ibm)-?\d{3}$/

/** RFC 2781: the mark at the start says which byte comes first. Without one, Western text has a zero in front or behind. */
function decodeUtf16(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0)
  const isBigEndian = mark === 0xfeff || (mark !== 0xfffe && mark < 0x100)
  return new TextDecoder(isBigEndian ? 'utf-16be' : 'utf-16le').decode(bytes)
}

const MAX_LABEL_LENGTH = 40

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)
