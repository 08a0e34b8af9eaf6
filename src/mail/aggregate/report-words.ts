/** What all kinds of reports have: words of strangers, numbers that may be anything, and a day. */
import { toSingleLine } from '../headers.ts'
import { parseMailHost } from '../domain-name.ts'
import { Unreadable } from './unreadable.ts'

const MAX_WORD_LENGTH = 200

/** One line that can be stored and shown. */
export const wordOf = (text: string): string =>
  toSingleLine(text)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_WORD_LENGTH)
    .toWellFormed()

/** No report is about more: a larger number is a mistake or a lie, and sums of such numbers would lose their last digits. */
const MAX_COUNT = 1e10

/** Undefined for anything that is no number of messages. */
export function countOf(given: unknown): number | undefined {
  const count = typeof given === 'string' && /^\s*\d{1,15}\s*$/.test(given) ? Number(given) : given
  return typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : undefined
}

export function checkedTotal(total: number): number {
  if (total > MAX_COUNT) throw new Unreadable('its numbers cannot be true')
  return total
}

/** In lower case and A-labels; undefined for what is no name. */
export function domainNamed(text: string): string | undefined {
  const host = parseMailHost(text.trim().replace(/\.$/, ''))
  return host.ok ? host.value : undefined
}

const DAY_MS = 86_400_000
const MAX_SPAN_MS = 40 * DAY_MS
/** DMARC's first year. */
const FIRST = Date.UTC(2012, 0, 1)
const LAST = Date.UTC(2200, 0, 1)

/** The day (UTC) of the middle: reporters begin their days at midnight, in time zones of their own. */
export function dayBetween(beginMs: number, endMs: number): string {
  const isPossible = beginMs >= FIRST && endMs >= beginMs && endMs <= LAST && endMs - beginMs <= MAX_SPAN_MS
  if (!isPossible) throw new Unreadable('its time makes no sense')
  return new Date((beginMs + endMs) / 2).toISOString().slice(0, 10)
}
