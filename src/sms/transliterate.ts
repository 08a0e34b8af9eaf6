import { isGsm } from './gsm.ts'

/**
 * The text with its typography made plain, if GSM 03.38 can then write all of it; otherwise the text as it was, because
 * half of the work would cost readability and save nothing. Addresses of web pages are left alone: another character is
 * another page.
 */
export function transliterated(text: string): string {
  if (isGsm(text)) return text
  const plain = text
    .split(WEB_ADDRESS)
    // With one group in the separator, every second piece is an address.
    .map((piece, i) => (i % 2 === 1 ? piece : [...piece].map(plainly).join('')))
    .join('')
  return plain !== '' && isGsm(plain) ? plain : text
}

const WEB_ADDRESS = /((?:https?:\/\/|www\.)\S*[^\s”’»…,.;:!?)])/iu

function plainly(character: string): string {
  if (isGsm(character)) return character
  const replacement = replacements.get(character)
  if (replacement !== undefined) return replacement
  const base = character.normalize('NFD').replaceAll(/\p{Mn}/gu, '')
  return base !== '' && isGsm(base) ? base : character
}

const replacements = new Map<string, string>(
  (
    [
      ["'", '‘’‚‛ʼ′´`'],
      ['"', '“”„‟«»″'],
      ['-', '‐‑‒–—―−'],
      ['*', '•·∙'],
      [' ', '\t\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000'],
      ['', '\u00ad\u200b\u200c\u200d\u2060\ufeff'],
      ['...', '…'],
      ['<', '‹'],
      ['>', '›'],
      ['/', '⁄÷'],
      ['x', '×'],
      ['1/4', '¼'],
      ['1/2', '½'],
      ['3/4', '¾'],
      ['(c)', '©'],
      ['(r)', '®'],
      ['TM', '™'],
      ['o', 'º'],
      ['a', 'ª'],
      ['oe', 'œ'],
      ['OE', 'Œ'],
      ['l', 'ł'],
      ['L', 'Ł'],
      ['d', 'đð'],
      ['D', 'ĐÐ'],
      ['i', 'ı'],
      ['th', 'þ'],
      ['Th', 'Þ'],
    ] as const
  ).flatMap(([plain, characters]) => [...characters].map((character) => [character, plain] as const)),
)
