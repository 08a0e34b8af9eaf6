/**
 * A spot in an HTML source, as far as it matters for a value that is written there. Moves as the tokenizer of the
 * HTML standard does (WHATWG, §13.2.5): text → tag → attribute → value and back, comments, and the elements whose
 * content is not markup.
 *
 * Outlook reads markup inside of `<!--[if mso]>`, all others see a comment. Both must hold: the content is followed
 * like markup (`conditional`), and `-->` ends it wherever it stands.
 */
export interface Spot {
  mode: Mode
  /** The tag that is being read, or the one whose raw content is. */
  element: string
  closing: boolean
  attribute: string
  quote: string
  /** How far an address is settled by what stands before: nothing yet, not its scheme, its scheme; or no value fits. */
  link: 'first' | 'open' | 'settled' | 'refused'
  /** What was read since something began that is recognised by its first characters. */
  read: string
  /** Between the brackets of url() in a style. */
  cssUrl: boolean
  conditional: boolean
  /** The last characters of the source before this spot. */
  tail: string
}

type Mode =
  | 'text'
  | 'markup' // after <, and it is not clear yet what this becomes
  | 'comment'
  | 'bogus' // <!doctype …>, <![endif]>, <?…>
  | 'tag-name'
  | 'tag'
  | 'attribute-name'
  | 'after-name'
  | 'before-value'
  | 'value'
  | 'raw'

export const beginning: Readonly<Spot> = {
  mode: 'text',
  element: '',
  closing: false,
  attribute: '',
  quote: '',
  link: 'first',
  read: '',
  cssUrl: false,
  conditional: false,
  tail: '',
}

/** Elements whose content is text up to their end tag. */
const rawElements: ReadonlySet<string> = new Set(
  'script style title textarea xmp iframe noembed noframes plaintext'.split(' '),
)

/** Longer than any name that matters. */
const MAX_NAME_LENGTH = 64
const MAX_TAIL_LENGTH = 3

/** The spot after a piece of source. */
export function advance(from: Readonly<Spot>, text: string): Spot {
  const spot = { ...from }
  let at = 0
  const behind = (ending: string): boolean =>
    at >= ending.length ? text.startsWith(ending, at - ending.length) : (from.tail + text.slice(0, at)).endsWith(ending)
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (spot.conditional && char === '>' && behind('--')) leave(spot, false)
    else moves[spot.mode](spot, char, behind)
    const end = spot.conditional ? '' : endOfSpot(spot)
    if (end !== '') {
      const next = text.indexOf(end, at + 1)
      at = (next === -1 ? text.length : next) - 1
    }
  }
  spot.tail = (from.tail + text.slice(-MAX_TAIL_LENGTH)).slice(-MAX_TAIL_LENGTH)
  return spot
}

/** The next character that can move the spot, where there is only one; '' where every character may. */
function endOfSpot({ mode, quote, link, attribute }: Spot): string {
  if (mode === 'text') return '<'
  if (mode !== 'value' || quote === '') return ''
  const kind = kindOf(attribute)
  return kind === 'css' || (kind === 'link' && link !== 'settled' && link !== 'refused') ? '' : quote
}

type Move = (spot: Spot, char: string, behind: (ending: string) => boolean) => void

const moves: Readonly<Record<Mode, Move>> = {
  text: (spot, char) => {
    if (char === '<') become(spot, 'markup', '<')
  },
  markup: inMarkup,
  comment: inComment,
  bogus: (spot, char) => {
    if (char === '>') leave(spot)
  },
  'tag-name': inTagName,
  tag: inTag,
  'attribute-name': inAttributeName,
  'after-name': inAfterName,
  'before-value': inBeforeValue,
  value: inValue,
  raw: inRaw,
}

const isSpace = (char: string): boolean =>
  char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\f'

/** Back to text. Field by field: this runs for every character of some floods. */
function leave(spot: Spot, conditional = spot.conditional): void {
  become(spot, 'text')
  spot.element = ''
  spot.closing = false
  spot.conditional = conditional
}

function become(spot: Spot, mode: Mode, read = ''): void {
  spot.mode = mode
  spot.read = read
  spot.attribute = ''
  spot.quote = ''
  spot.link = 'first'
  spot.cssUrl = false
}

function inMarkup(spot: Spot, char: string): void {
  const { read } = spot
  leave(spot)
  if ((read === '<' || read === '</') && isLetter(char)) {
    become(spot, 'tag-name')
    spot.closing = read === '</'
    spot.element = char.toLowerCase()
  } else if (read === '<!-' && char === '-') become(spot, 'comment', '--')
  else if ((read === '<' && (char === '/' || char === '!')) || (read === '<!' && char === '-')) {
    become(spot, 'markup', read + char)
  } else if (read === '<' && char === '<') become(spot, 'markup', '<')
  else if ((read !== '<' || char === '?') && char !== '>') become(spot, 'bogus')
}

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')

