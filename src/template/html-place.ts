import { isRawElement, kindOf, UNKNOWN, type HtmlContext } from './html-context.ts'
import type { Place } from './syntax.ts'

const UNQUOTED = 'put quotes around the whole value of the attribute, or it could end in the middle'

/**
 * Returns how to escape a value in this context, or why none is safe there. `next` is the character that follows it.
 */
export function placeAt(context: HtmlContext, next: string): Place | string {
  const place = { quotes: false, comment: context.conditional, first: context.link === 'first' }
  switch (context.mode) {
    case 'text':
      return { ...place, as: 'text' }
    case 'comment':
    case 'bogus':
      return { ...place, as: 'text', comment: true }
    case 'raw':
      if (context.element === 'script') return 'a value cannot stand inside of a script'
      return { ...place, as: context.element !== 'style' ? 'text' : context.cssUrl ? 'sheet-url' : 'css' }
    case 'value':
      return context.quote === '' ? UNQUOTED : inValue(context, place)
    case 'before-value':
      // In `width={{ width }}>` the output is the whole value, so quotes can be put around it.
      return /[\s>]/.test(next) ? inValue(context, { ...place, quotes: true }) : UNQUOTED
    default:
      return 'a value cannot stand here: put it into the text, or into the value of an attribute'
  }
}

function inValue(context: HtmlContext, place: Omit<Place, 'as'>): Place | string {
  const kind = kindOf(context.attribute)
  if (context.attribute.startsWith(UNKNOWN))
    return 'a value cannot stand in an attribute whose name depends on a condition'
  if (kind === 'refused') return `a value cannot stand in the attribute ${context.attribute}`
  if (context.link === 'refused') return 'a value cannot stand in an address that begins like this'
  if (kind === 'link') return { ...place, as: context.link === 'settled' ? 'attribute' : 'link' }
  return { ...place, as: kind === 'css' && context.cssUrl ? 'css-url' : kind }
}

/** The spot after two ways through the template, or undefined if they do not meet. */
export function joinContexts(a: HtmlContext, b: HtmlContext): HtmlContext | undefined {
  if (shape(a) !== shape(b)) return undefined
  return {
    ...a,
    element: a.element === b.element ? a.element : UNKNOWN,
    attribute: joinedName(a, b),
    link: a.link === b.link ? a.link : a.link === 'refused' || b.link === 'refused' ? 'refused' : 'open',
    read: a.read === b.read ? a.read : '',
    tail: a.tail === b.tail ? a.tail : '',
  }
}

/** All in which two spots must agree. */
function shape(context: HtmlContext): string {
  const inTag = context.mode !== 'text' && context.mode !== 'comment' && context.mode !== 'bogus'
  const element = inTag && isRawElement(context) ? context.element : ''
  return [
    context.mode,
    context.quote,
    context.conditional,
    context.cssUrl,
    element,
    context.mode === 'markup' ? context.read : '',
  ].join()
}

/** Two attributes of one kind are as good as one, but not while their names are still being read. */
function joinedName(a: HtmlContext, b: HtmlContext): string {
  if (a.attribute === b.attribute) return a.attribute
  return a.mode !== 'attribute-name' && kindOf(a.attribute) === kindOf(b.attribute) ? a.attribute : UNKNOWN
}
