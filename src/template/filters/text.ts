import { escapeHtml } from '../escape.ts'
import { Search } from '../search.ts'
import { listOf, Markup, numberOf } from '../values.ts'
import { CASED, PER_MATCH, takes, textFor, WALKED_BY_PATTERN, type Signature, type FilterContext } from './filter.ts'

export const textFilters: Readonly<Record<string, Signature>> = {
  append: takes(1, 1, (input, [arg], around) => concatenated(input, arg, around)),
  prepend: takes(1, 1, (input, [arg], around) => concatenated(arg, input, around)),
  upcase: takes(0, 0, (input, _, around) => textFor(input, around, CASED).toUpperCase()),
  downcase: takes(0, 0, (input, _, around) => textFor(input, around, CASED).toLowerCase()),
  capitalize: takes(0, 0, (input, _, around) => capitalized(textFor(input, around, CASED))),
  strip: takes(0, 0, (input, _, around) => shortened(input, around, (text) => text.trim())),
  lstrip: takes(0, 0, (input, _, around) => shortened(input, around, (text) => text.trimStart())),
  rstrip: takes(0, 0, (input, _, around) => shortened(input, around, (text) => text.trimEnd())),
  strip_newlines: takes(0, 0, (input, _, around) => shortened(input, around, withoutNewlines)),
  squish: takes(0, 0, (input, _, around) => shortened(input, around, squished)),
  replace: takes(1, 2, (input, [from, to], around) => replaced(input, from, to, around)),
  replace_first: takes(1, 2, (input, [from, to], around) => replacedOnce(input, from, to, 'first', around)),
  replace_last: takes(2, 2, (input, [from, to], around) => replacedOnce(input, from, to, 'last', around)),
  remove: takes(1, 1, (input, [from], around) => replaced(input, from, '', around)),
  remove_first: takes(1, 1, (input, [from], around) => replacedOnce(input, from, '', 'first', around)),
  remove_last: takes(1, 1, (input, [from], around) => replacedOnce(input, from, '', 'last', around)),
  truncate: takes(0, 2, (input, [length, ending], around) => truncated(input, length, ending, around)),
  truncatewords: takes(0, 2, (input, [words, ending], around) => truncatedWords(input, words, ending, around)),
  split: takes(1, 1, (input, [separator], around) => split(input, separator, around)),
  slice: takes(1, 2, (input, [begin, length], around) => sliced(input, begin, length, around)),
}

