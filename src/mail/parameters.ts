import { encodeWords } from './encoded-word.ts'
import { separated, wordsHeader, type Header } from './headers.ts'

export type Parameter = readonly [name: string, value: string]

/** Makes a field like `Content-Type: text/plain; charset=utf-8`. Each parameter is a word that stays on one line. */
export const parameterHeader = (name: string, value: string, parameters: readonly (readonly string[])[]): Header =>
  wordsHeader(name, separated([[value], ...parameters], ';'))

/**
 * For values in ASCII. A token stays bare, anything else is quoted; so are the three marks that have a meaning in the
 * extended form (RFC 2231), because some programs look for it in every value that is not quoted.
 */
export const plainParameter = ([name, value]: Parameter): string[] => [
  /^[\w!#$&+\-.^`{|}~]+$/.test(value) ? `${name}=${value}` : `${name}="${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`,
]

/** A line of 76 characters has room for this much of a value, beside the name and the marks of RFC 2231. */
const MAX_PIECE_LENGTH = 50

/**
 * RFC 2231 §3 and §4: text of all kinds as a parameter, percent-encoded, in numbered pieces where it is long. The way it is
 * meant to be written, which every client of this century reads.
 */
export function extendedParameters([name, value]: Parameter): string[][] {
  if (isPlain(value)) return [plainParameter([name, value])]
  const pieces = piecesOf(value)
  if (pieces.length === 1) return [[`${name}*=UTF-8''${pieces[0]}`]]
  return pieces.map((piece, index) => [`${name}*${index}*=${index === 0 ? "UTF-8''" : ''}${piece}`])
}

/** RFC 2047 inside quotation marks: forbidden there (§5), and what older clients, Outlook among them, read. */
export function legacyParameter([name, value]: Parameter): string[] {
  if (isPlain(value)) return plainParameter([name, value])
  return `${name}="${encodeWords(value).join(' ')}"`.split(' ')
}

/** Text that looks like an encoded word is not plain: a client would decode it. */
const isPlain = (value: string): boolean => /^[ -~]*$/.test(value) && !value.includes('=?')

function piecesOf(value: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const point of value.toWellFormed()) {
    const encoded = encodeURIComponent(point).replaceAll(/['()*]/g, percent)
    if (piece.length + encoded.length > MAX_PIECE_LENGTH) {
      pieces.push(piece)
      piece = ''
    }
    piece += encoded
  }
  return [...pieces, piece]
}

const percent = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
