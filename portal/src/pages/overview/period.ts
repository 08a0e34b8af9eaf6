import { shortDate, shortTime } from '../../kit/format.ts'
import { momentOf, wallTime } from '../../kit/zones.ts'
import type { OverviewWish, Period } from './search.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The API answers about so many days at most. */
const MAX_DAYS = 732
/** A period of one's own that is longer has a bar for each day. */
const MAX_DAYS_BY_HOUR = 7

export interface Range {
  from: string
  to: string
  step: 'hour' | 'day'
}

const lengths: Readonly<Record<Period, { hours: number } | { days: number }>> = {
  '24h': { hours: 24 },
  '48h': { hours: 48 },
  '7d': { hours: 168 },
  '30d': { days: 30 },
  '90d': { days: 90 },
}

/** When a point begins. */
export const titleOf = (step: 'minute' | Range['step'], at: string): string =>
  step === 'day' ? shortDate(new Date(at)) : shortTime(new Date(at))

/**
 * The last hours or days of the zone up to the end of the present one, or the period that stands in the address, and as
 * much time before. Undefined for a period that ends before it begins, or that is too long.
 */
export function rangesOf(
  { period = '24h', from, to }: OverviewWish,
  now: number,
  zone: string,
): { current: Range; before: Range } | undefined {
  const length = lengths[period]
  if (from !== undefined || to !== undefined) {
    const end = to === undefined ? now : Date.parse(to)
    const usual = 'hours' in length ? length.hours * HOUR_MS : length.days * DAY_MS
    return ownRanges(from === undefined ? end - usual : Date.parse(from), end, zone)
  }
  return lastRanges(period, now, zone)
}

/** The last hours or days of the zone, and as many before. */
export function lastRanges(period: Period, now: number, zone: string): { current: Range; before: Range } {
  const length = lengths[period]
  return 'hours' in length ? hours(length.hours, now, zone) : days(length.days, now, zone)
}

function ownRanges(begin: number, end: number, zone: string): { current: Range; before: Range } | undefined {
  if (end <= begin || end - begin > (MAX_DAYS - 1) * DAY_MS) return undefined
  // What begins or ends within an hour or a day has the whole of it.
  return end - begin <= MAX_DAYS_BY_HOUR * DAY_MS
    ? hours(Math.ceil((end - hourOf(begin, zone)) / HOUR_MS), end - 1, zone)
    : days(Math.round((dayOf(end - 1, zone) - dayOf(begin, zone)) / DAY_MS) + 1, end - 1, zone)
}

/** So many hours, of which the last is that of the given moment. */
function hours(count: number, last: number, zone: string): { current: Range; before: Range } {
  const end = hourOf(last, zone) + HOUR_MS
  const range = (until: number): Range => ({
    from: written(until - count * HOUR_MS),
    to: written(until),
    step: 'hour',
  })
  return { current: range(end), before: range(end - count * HOUR_MS) }
}

/** So many days of the zone, of which the last is that of the given moment. */
function days(count: number, last: number, zone: string): { current: Range; before: Range } {
  const lastDay = dayOf(last, zone)
  const midnight = (distance: number): string => {
    const date = new Date(lastDay + distance * DAY_MS).toISOString().slice(0, 10)
    return written(momentOf(`${date}T00:00`, zone)?.getTime() ?? last)
  }
  return {
    current: { from: midnight(1 - count), to: midnight(1), step: 'day' },
    before: { from: midnight(1 - 2 * count), to: midnight(1 - count), step: 'day' },
  }
}

/** When the hour of a moment begins on the clocks of the zone. */
function hourOf(ms: number, zone: string): number {
  const minute = Math.floor(ms / MINUTE_MS) * MINUTE_MS
  return minute - Number(wallTime(new Date(minute), zone).slice(-2)) * MINUTE_MS
}

/** The date of a moment in the zone, as midnight of UTC: such days are all equally long. */
const dayOf = (ms: number, zone: string): number => Date.parse(`${wallTime(new Date(ms), zone).slice(0, 10)}T00:00Z`)

const written = (ms: number): string => new Date(ms).toISOString()
