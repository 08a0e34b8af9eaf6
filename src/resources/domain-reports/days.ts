import { parseMoment } from '../../core/clock.ts'
import { invalid } from '../../core/errors.ts'
import type { Days } from './store.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MAX_DAYS = 732

/** Both days are included. The last thirty days unless something else is asked for. */
export function daysOf({ from, to }: { from?: string; to?: string }, now: number): Days {
  const last = to === undefined ? now : momentOf(to, '/query/to', -1)
  const first = from === undefined ? last - (USUAL_DAYS - 1) * DAY_MS : momentOf(from, '/query/from', 0)
  const [firstDay, lastDay] = [dayOf(first), dayOf(last)]
  if (firstDay > lastDay) throw invalid([{ path: '/query/from', message: 'is later than `to`' }])
  if (last - first > MAX_DAYS * DAY_MS)
    throw invalid([{ path: '/query/from', message: `is more than ${MAX_DAYS} days before \`to\`` }])
  return { from: firstDay, to: lastDay }
}

/** A time is where something ends or begins: midnight as an end belongs to the day before it. */
function momentOf(text: string, path: string, step: number): number {
  const isDay = text.length === 10
  const moment = parseMoment(isDay ? `${text}T00:00:00Z` : text)
  if (moment === undefined) throw invalid([{ path, message: 'is not a day that exists' }])
  return moment.getTime() + (isDay ? 0 : step)
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
