import { escapeHtml, unescapeHtml } from '../escape.ts'
import { Markup, textOf } from '../values.ts'
import { takes, textFor, WALKED_BY_PATTERN, type Filter, type Signature, type FilterContext } from './filter.ts'

/** Filters that know HTML and URLs. In HTML the first three give Markup, which is not escaped again on its way out. */
export const markupFilters: Readonly<Record<string, Signature>> = {
  escape: takes(0, 0, (input, _, around) => markup(escapeHtml(textFor(input, around, ESCAPED)), around)),
  escape_once: takes(0, 0, (input, _, around) => markup(escapedOnce(input, around), around)),
  newline_to_br: takes(0, 0, (input, _, around) => brokenLines(input, around)),
  strip_html: takes(0, 0, (input, _, around) => withoutTags(textFor(input, around, WALKED_BY_PATTERN))),
  url_encode: takes(0, 0, (input, _, around) => encoded(plain(input, around))),
  url_decode: takes(0, 0, (input, _, around) => decoded(plain(input, around))),
  // Means something as the last filter of an output only, where the parser has seen it.
  raw: takes(0, 0, (input) => input),
}

/** Escaping costs this many times a plain walk, if every character needs it. */
const ESCAPED = 2

const markup = (html: string, around: FilterContext): unknown => (around.html ? new Markup(html) : html)

const escapedOnce = (input: unknown, around: FilterContext): string =>
  escapeHtml(unescapeHtml(textFor(input, around, ESCAPED + 1)))

/** In HTML the breaks must survive, so the rest is escaped before they are put in. */
const brokenLines: (input: unknown, around: FilterContext) => unknown = (input, around) => {
  const text = textFor(input, around, WALKED_BY_PATTERN)
  const safe = around.html && !(input instanceof Markup) ? escapeHtml(text) : text
  return markup(safe.replaceAll(/\r?\n/g, '<br />\n'), around)
}

/**
 * Scripts, styles and comments go with their content, tags without. Each closing is looked for once more only after
 * it was found before, so a flood of openings stays cheap.
 */
function withoutTags(text: string): string {
  const closings = new Map([
    ['<script', '</script>'],
    ['<style', '</style>'],
    ['<!--', '-->'],
  ])
  let kept = ''
  for (let at = 0; at < text.length;) {
    const tag = text.indexOf('<', at)
    if (tag === -1) return kept + text.slice(at)
    kept += text.slice(at, tag)
    const end = endOfTag(text, tag, closings)
    if (end === undefined) return kept + text.slice(tag)
    at = end
  }
  return kept
}

function endOfTag(text: string, tag: number, closings: Map<string, string>): number | undefined {
  const next = text[tag + 1]
  if (next === 's' || next === '!') {
    for (const [opening, closing] of closings) {
      if (!text.startsWith(opening, tag)) continue
      const end = text.indexOf(closing, tag + opening.length)
      if (end !== -1) return end + closing.length
      closings.delete(opening)
    }
  }
  const end = text.indexOf('>', tag + 1)
  return end === -1 ? undefined : end + 1
}

/** An address that was captured in HTML has its ampersands escaped; what is meant is the address itself. */
function plain(input: unknown, around: FilterContext): string {
  const text = textFor(input, around, ENCODED)
  return input instanceof Markup ? unescapeHtml(text) : text
}

/** Encoding costs this many times a plain walk: a character becomes up to nine. */
const ENCODED = 2

/** Half a surrogate pair has no encoding; encodeURIComponent would throw. Ids and the like need none. */
const encoded = (text: string): string =>
  /^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text.toWellFormed()).replaceAll('%20', '+')

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // A stray percent sign is no reason to lose the message.
    return text
  }
}

/** Nil, false and what is empty give way to the fallback; `allow_false: true` keeps false. */
const fallback: Filter = (input, [alternative, allowFalse], { budget }) => {
  if (typeof input === 'string' || input instanceof Markup) return textOf(input, budget) === '' ? alternative : input
  if (Array.isArray(input)) return input.length === 0 ? alternative : input
  if (input === false) return allowFalse === true ? false : alternative
  return input === undefined || input === null || typeof input === 'symbol' ? alternative : input
}

export const fallbackFilter: Signature = takes(1, 1, fallback, ['allow_false'])
