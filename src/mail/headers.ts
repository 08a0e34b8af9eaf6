import { addressWords, type Mailbox } from './address.ts'
import { encodeWords } from './encoded-word.ts'

/** One header field, ready to be sent. */
export interface Header {
  readonly name: string
  /** Folded, ends with CRLF. ASCII, but for local parts of addresses that are not. */
  readonly line: string
}

/** RFC 2047 §2 asks for 76 where encoded words are, RFC 5322 §2.1.1 for 78 elsewhere: one figure serves both. */
const FOLD_AT = 76
/** RFC 5322 §2.1.1 allows 998 to a line: a word of 900 always fits one, name, commas and quotes included. */
const MAX_WORD_LENGTH = 900

/** A field that people read, such as the subject; every text, exactly as given. */
export const textHeader = (name: string, value: string): Header => wordsHeader(name, textWords(name, value))

export const addressHeader = (name: string, addresses: readonly Mailbox[]): Header =>
  header(name, separated(addresses.map(addressWords), ','))

/** Writes the date as RFC 5322 §3.3 does, always in UTC. */
export const dateHeader = (name: string, date: Date): Header =>
  wordsHeader(name, [date.toUTCString().replace('GMT', '+0000')])

/**
 * A field written by us in a grammar of its own, given in pieces between which it may be folded. Nothing is encoded
 * here: what is not printable ASCII is a defect of the caller and never reaches the wire.
 */
export function wordsHeader(name: string, words: readonly string[]): Header {
  if (words.some((word) => !/^[ -~]*$/.test(word))) throw new Error(`The field ${name} is not ASCII.`)
  return header(name, words)
}

/** Joins the words of items; every item but the last ends with the mark. */
export const separated = (items: readonly (readonly string[])[], mark: ',' | ';'): string[] =>
  items.flatMap((words, index) =>
    index === items.length - 1 ? words : [...words.slice(0, -1), `${words.at(-1) ?? ''}${mark}`],
  )

/**
 * The bytes between `DATA` and the body, the empty line included. UTF-8 and nothing else: written as latin1, č and Ċ
 * (U+010D, U+010A) would become CR and LF.
 */
export const headBytes = (headers: readonly Header[]): Buffer =>
  Buffer.from(`${headers.map(({ line }) => line).join('')}\r\n`, 'utf8')

/** An address in these fields has a local part that needs the extension SMTPUTF8 (RFC 6531). */
export const needsSmtpUtf8 = (headers: readonly Header[]): boolean =>
  headers.some(({ line }) => !/^[\r\n -~]*$/.test(line))

/** CR, LF and NUL have no place in a header field. Other control characters travel in encoded words. */
export const breaksLine = (value: string): boolean => /[\r\n\0]/.test(value)

/** For text that cannot be refused any more, such as a name merged into the subject of a broadcast. */
export const toSingleLine = (value: string): string => value.replaceAll(/[\r\n\0]+/g, ' ')

function header(name: string, words: readonly string[]): Header {
  const value = words.join(' ')
  if (!/^[!-9;-~]+$/.test(name) || /[^ -~\u00a0-\uffff]/.test(value))
    throw new Error(`The field ${JSON.stringify(name)} is unsafe.`)
  if (value === '') return { name, line: `${name}:\r\n` }
  const isShort = name.length + 2 + value.length <= FOLD_AT
  return { name, line: isShort ? `${name}: ${value}\r\n` : fold(name, words) }
}

/**
 * Plain words stay as they are. From the first to the last word that ASCII cannot carry everything is encoded, with
 * the spaces in between: a space between two encoded words would be lost (RFC 2047 §6.2).
 */
function textWords(name: string, value: string): string[] {
  if (breaksLine(value)) throw new Error(`The field ${name} would be more than one line.`)
  // Receivers take away spaces at either end, and a line cannot be folded inside many: both survive in a word.
  if (/^ | $| {9}/.test(value)) return encodeWords(value)
  const words = value.split(' ')
  const first = words.findIndex(needsEncoding)
  if (first < 0) return words
  const last = words.findLastIndex(needsEncoding)
  return [...words.slice(0, first), ...encodeWords(words.slice(first, last + 1).join(' ')), ...words.slice(last + 1)]
}

const needsEncoding = (word: string): boolean => /[^!-~]|=\?/.test(word) || word.length > MAX_WORD_LENGTH

/**
 * The first word stays on the line of the name: a first line without a value is legal, and lost on some readers. Two
 * spaces in a row make an empty word, before which no line may end: it would leave one of nothing but spaces.
 */
function fold(name: string, words: readonly string[]): string {
  let text = `${name}:`
  let column = text.length
  for (const [index, word] of words.entries()) {
    const breaks = index > 0 && word !== '' && column + 1 + word.length > FOLD_AT
    text += breaks ? `\r\n ${word}` : ` ${word}`
    column = breaks ? 1 + word.length : column + 1 + word.length
  }
  return `${text}\r\n`
}
