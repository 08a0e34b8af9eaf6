import type { DelayStepInput, DelayUnit } from './schema.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const WEEK = 7 * DAY

const unitMs: Readonly<Record<DelayUnit, number>> = {
  seconds: SECOND,
  minutes: MINUTE,
  hours: HOUR,
  days: DAY,
  weeks: WEEK,
}

const MAX_MS = 366 * DAY

/** Milliseconds, or what is wrong and where. A day has 24 hours. */
export function delayOf({ duration, amount, unit }: DelayStepInput): number | { path: string; message: string } {
  const path = duration === undefined && amount !== undefined ? '/amount' : '/duration'
  if (duration === undefined && amount === undefined) {
    return { path, message: 'is required, unless there are an amount and a unit' }
  }
  if (duration !== undefined && (amount !== undefined || unit !== undefined)) {
    return { path, message: 'cannot stand beside an amount or a unit' }
  }
  if (duration === undefined && unit === undefined) return { path: '/unit', message: 'is required with an amount' }
  const ms = duration === undefined ? (amount ?? 0) * unitMs[unit ?? 'seconds'] : parsed(duration)
  if (typeof ms === 'string') return { path, message: ms }
  if (ms < SECOND || ms > MAX_MS) return { path, message: 'must be between a second and 366 days, like P3D' }
  return ms
}

/** ISO 8601 without what has no length of its own: months, years, fractions. */
function parsed(text: string): number | string {
  const weeks = /^P(\d{1,9})W$/.exec(text)
  if (weeks) return Number(weeks[1]) * WEEK
  const parts = /^P(?=.)(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?$/.exec(text)
  if (parts) {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0))
    return days * DAY + hours * HOUR + minutes * MINUTE + seconds * SECOND
  }
  if (/^P[\dYMWDTHS.,]+$/.test(text) && /[YM.,]/.test(text.split('T')[0] ?? '')) {
    return 'must be in weeks, or in whole days, hours, minutes and seconds: months and years differ in length'
  }
  return 'must be an ISO 8601 duration such as P1D or PT30M'
}
