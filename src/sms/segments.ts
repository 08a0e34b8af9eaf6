/**
 * Counts and splits a text. One module does both, so that what is billed is what is submitted.
 *
 * A message is written in GSM 03.38 as a whole or in UCS-2 as a whole. One that does not fit into a single part loses
 * six octets of each part to the header that says which parts belong together (3GPP TS 23.040 §9.2.3.24.1), or seven
 * with a reference of 16 bits. Parts are filled greedily by units that are never torn: an extension character is two
 * septets, a character outside of the BMP two UTF-16 units. Graphemes may be torn; the handset joins them again.
 */
import { isGsm, septetsOf } from './gsm.ts'
import { transliterated } from './transliterate.ts'

export type Alphabet = 'gsm7' | 'ucs2'

export interface Segmenting {
  /** `gsm7` refuses a text that it cannot write. */
  encoding: 'auto' | Alphabet
  /** Replaces typographic characters, if the whole text can then be written in GSM 03.38; otherwise changes nothing. */
  transliterate: boolean
  /** The reference in the header has this many bits. Some connections force 16, and then bill for it. */
  reference?: 8 | 16
}

export type Segments =
  | {
      ok: true
      encoding: Alphabet
      /** The units are septets or UTF-16 code units; headers are not counted. */
      units: number
      /** The text that is sent: cleaned, and transliterated where that was wanted. */
      text: string
      /** Joined, they are the text. */
      parts: string[]
    }
  | { ok: false; problem: SegmentProblem }

export type SegmentProblem = 'empty' | 'lone_surrogate' | 'control_character' | 'not_gsm7'

export function segment(body: string, { encoding, transliterate, reference = 8 }: Segmenting): Segments {
  // NFC comes first: `e` and a combining accent are one character of GSM 03.38, and cost three times as much when left
  // apart.
  const cleaned = body.replaceAll('\r\n', '\n').normalize('NFC')
  const problem = problemOf(cleaned)
  if (problem !== undefined) return { ok: false, problem }
  const text = transliterate && encoding !== 'ucs2' ? transliterated(cleaned) : cleaned
  if (encoding === 'gsm7' && !isGsm(text)) return { ok: false, problem: 'not_gsm7' }
  const alphabet = encoding === 'auto' ? (isGsm(text) ? 'gsm7' : 'ucs2') : encoding
  const units = unitsOf(text, alphabet)
  const { alone, joined } = capacity[alphabet]
  const parts = units <= alone ? [text] : packed(text, alphabet, joined[reference])
  return { ok: true, encoding: alphabet, units, text, parts }
}

export function unitsOf(text: string, alphabet: Alphabet): number {
  if (alphabet === 'ucs2') return text.length
  let units = 0
  for (const character of text) units += septetsOf(character) ?? 1
  return units
}

const capacity = {
  gsm7: { alone: 160, joined: { 8: 153, 16: 152 } },
  ucs2: { alone: 70, joined: { 8: 67, 16: 66 } },
} as const

function problemOf(text: string): SegmentProblem | undefined {
  if (text === '') return 'empty'
  if (!text.isWellFormed()) return 'lone_surrogate'
  return /[^\P{Cc}\t\n\f]/u.test(text) ? 'control_character' : undefined
}

function packed(text: string, alphabet: Alphabet, most: number): string[] {
  const parts: string[] = []
  let part = ''
  let filled = 0
  for (const character of text) {
    const size = unitsOf(character, alphabet)
    if (filled + size > most) {
      parts.push(part)
      part = ''
      filled = 0
    }
    part += character
    filled += size
  }
  return [...parts, part]
}
