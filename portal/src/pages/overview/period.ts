import { momentOf, wallTime } from '../../kit/zones.ts'
import type { Period } from './search.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

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

/** The last hours or days of the zone up to the end of the present one, and as many before. */
export function rangesOf(period: Period, now: number, zone: string): { current: Range; before: Range } {
  const length = lengths[period]
  return 'hours' in length
    ? { current: hours(length.hours, 0, now, zone), before: hours(length.hours, 1, now, zone) }
    : { current: days(length.days, 0, now, zone), before: days(length.days, 1, now, zone) }
}

function hours(count: number, periodsAgo: number, now: number, zone: string): Range {
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  const begun = Number(wallTime(new Date(minute), zone).slice(-2)) * MINUTE_MS
  const end = minute - begun + HOUR_MS - periodsAgo * count * HOUR_MS
  return { from: written(end - count * HOUR_MS), to: written(end), step: 'hour' }
}

function days(count: number, periodsAgo: number, now: number, zone: string): Range {
  const today = Date.parse(`${wallTime(new Date(now), zone).slice(0, 10)}T00:00Z`)
  const midnight = (distance: number): string => {
    const date = new Date(today + distance * DAY_MS).toISOString().slice(0, 10)
    return written(momentOf(`${date}T00:00`, zone)?.getTime() ?? now)
  }
  const end = 1 - periodsAgo * count
  return { from: midnight(end - count), to: midnight(end), step: 'day' }
}

const written = (ms: number): string => new Date(ms).toISOString()
