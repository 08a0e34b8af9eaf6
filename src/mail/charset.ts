import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/**
 * Bytes as text, in a charset that a stranger names. Undefined where nobody knows that charset. NUL becomes the sign
 * for what cannot be shown: PostgreSQL stores every other character, and not this one.
 */
export function decodeCharset(label: string, bytes: Buffer): string | undefined {
  const decoder = decoderFor(label.trim().toLowerCase())
  return decoder && withoutNul(decoder.decode(bytes))
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

/** Only what exists gets in here, so a stranger cannot make it grow. Text decoders keep nothing between two calls. */
const decoders = new Map<string, TextDecoder>()

function decoderFor(label: string): TextDecoder | undefined {
  const known = decoders.get(label)
  if (known !== undefined || label.length > LONGEST_LABEL) return known
  try {
    // The mark at the start is text to us: whoever decodes a body takes it away, and inside of a field it is none.
    const decoder = new TextDecoder(aliases[label] ?? label, { ignoreBOM: true })
    decoders.set(label, decoder)
    return decoder
  } catch {
    return undefined
  }
}

const LONGEST_LABEL = 40

const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text)
