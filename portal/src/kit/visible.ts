/**
 * The virama of each Indian script: it writes a consonant without its vowel. Writers put an invisible joiner or non-joiner
 * beside it to choose the form of a letter, so both are spelling there and get no mark.
 */
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca]'

/**
 * The flags of England, Scotland and Wales are written as a black flag and invisible tag letters. Each pattern fits the
 * place of one tag letter in such a flag, where the reader sees the flag and the letter gets no mark.
 */
const inFlag = ['gbeng', 'gbsct', 'gbwls'].flatMap((code) => {
  const tags = [...code].map((letter) => `\\u{e00${letter.charCodeAt(0).toString(16)}}`).concat('\\u{e007f}')
  return tags.map((_, at) => `(?<=\\u{1f3f4}${tags.slice(0, at).join('')})(?=${tags.slice(at).join('')})`)
})

/**
 * Characters that turn the direction of a text, or that are invisible to its reader: with them a sender could make one name
 * look like another. Line breaks and tabs are left out, because the reader sees them, and so are the invisible joiners between
 * emoji, Arabic and Indian letters, because they belong to the writing.
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
  /** Whether the text is a mark, which stands for a character that the reader would not see. */
  isMark: boolean
}

/** Cuts a text into pieces, with a mark in place of each character that the reader would not see. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(apart)
    .map((part, place) => (place % 2 === 1 ? { text: markOf(part), isMark: true } : { text: part, isMark: false }))
    .filter((piece) => piece.text !== '')

/** The same where nothing but plain text can stand: in the title of a tab, in a choice, in a name for screen readers. */
export const visibly = (text: string): string => text.replaceAll(everyHidden, (character) => `[${markOf(character)}]`)

const markOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
