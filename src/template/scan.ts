import { blanksAtEnd, blanksAtStart } from './blank.ts'
import type { Problems } from './problems.ts'

/** A source cut at its delimiters. The range of an output or a tag is what stands between them. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output' | 'tag'; readonly start: number; readonly from: number; readonly to: number }

/** A source may have this many tags and outputs. That is far more than a message needs, and quick to read. */
const MAX_PIECES = 10_000

/** The longest ending is `{%- endcomment -%}` with some white space. */
const MAX_ENDING_LENGTH = 80

interface Delimited {
  start: number
  /** The start of the text between the delimiters, without the dashes. */
  from: number
  to: number
  /** The source goes on here. */
  next: number
  trimsLeft: boolean
  trimsRight: boolean
  /** A problem that has been told; nothing more is read from it. */
  broken: boolean
}

/**
 * One pass from left to right: every character is looked at a constant number of times, so that a megabyte of opening
 * braces costs what a megabyte of prose does. White-space control, `raw` and `comment` are settled here.
 */
export function scan(source: string, problems: Problems): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  let count = 0
  let trimming = false
  let quotesHold = true
  while (at < source.length && !problems.full) {
    const opening = nextOpening(source, at)
    const found: Delimited | undefined = opening === -1 ? undefined : delimited(source, opening, problems, quotesHold)
    const text = source.slice(at, found ? found.start : source.length)
    addText(pieces, text, trimming, found?.trimsLeft ?? false)
    if (found === undefined) break
    if (++count > MAX_PIECES) {
      problems.add(`the template has more than ${MAX_PIECES} tags and outputs`, found.start)
      break
    }
    const skipped = source[found.start + 1] === '%' ? verbatim(source, found, problems) : undefined
    if (skipped !== undefined) addText(pieces, skipped.text, false, false)
    else if (!found.broken) pieces.push({ kind: kindAt(source, found.start), ...range(found) })
    quotesHold &&= !found.broken
    const last = skipped?.end ?? found
    at = last.next
    trimming = last.trimsRight
  }
  return pieces
}

function nextOpening(source: string, from: number): number {
  for (let at = source.indexOf('{', from); at !== -1; at = source.indexOf('{', at + 1)) {
    if (source[at + 1] === '{' || source[at + 1] === '%') return at
  }
  return -1
}

/** An output with a quote that is never closed has no end: the next braces are taken, and quotes mean no more. */
function delimited(source: string, start: number, problems: Problems, quotesHold = true): Delimited | undefined {
  const isTag = source[start + 1] === '%'
  const plain = source.indexOf(isTag ? '%}' : '}}', start + 2)
  const sound = isTag || !quotesHold || plain === -1 ? plain : endOfOutput(source, start)
  const end = sound === -1 ? plain : sound
  if (end === -1) {
    problems.add(isTag ? 'this {% is never closed by %}' : 'this {{ is never closed by }}', start)
    return undefined
  }
  if (sound === -1) problems.add('there is a quote in this output that is never closed', start)
  const trimsLeft = source[start + 2] === '-' && end > start + 2
  const from = start + (trimsLeft ? 3 : 2)
  const trimsRight = source[end - 1] === '-' && end > from
  return { start, from, to: trimsRight ? end - 1 : end, next: end + 2, trimsLeft, trimsRight, broken: sound === -1 }
}

/** Braces inside of a quoted string do not count. Tags do not look at quotes, as in Liquid: a comment may say don't. */
function endOfOutput(source: string, start: number): number {
  let quote = ''
  for (let at = start + 2; at < source.length; at++) {
    const char = source[at] ?? ''
    if (quote !== '' && char === '\\') at++
    else if (quote !== '' && char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) quote = char
    else if (quote === '' && char === '}' && source[at + 1] === '}') return at
  }
  return -1
}

function addText(pieces: Piece[], text: string, trimLeft: boolean, trimRight: boolean): void {
  const rest = trimLeft ? text.slice(blanksAtStart(text)) : text
  const kept = trimRight ? rest.slice(0, rest.length - blanksAtEnd(rest)) : rest
  if (kept !== '') pieces.push({ kind: 'text', text: kept })
}

/** The inside of `raw` and `comment` is not read: the one is kept as it is, the other is dropped. */
function verbatim(
  source: string,
  opening: Delimited,
  problems: Problems,
): { text: string; end: Delimited } | undefined {
  const name = source.slice(opening.from, opening.to).trim()
  if (name !== 'raw' && name !== 'comment') return undefined
  for (let at = source.indexOf('{%', opening.next); at !== -1; at = source.indexOf('{%', at + 2)) {
    // The search is short: a source full of openings must not look for the same distant end again and again.
    if (!source.slice(at + 2, at + MAX_ENDING_LENGTH).includes('%}')) continue
    const end = delimited(source, at, problems)
    if (end === undefined || source.slice(end.from, end.to).trim() !== `end${name}`) continue
    return { text: name === 'raw' ? source.slice(opening.next, at) : '', end }
  }
  problems.add(`this {% ${name} %} is never closed by {% end${name} %}`, opening.start)
  return { text: '', end: { ...opening, next: source.length } }
}

const kindAt = (source: string, start: number): 'tag' | 'output' => (source[start + 1] === '%' ? 'tag' : 'output')

const range = ({ start, from, to }: Delimited) => ({ start, from, to })
