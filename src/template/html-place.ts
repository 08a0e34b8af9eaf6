import { isRawElement, kindOf, UNKNOWN, type Spot } from './html-context.ts'
import type { Place } from './syntax.ts'

const UNQUOTED = 'put quotes around the whole value of the attribute, or it could end in the middle'

/** How a value is made harmless at a spot, or why it cannot stand there. `next` is the character that follows it. */
export function placeAt(spot: Spot, next: string): Place | string {
  const place = { quotes: false, comment: spot.conditional, first: spot.link === 'first' }
  switch (spot.mode) {
    case 'text':
      return { ...place, as: 'text' }
    case 'comment':
    case 'bogus':
      return { ...place, as: 'text', comment: true }
    case 'raw':
      if (spot.element === 'script') return 'a value cannot stand inside of a script'
      return { ...place, as: spot.element !== 'style' ? 'text' : spot.cssUrl ? 'sheet-url' : 'css' }
    case 'value':
      return spot.quote === '' ? UNQUOTED : inValue(spot, place)
    case 'before-value':
      // `width={{ width }}>`: the value is all there is, so quotes can be put around it.
      return /[\s>]/.test(next) ? inValue(spot, { ...place, quotes: true }) : UNQUOTED
    default:
      return 'a value cannot stand here: put it into the text, or into the value of an attribute'
  }
}

function inValue(spot: Spot, place: Omit<Place, 'as'>): Place | string {
  const kind = kindOf(spot.attribute)
  if (spot.attribute.startsWith(UNKNOWN))
    return 'a value cannot stand in an attribute whose name depends on a condition'
  if (kind === 'refused') return `a value cannot stand in the attribute ${spot.attribute}`
  if (spot.link === 'refused') return 'a value cannot stand in an address that begins like this'
  if (kind === 'link') return { ...place, as: spot.link === 'settled' ? 'attribute' : 'link' }
  return { ...place, as: kind === 'css' && spot.cssUrl ? 'css-url' : kind }
}

/** The spot after two ways through the template, or undefined if they do not meet. */
export function together(a: Spot, b: Spot): Spot | undefined {
  if (shape(a) !== shape(b)) return undefined
  return {
    ...a,
    element: a.element === b.element ? a.element : UNKNOWN,
    attribute: nameOfBoth(a, b),
    link: a.link === b.link ? a.link : a.link === 'refused' || b.link === 'refused' ? 'refused' : 'open',
    read: a.read === b.read ? a.read : '',
    tail: a.tail === b.tail ? a.tail : '',
  }
}

/** All in which two spots must agree. */
function shape(spot: Spot): string {
  const inTag = spot.mode !== 'text' && spot.mode !== 'comment' && spot.mode !== 'bogus'
  const element = inTag && isRawElement(spot) ? spot.element : ''
  return [spot.mode, spot.quote, spot.conditional, spot.cssUrl, element, spot.mode === 'markup' ? spot.read : ''].join()
}

/** Two attributes of one kind are as good as one, but not while their names are still being read. */
function nameOfBoth(a: Spot, b: Spot): string {
  if (a.attribute === b.attribute) return a.attribute
  return a.mode !== 'attribute-name' && kindOf(a.attribute) === kindOf(b.attribute) ? a.attribute : UNKNOWN
}
