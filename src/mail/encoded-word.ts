import { decodeCharset } from './parse/charset.ts'
import { isHz, isIso2022, isUnfinished } from './parse/iso-2022.ts'

/** RFC 2047 writes text of any script into header fields, which are ASCII. */

/**
 * A word may be 75 characters long (§2). Ours are shorter, so that the first still fits behind the name of the field
 * and no line begins with nothing.
 */
const MAX_WORD_LENGTH = 64
const OVERHEAD = '=?UTF-8?Q??='.length

/**
 * The least that §5 allows without quoting in any place (rule 3, inside a phrase): one set for subjects and names.
 * The space, written as an underscore, is counted here as well.
 */
const literal = /^[A-Za-z0-9!*+/ -]$/

/** Words that, with the space between them ignored, decode to exactly this text. No code point is torn (§5). */
export function encodeWords(text: string): string[] {
  const points = [...text.toWellFormed()]
  const encoding = quoted.length(total(points, quoted)) <= base64.length(total(points, base64)) ? quoted : base64
  const words: string[] = []
  let word = ''
  let size = 0
  for (const point of points) {
    if (word !== '' && encoding.length(size + encoding.size(point)) > MAX_WORD_LENGTH - OVERHEAD) {
      words.push(encoding.write(word))
      word = ''
      size = 0
    }
    word += point
    size += encoding.size(point)
  }
  return word === '' ? words : [...words, encoding.write(word)]
}

interface Encoding {
  size(point: string): number
  /** Returns the length of the encoded text from the sum of the sizes of its code points. */
  length(size: number): number
  write(text: string): string
}

const quoted: Encoding = {
  size: (point) => (literal.test(point) ? 1 : 3 * Buffer.byteLength(point)),
  length: (size) => size,
  write: (text) => `=?UTF-8?Q?${Array.from(text, quote).join('')}?=`,
}

const base64: Encoding = {
  size: (point) => Buffer.byteLength(point),
  length: (size) => 4 * Math.ceil(size / 3),
  write: (text) => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`,
}

const total = (points: readonly string[], { size }: Encoding): number =>
  points.reduce((sum, point) => sum + size(point), 0)

function quote(point: string): string {
  if (point === ' ') return '_'
  if (literal.test(point)) return point
  return Array.from(Buffer.from(point), (byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

const word = /=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/gi

/** Decodes encoded words. Text that only looks like one, or is in an unknown charset, stays. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text
  let [decoded, end] = ['', 0]
  for (const run of runsOf(text)) {
    const gap = text.slice(end, run.start)
    const words = decodeCharset(run.charset, Buffer.concat(run.bytes))
    // §6.2: the space between two encoded words is there to separate them and means nothing.
    const isSeparator = end > 0 && gap.trim() === ''
    decoded += (isSeparator ? '' : gap) + (words ?? text.slice(run.start, run.end))
    end = run.end
  }
  return decoded + text.slice(end)
}

interface Run {
  charset: string
  bytes: Buffer[]
  /** The run ends outside of ASCII, in a charset that switches by escape sequences. */
  isAway: boolean
  start: number
  end: number
}

/**
 * Each word stands for itself (§5), but many programs tear a character between two of them. Neighbours in one charset
 * are decoded together where that is harmless: not where the first has switched back to ASCII by itself, nor where the
 * second begins with the mark of the byte order.
 */
function runsOf(text: string): Run[] {
  const runs: Run[] = []
  for (const { 0: whole, 1: label = '', 2: encoding = '', 3: encoded = '', index } of text.matchAll(word)) {
    const charset = label.toLowerCase()
    const bytes = encoding.toLowerCase() === 'b' ? Buffer.from(encoded, 'base64') : unquote(encoded)
    const last = runs.at(-1)
    if (last?.charset === charset && text.slice(last.end, index).trim() === '' && goesOn(last, bytes)) {
      last.bytes.push(bytes)
      last.isAway = isUnfinished(charset, bytes, last.isAway)
      last.end = index + whole.length
    } else {
      const isAway = isUnfinished(charset, bytes, false)
      runs.push({ charset, bytes: [bytes], isAway, start: index, end: index + whole.length })
    }
  }
  return runs
}

function goesOn({ charset, isAway }: Run, next: Buffer): boolean {
  if (isIso2022(charset) || isHz(charset)) return isAway
  if (/utf-?7/.test(charset)) return false
  return !/^(?:utf-?16|ucs-?2)$/.test(charset) || !/^(?:\xfe\xff|\xff\xfe)/.test(next.toString('latin1', 0, 2))
}

const unquote = (encoded: string): Buffer =>
  Buffer.from(
    encoded
      .replaceAll('_', ' ')
      .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
