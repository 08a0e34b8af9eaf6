/**
 * A spot in an HTML source, as far as it matters for a value that is written there. Moves as the tokenizer of the
 * HTML standard does (WHATWG, §13.2.5): text → tag → attribute → value and back, comments, and the elements whose
 * content is not markup.
 *
 * Outlook reads markup inside of `<!--[if mso]>`, all others see a comment. Both must hold: the content is followed
 * like markup (`conditional`), and `-->` ends it wherever it stands.
 */
export interface HtmlContext {
  mode: Mode
  /** The tag that is being read, or the one whose raw content is. */
  element: string
  closing: boolean
  attribute: string
  quote: string
  /**
   * How much of an address the text before it decides: nothing (`first`), not its scheme (`open`), its scheme
   * (`settled`); or no value is safe (`refused`).
   */
  link: 'first' | 'open' | 'settled' | 'refused'
  /** The characters read since the start of something that is recognised by its beginning. */
  read: string
  /** The position is between the brackets of url() in a style. */
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

export const initialContext: Readonly<HtmlContext> = {
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

/** Returns the context after a piece of source. */
export function advance(from: Readonly<HtmlContext>, text: string): HtmlContext {
  const context = { ...from }
  let at = 0
  const behind = (ending: string): boolean =>
    at >= ending.length ? text.startsWith(ending, at - ending.length) : (from.tail + text.slice(0, at)).endsWith(ending)
  for (; at < text.length; at++) {
    const char = text[at] ?? ''
    if (context.conditional && char === '>' && behind('--')) returnToText(context, false)
    else moves[context.mode](context, char, behind)
    const end = context.conditional ? '' : endOfContext(context)
    if (end !== '') {
      const next = text.indexOf(end, at + 1)
      at = (next === -1 ? text.length : next) - 1
    }
  }
  context.tail = (from.tail + text.slice(-MAX_TAIL_LENGTH)).slice(-MAX_TAIL_LENGTH)
  return context
}

/** The next character that can move the spot, where there is only one; '' where every character may. */
function endOfContext({ mode, quote, link, attribute }: HtmlContext): string {
  if (mode === 'text') return '<'
  if (mode !== 'value' || quote === '') return ''
  const kind = kindOf(attribute)
  return kind === 'css' || (kind === 'link' && link !== 'settled' && link !== 'refused') ? '' : quote
}

type Move = (context: HtmlContext, char: string, behind: (ending: string) => boolean) => void

const moves: Readonly<Record<Mode, Move>> = {
  text: (context, char) => {
    if (char === '<') enter(context, 'markup', '<')
  },
  markup: inMarkup,
  comment: inComment,
  bogus: (context, char) => {
    if (char === '>') returnToText(context)
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

/** Returns to text. It sets field by field, because it runs for every character of hostile sources. */
function returnToText(context: HtmlContext, conditional = context.conditional): void {
  enter(context, 'text')
  context.element = ''
  context.closing = false
  context.conditional = conditional
}

function enter(context: HtmlContext, mode: Mode, read = ''): void {
  context.mode = mode
  context.read = read
  context.attribute = ''
  context.quote = ''
  context.link = 'first'
  context.cssUrl = false
}

function inMarkup(context: HtmlContext, char: string): void {
  const { read } = context
  returnToText(context)
  if ((read === '<' || read === '</') && isLetter(char)) {
    enter(context, 'tag-name')
    context.closing = read === '</'
    context.element = char.toLowerCase()
  } else if (read === '<!-' && char === '-') enter(context, 'comment', '--')
  else if ((read === '<' && (char === '/' || char === '!')) || (read === '<!' && char === '-')) {
    enter(context, 'markup', read + char)
  } else if (read === '<' && char === '<') enter(context, 'markup', '<')
  else if ((read !== '<' || char === '?') && char !== '>') enter(context, 'bogus')
}

const isLetter = (char: string): boolean => (char >= 'a' && char <= 'z') || (char >= 'A' && char <= 'Z')

/** `read` is its beginning with the two dashes: `--[if` makes it a conditional one, and `--` or `---` may be all. */
function inComment(context: HtmlContext, char: string, behind: (ending: string) => boolean): void {
  if (char === '>') {
    if (behind('--') || behind('--!')) returnToText(context)
    else if (/^--\[if/i.test(context.read) && behind(']')) returnToText(context, true)
  }
  if (context.read.length < 6) context.read += char
}

function inTagName(context: HtmlContext, char: string): void {
  if (char === '>') endTag(context)
  else if (isSpace(char) || char === '/') context.mode = 'tag'
  else if (context.element.length < MAX_NAME_LENGTH) context.element += char.toLowerCase()
}

function endTag(context: HtmlContext): void {
  const { element } = context
  const isRaw = isRawElement(context)
  returnToText(context)
  if (!isRaw) return
  context.mode = 'raw'
  context.element = element
}

function inTag(context: HtmlContext, char: string): void {
  if (char === '>') endTag(context)
  else if (!isSpace(char) && char !== '/') {
    context.mode = 'attribute-name'
    context.attribute = char.toLowerCase()
  }
}

function inAttributeName(context: HtmlContext, char: string): void {
  if (char === '>') endTag(context)
  else if (char === '=') context.mode = 'before-value'
  else if (char === '/') endAttribute(context)
  else if (isSpace(char)) context.mode = 'after-name'
  else if (context.attribute.length < MAX_NAME_LENGTH) context.attribute += char.toLowerCase()
}

export const endAttribute = (context: HtmlContext): void => enter(context, 'tag')

function inAfterName(context: HtmlContext, char: string): void {
  if (char === '=') context.mode = 'before-value'
  else if (!isSpace(char)) {
    endAttribute(context)
    inTag(context, char)
  }
}

function inBeforeValue(context: HtmlContext, char: string, behind: (ending: string) => boolean): void {
  if (isSpace(char)) return
  if (char === '>') return endTag(context)
  context.mode = 'value'
  if (char === '"' || char === "'") context.quote = char
  else inValue(context, char, behind)
}

function inValue(context: HtmlContext, char: string, behind: (ending: string) => boolean): void {
  if (context.quote === '' && char === '>') return endTag(context)
  if (context.quote === '' ? isSpace(char) : char === context.quote) return endAttribute(context)
  const kind = kindOf(context.attribute)
  if (kind === 'css') inCss(context, char, behind)
  else if (kind === 'link' && !isSpace(char)) inAddress(context, char)
}

function inAddress(context: HtmlContext, char: string): void {
  if (context.link === 'settled' || context.link === 'refused') return
  // A reference may stand for a blank, behind which a scheme could still begin.
  if (char === '&' && context.link === 'first') context.link = 'refused'
  else if (char === ':' && /^(?:javascript|vbscript)$/i.test(context.read)) context.link = 'refused'
  else if (':/?#'.includes(char)) context.link = 'settled'
  else context.link = 'open'
  if (context.read.length < MAX_NAME_LENGTH) context.read += char
}

function inCss(context: HtmlContext, char: string, behind: (ending: string) => boolean): void {
  if (char === '(') context.cssUrl = behind('url') || behind('URL')
  else if (char === ')') context.cssUrl = false
}

/** `read` is what may become the end tag. */
function inRaw(context: HtmlContext, char: string, behind: (ending: string) => boolean): void {
  if (context.read === '' && char !== '<' && char !== '(' && char !== ')') return
  const end = `</${context.element}`
  if (context.read === end && char === '>') return returnToText(context)
  if (context.read === end && (isSpace(char) || char === '/')) {
    returnToText(context)
    enter(context, 'tag')
    context.closing = true
    return
  }
  if (context.element === 'style') inCss(context, char, behind)
  const read = char === '<' ? '<' : context.read + char.toLowerCase()
  context.read = end.startsWith(read) ? read : ''
}

/** Returns the kind of value that an attribute has: text, an address, a style, or one in which no value is safe. */
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

export const isRawElement = ({ element, closing }: HtmlContext): boolean => !closing && rawElements.has(element)
