/**
 * The alphabet of GSM 03.38 (3GPP TS 23.038 §6.2.1) has one septet for most characters, and ESC with another for ten.
 */

/** Returns how many septets a character takes; undefined for one that the alphabet lacks. */
export function septetsOf(character: string): 1 | 2 | undefined {
  if (codes.has(character)) return 1
  return extensionCodes.has(character) ? 2 : undefined
}

export const isGsm = (text: string): boolean => [...text].every((character) => septetsOf(character) !== undefined)

/** Septets, one in each octet, as SMPP carries them. What the alphabet does not have becomes a question mark. */
export function toSeptets(text: string): Buffer {
  const septets = [...text].flatMap((character) => {
    const extended = extensionCodes.get(character)
    return extended === undefined ? [codes.get(character) ?? QUESTION_MARK] : [ESCAPE, extended]
  })
  return Buffer.from(septets)
}

/**
 * Decodes septets. §6.2.1.1: a receiver that does not know a code of the extension shows the character of the basic
 * table instead; an ESC at the end is nothing.
 */
export function fromSeptets(septets: Uint8Array): string {
  let text = ''
  for (let i = 0; i < septets.length; i++) {
    const septet = (septets[i] ?? 0) & 0x7f
    if (septet !== ESCAPE) {
      text += basic[septet] ?? ''
      continue
    }
    const next = septets[++i]
    if (next === undefined) break
    text += extensionCharacters.get(next & 0x7f) ?? basic[next & 0x7f] ?? ' '
  }
  return text
}

const ESCAPE = 0x1b
const QUESTION_MARK = 0x3f

/** The index is the code. ESC is no character; a space stands in its place, which a receiver shows for two in a row. */
const basic: readonly string[] = [
  ...'@£$¥èéùìòÇ\nØø\rÅå',
  ...'Δ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ',
  ...' !"#¤%&\'()*+,-./',
  ...'0123456789:;<=>?',
  ...'¡ABCDEFGHIJKLMNO',
  ...'PQRSTUVWXYZÄÖÑÜ§',
  ...'¿abcdefghijklmno',
  ...'pqrstuvwxyzäöñüà',
]

const extension: readonly (readonly [string, number])[] = [
  ['\f', 0x0a],
  ['^', 0x14],
  ['{', 0x28],
  ['}', 0x29],
  ['\\', 0x2f],
  ['[', 0x3c],
  ['~', 0x3d],
  [']', 0x3e],
  ['|', 0x40],
  ['€', 0x65],
]

const codes = new Map(basic.map((character, code) => [character, code] as const).filter(([, code]) => code !== ESCAPE))
const extensionCodes = new Map(extension)
const extensionCharacters = new Map(extension.map(([character, code]) => [code, character] as const))