/** HTML and a plain text together are HTML, in which the plain one has been escaped. */
function concatenated(first: unknown, second: unknown, around: FilterContext): unknown {
  const [a, b] = [textFor(first, around), textFor(second, around)]
  around.budget.admit(a.length + b.length)
  if (!(first instanceof Markup) && !(second instanceof Markup)) return a + b
  return new Markup((first instanceof Markup ? a : escapeHtml(a)) + (second instanceof Markup ? b : escapeHtml(b)))
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()

/** Taking white space away leaves HTML as harmless as it was. */
function shortened(input: unknown, around: FilterContext, shorten: (text: string) => string): unknown {
  const text = shorten(textFor(input, around, WALKED_BY_PATTERN))
  return input instanceof Markup ? new Markup(text) : text
}

const withoutNewlines = (text: string): string => text.replaceAll(/\r?\n/g, '')

const squished = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/** The length is judged while the text grows: a million matches times a long replacement fits in no memory. */
function replaced(input: unknown, from: unknown, to: unknown, around: FilterContext): string {
  const [text, pattern, replacement] = [textFor(input, around), textFor(from, around), textFor(to, around)]
  const { budget } = around
  if (pattern === '') return spaced(text, replacement, around)
  const search = new Search(pattern)
  let result = ''
  let at = 0
  for (let found = search.next(text, at); found !== -1; found = search.next(text, at)) {
    budget.spend(PER_MATCH)
    result += text.slice(at, found) + replacement
    at = found + pattern.length
    budget.admit(result.length + text.length - at)
  }
  return at === 0 ? text : result + text.slice(at)
}

/** Before every character, and at the end. */
function spaced(text: string, filler: string, { budget }: FilterContext): string {
  budget.spend((text.length + 1) * PER_MATCH)
  budget.admit(text.length + (text.length + 1) * filler.length)
  return text.replaceAll('', () => filler)
}

function replacedOnce(
  input: unknown,
  from: unknown,
  to: unknown,
  which: 'first' | 'last',
  around: FilterContext,
): string {
  const [text, pattern, replacement] = [textFor(input, around), textFor(from, around), textFor(to, around)]
  around.budget.admit(text.length + replacement.length)
  const at = placeOf(text, pattern, which)
  return at === -1 ? text : text.slice(0, at) + replacement + text.slice(at + pattern.length)
}

function placeOf(text: string, pattern: string, which: 'first' | 'last'): number {
  if (pattern === '') return which === 'first' ? 0 : text.length
  const search = new Search(pattern)
  return which === 'first' ? search.next(text, 0) : search.last(text)
}

/** Counted in code points, so that no emoji is cut in half; the ending counts too. */
function truncated(input: unknown, length: unknown, ending: unknown, around: FilterContext): unknown {
  const most = (length ?? null) === null ? 50 : numberOf(length, around.budget)
  const tail = ending === undefined ? '...' : textFor(ending, around)
  const text = textFor(input, around)
  if (text.length <= most || codePointsIn(text, 0, most) >= text.length) return input
  return text.slice(0, codePointsIn(text, 0, Math.max(most - [...tail].length, 0))) + tail
}

/** Returns the index after this many code points. */
function codePointsIn(text: string, from: number, count: number): number {
  let index = from
  for (let i = 0; i < count && index < text.length; i++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return index
}

function truncatedWords(input: unknown, count: unknown, ending: unknown, around: FilterContext): unknown {
  const most = (count ?? null) === null ? 15 : Math.max(1, Math.floor(numberOf(count, around.budget)))
  const tail = ending === undefined ? '...' : textFor(ending, around)
  const text = textFor(input, around)
  const fewest = Math.min(most + 1, text.length)
  around.budget.spend(fewest * PER_MATCH)
  const words = text.trim().split(/\s+/, fewest)
  return words.length <= most ? input : words.slice(0, most).join(' ') + tail
}

/** Empty parts at the end are dropped, as Ruby does. */
function split(input: unknown, separator: unknown, around: FilterContext): string[] {
  const parts = partsOf(textFor(input, around), textFor(separator, around), around)
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1)
}

function partsOf(text: string, mark: string, { budget }: FilterContext): string[] {
  if (mark === '') {
    budget.spend(text.length)
    return text.split('')
  }
  const search = new Search(mark)
  const parts: string[] = []
  let at = 0
  for (let found = search.next(text, at); found !== -1; found = search.next(text, at)) {
    budget.spend(1)
    parts.push(text.slice(at, found))
    at = found + mark.length
  }
  parts.push(text.slice(at))
  return parts
}

function sliced(input: unknown, begin: unknown, length: unknown, around: FilterContext): unknown {
  const count = length === undefined ? 1 : numberOf(length, around.budget)
  const from = numberOf(begin, around.budget)
  if (Array.isArray(input)) {
    const start = fromEnd(from, input.length)
    const kept = start < 0 || count < 0 ? [] : listOf(input).slice(start, start + count)
    around.budget.spend(kept.length)
    return kept
  }
  const text = textFor(input, around)
  const start = fromEnd(from, from < 0 ? [...text].length : 0)
  if (start < 0 || count < 0) return ''
  const first = codePointsIn(text, 0, start)
  return text.slice(first, codePointsIn(text, first, count))
}

const fromEnd = (index: number, length: number): number => (index < 0 ? length + index : index)
