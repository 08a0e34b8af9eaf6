/** The sign by which scripts of India write a consonant without its vowel. What nobody sees beside it is spelling. */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca]'

/** The flags of England, Scotland and Wales are a black flag and letters that nobody sees: each place of such a letter. */
const inFlag = ['gbeng', 'gbsct', 'gbwls'].flatMap((code) => {
  const tags = [...code].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).concat('\\u{e007f}')
  return tags.map((_, at) => `(?<=\\u{1f3f4}${tags.slice(0, at).join('')})(?=${tags.slice(at).join('')})`)
})

/**
 * Characters that change the direction of a text, or that nobody sees: they could make one name look like another. Line
 * breaks and tabs are what they look like, and emoji, Arabic and Indian letters are joined by what nobody sees.
 */
const hidden = new RegExp(
  [
    '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e]',
    '[\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
    `(?!${inFlag.join('|')})[\\u{e0000}-\\u{e0fff}]`,
    '\\r(?!\\n)',
    `(?<!${VIRAMA})(?<![\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f])\\u200d(?!${VIRAMA})`,
    `(?<!${VIRAMA})\\u200d(?!\\p{Extended_Pictographic}|${VIRAMA})`,
    `(?<!${VIRAMA})(?<!\\p{Script=Arabic})\\u200c|(?<!${VIRAMA})\\u200c(?!\\p{Script=Arabic})`,
  ].join('|'),
  'u',
)

const everyHidden = new RegExp(hidden, 'gu')
const apart = new RegExp(`(${hidden.source})`, 'u')

export interface Piece {
  text: string
  /** Whether it stands for a character that nobody would see. */
  isMark: boolean
}

/** A text with a mark in place of each character that nobody would see. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(apart)
    .map((part, place) => (place % 2 === 1 ? { text: markOf(part), isMark: true } : { text: part, isMark: false }))
    .filter((piece) => piece.text !== '')

/** The same where nothing but plain text can stand: in the title of a tab, in a choice, in a name for screen readers. */
export const visibly = (text: string): string => text.replaceAll(everyHidden, (character) => `[${markOf(character)}]`)

const markOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
