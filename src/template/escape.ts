import type { Place } from './syntax.ts'

/** In the spelling of LiquidJS, so that what it makes and what we make can be compared. */
export const escapeHtml = (text: string): string => (special.test(text) ? escaped(text, '&<>"\'') : text)

/** Takes back what escapeHtml does, and nothing else. */
export const unescapeHtml = (html: string): string =>
  html.includes('&') ? html.replaceAll(/&(?:amp|lt|gt|#34|#39);/g, (entity) => characters[entity] ?? entity) : html

/**
 * The loop is written by hand: `replaceAll` with a function takes four times as long for a text of only such
 * characters.
 */
function escaped(text: string, these: string): string {
  let result = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > GREATEST_SPECIAL || !these.includes(text.charAt(at))) continue
    result += text.slice(from, at) + (entities[text.charAt(at)] ?? '')
    from = at + 1
  }
  return result + text.slice(from)
}

const special = /[&<>"']/
const GREATEST_SPECIAL = '>'.charCodeAt(0)
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
}
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entities).map(([char, entity]) => [entity, char]),
)

/** An output writes a plain text, or HTML that was made before (`isHtml`). */
export interface Outgoing {
  readonly text: string
  readonly isHtml: boolean
  /** The last characters that were written before it. */
  readonly before: () => string
}

/**
 * Makes a value harmless for the place where it stands. Text and quoted attributes need their five characters
 * escaped. A link must not begin with a scheme that runs or carries a document. A style gets a value and never a
 * declaration, an address or a rule. No value ends the comment that it stands in.
 */
export function escapeFor(place: Place, outgoing: Outgoing): string {
  const { comment, quotes } = place
  const escaped = comment ? withoutDashes(byPlace(place, outgoing), outgoing.isHtml) : byPlace(place, outgoing)
  return quotes ? `"${escaped}"` : escaped
}

/** Returns how many times a plain walk it costs to escape a value in which every character needs it. */
export const priceOf = ({ as, comment }: Place): number => prices[as] + (comment ? 4 : 0)

const prices: Readonly<Record<Place['as'], number>> = {
  text: 2,
  attribute: 2,
  link: 8,
  css: 4,
  'css-url': 32,
  'sheet-url': 32,
}

function byPlace({ as, first }: Place, { text, isHtml, before }: Outgoing): string {
  switch (as) {
    case 'text':
      return isHtml ? text : escapeHtml(text)
    case 'attribute':
      // Its own entities stay; only what could end the attribute is escaped.
      return isHtml ? escaped(text, '<>"\'') : escapeHtml(text)
    case 'link':
      return escapeHtml(safeLink(isHtml ? unescapeHtml(text) : text, first ? '' : before()))
    case 'css':
      return safeCss(isHtml ? unescapeHtml(text) : text)
    case 'css-url':
      return escapeHtml(safeCssUrl(isHtml ? unescapeHtml(text) : text))
    case 'sheet-url':
      // A style sheet knows no entities, and what would need one has been encoded.
      return safeCssUrl(isHtml ? unescapeHtml(text) : text)
  }
}

/** Run a script, carry a document, or show the source of one. */
const dangerousSchemes: ReadonlySet<string> = new Set(
  'javascript vbscript livescript mocha data blob filesystem file jar view-source'.split(' '),
)

/** This stands in the place of an address that was refused. It leads nowhere. */
const NOWHERE = '#'

/**
 * Browsers drop control characters from an address, and blanks at its start, before they look at the scheme; so do
 * we, and the result is what was judged. A scheme may also be put together from several outputs, so what was written
 * before is judged with it. A name without its colon counts too, because the template may go on with one.
 */
function safeLink(text: string, before: string): string {
  if (before === '' && web.test(text)) return text
  const address = text.replaceAll(controls, '')
  const scheme = /^([^:/?#]{0,99})(?::|$)/.exec(`${before}${address}`.replaceAll(invisible, ''))?.[1] ?? ''
  if (dangerousSchemes.has(scheme.toLowerCase())) return NOWHERE
  return before === '' ? address.trimStart() : address
}

/** Nearly all that ever comes, seen at a glance. */
const web = /^https?:\/\/[!-~]*$/i
const controls = /\p{Cc}/gu
const invisible = /[\s\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/g

/** A word, a number, a list of names, a colour. Anything else (`;`, `:`, brackets, quotes) could begin something new. */
const safeCss = (text: string): string => {
  const value = text.trim()
  if (value.includes('--') || value.endsWith('-')) return ''
  return cssWords.test(value) || cssColour.test(value) ? value : ''
}

const cssWords = /^[\p{L}\p{N} #%.,+_!-]*$/u
const cssColour = /^(?:rgb|hsl)a?\([\d\s.,%/]*\)$/i

/** Escapes an address between the brackets of url(): it encodes brackets, quotes and backslashes. */
function safeCssUrl(text: string): string {
  const address = safeLink(text, '').toWellFormed()
  return address.replaceAll(/[^\w\-.~:/?#@!$&*+,;=%[\]]/gu, (char) =>
    encodeURIComponent(char).replaceAll(/['()]/g, hex),
  )
}

const hex = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** A comment is ended by two dashes, and they may come from two sides. HTML keeps the single ones in its names. */
function withoutDashes(text: string, isHtml: boolean): string {
  if (isHtml) return text.replaceAll('--', '-&#45;').replace(/-$/, '&#45;')
  const touches = text.includes('--') || text.startsWith('-') || text.endsWith('-')
  return touches ? text.replaceAll('-', '&#45;') : text
}

/**
 * A header is one line. Line ends, other control characters and the separators of Unicode become one space; letters
 * such as č (U+010D) and Ċ (U+010A), whose low bytes look like CR and LF, are letters and stay.
 */
export const headerText = (text: string): string => text.replaceAll(headerBreaks, ' ').trim().toWellFormed()

const headerBreaks = /[\p{Cc}\u2028\u2029]+/gu
