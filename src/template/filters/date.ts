import { Markup, textOf } from '../values.ts'
import { takes, textFor, type Signature, type FilterContext } from './filter.ts'
import { strftime } from './strftime.ts'
import { offsetOf, type Offset } from './time-zone.ts'

const DEFAULT_FORMAT = '%A, %B %-e, %Y at %-l:%M %P %z'

/** Longer than any way to write a moment. */
const MAX_DATE_LENGTH = 64

/** Formatting is dearer than other filters, above all in a time zone that has a name. */
const PRICE = 10
const PRICE_OF_ZONE = 50

/**
 * `date: "%d.%m.%Y"`, in UTC, or in the zone that a second argument names: `"Europe/Vienna"`, `"+02:00"`, or minutes
 * west of Greenwich as LiquidJS has it. Never in the zone of the server: the same message must read the same from
 * every node. What is not a date is left as it is.
 */
export const dateFilter: Signature = takes(0, 2, (input, [format, zone], around) => {
  const moment = momentOf(input, around)
  if (moment === undefined) return input
  const pattern = (format ?? null) === null ? DEFAULT_FORMAT : textFor(format, around)
  around.budget.spend(PRICE + pattern.length)
  return strftime(moment, pattern, zoneOf(zone, moment, around))
})

function momentOf(input: unknown, around: FilterContext): number | undefined {
  if (input instanceof Date) return validOrNone(input.getTime())
  if (typeof input === 'number') return validOrNone(input * 1000)
  if (typeof input !== 'string' && !(input instanceof Markup)) return undefined
  const text = textOf(input, around.budget)
    .slice(0, MAX_DATE_LENGTH + 1)
    .trim()
  if (text === 'now' || text === 'today') return around.now()
  return text.length > MAX_DATE_LENGTH ? undefined : validOrNone(parsed(text))
}

/** A Date holds 8.64e15 milliseconds before and after 1970; a zone may add some. */
const validOrNone = (moment: number): number | undefined => (Math.abs(moment) <= 8.6e15 ? moment : undefined)

/** A moment without a zone is taken as UTC; Date.parse would take the server's. Prose with a number in it is no date. */
function parsed(text: string): number {
  if (/^\d+$/.test(text)) return Number(text) * 1000
  const hasZone = /(?:Z|GMT|UTC|[+-]\d\d:?\d\d)$/i.test(text)
  const iso = /^\d{4}-\d\d-\d\d$/.test(text) ? undefined : /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.exec(text)
  if (iso) return Date.parse(text.replace(' ', 'T') + (hasZone ? '' : 'Z'))
  if (/^\d{4}-\d\d(?:-\d\d)?$/.test(text)) return Date.parse(text)
  const named = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i.test(text) && /\b\d{4}\b/.test(text)
  return named ? Date.parse(hasZone ? text : `${text} UTC`) : Number.NaN
}

function zoneOf(zone: unknown, moment: number, around: FilterContext): Offset {
  if ((zone ?? null) === null) return { minutes: 0, name: '' }
  if (typeof zone === 'number') return { minutes: Math.abs(zone) <= 1440 ? -zone : 0, name: '' }
  around.budget.spend(PRICE_OF_ZONE)
  return offsetOf(textFor(zone, around), moment)
}