/** `read` is its beginning with the two dashes: `--[if` makes it a conditional one, and `--` or `---` may be all. */
function inComment(spot: Spot, char: string, behind: (ending: string) => boolean): void {
  if (char === '>') {
    if (behind('--') || behind('--!')) leave(spot)
    else if (/^--\[if/i.test(spot.read) && behind(']')) leave(spot, true)
  }
  if (spot.read.length < 6) spot.read += char
}

function inTagName(spot: Spot, char: string): void {
  if (char === '>') endTag(spot)
  else if (isSpace(char) || char === '/') spot.mode = 'tag'
  else if (spot.element.length < MAX_NAME_LENGTH) spot.element += char.toLowerCase()
}

function endTag(spot: Spot): void {
  const { element } = spot
  const isRaw = isRawElement(spot)
  leave(spot)
  if (!isRaw) return
  spot.mode = 'raw'
  spot.element = element
}

function inTag(spot: Spot, char: string): void {
  if (char === '>') endTag(spot)
  else if (!isSpace(char) && char !== '/') {
    spot.mode = 'attribute-name'
    spot.attribute = char.toLowerCase()
  }
}

function inAttributeName(spot: Spot, char: string): void {
  if (char === '>') endTag(spot)
  else if (char === '=') spot.mode = 'before-value'
  else if (char === '/') endAttribute(spot)
  else if (isSpace(char)) spot.mode = 'after-name'
  else if (spot.attribute.length < MAX_NAME_LENGTH) spot.attribute += char.toLowerCase()
}

export const endAttribute = (spot: Spot): void => become(spot, 'tag')

function inAfterName(spot: Spot, char: string): void {
  if (char === '=') spot.mode = 'before-value'
  else if (!isSpace(char)) {
    endAttribute(spot)
    inTag(spot, char)
  }
}

function inBeforeValue(spot: Spot, char: string, behind: (ending: string) => boolean): void {
  if (isSpace(char)) return
  if (char === '>') return endTag(spot)
  spot.mode = 'value'
  if (char === '"' || char === "'") spot.quote = char
  else inValue(spot, char, behind)
}

function inValue(spot: Spot, char: string, behind: (ending: string) => boolean): void {
  if (spot.quote === '' && char === '>') return endTag(spot)
  if (spot.quote === '' ? isSpace(char) : char === spot.quote) return endAttribute(spot)
  const kind = kindOf(spot.attribute)
  if (kind === 'css') inCss(spot, char, behind)
  else if (kind === 'link' && !isSpace(char)) inAddress(spot, char)
}

function inAddress(spot: Spot, char: string): void {
  if (spot.link === 'settled' || spot.link === 'refused') return
  // A reference may stand for a blank, behind which a scheme could still begin.
  if (char === '&' && spot.link === 'first') spot.link = 'refused'
  else if (char === ':' && /^(?:javascript|vbscript)$/i.test(spot.read)) spot.link = 'refused'
  else if (':/?#'.includes(char)) spot.link = 'settled'
  else spot.link = 'open'
  if (spot.read.length < MAX_NAME_LENGTH) spot.read += char
}

function inCss(spot: Spot, char: string, behind: (ending: string) => boolean): void {
  if (char === '(') spot.cssUrl = behind('url') || behind('URL')
  else if (char === ')') spot.cssUrl = false
}

/** `read` is what may become the end tag. */
function inRaw(spot: Spot, char: string, behind: (ending: string) => boolean): void {
  if (spot.read === '' && char !== '<' && char !== '(' && char !== ')') return
  const end = `</${spot.element}`
  if (spot.read === end && char === '>') return leave(spot)
  if (spot.read === end && (isSpace(char) || char === '/')) {
    leave(spot)
    become(spot, 'tag')
    spot.closing = true
    return
  }
  if (spot.element === 'style') inCss(spot, char, behind)
  const read = char === '<' ? '<' : spot.read + char.toLowerCase()
  spot.read = end.startsWith(read) ? read : ''
}

/** What the value of an attribute is: text, an address, a style, or something in which no value is safe. */
export function kindOf(attribute: string): 'attribute' | 'link' | 'css' | 'refused' {
  if (attribute === 'style') return 'css'
  if (attribute.startsWith('on') || attribute === 'srcdoc' || attribute.startsWith(UNKNOWN)) return 'refused'
  return linkAttributes.has(attribute) || attribute.endsWith(':href') ? 'link' : 'attribute'
}

const linkAttributes: ReadonlySet<string> = new Set(
  (
    'href src srcset action formaction background poster cite longdesc data ping ' +
    'manifest codebase classid profile usemap dynsrc lowsrc icon'
  ).split(' '),
)

/** Begins a name that depends on a condition. */
export const UNKNOWN = '?'

export const isRawElement = ({ element, closing }: Spot): boolean => !closing && rawElements.has(element)
