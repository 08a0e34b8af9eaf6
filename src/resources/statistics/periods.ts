/**
 * Minutes, hours and days as the clocks of a zone show them. An hour begins when the clock shows a full hour: where clocks are
 * put by half an hour, one of them is longer. A day begins with its first moment, which need not be midnight.
 */
import { offsetOf } from '../../template/filters/time-zone.ts'
import type { Grain, Step } from './kinds.ts'

const MINUTE = 60_000
/** Every clock in use differs from UTC by whole quarters of an hour, and is put at one. */
const QUARTER = 15 * MINUTE
const HOUR = 60 * MINUTE
/** In an hour. */
const QUARTERS = 4
const DAY = 24 * HOUR

/** Whether the clocks of a zone differ from UTC by whole quarters: those of long ago do not, and no mail is so old. */
export const isInQuarters = (zone: string, at: number): boolean => (offsetOf(zone, at).minutes * MINUTE) % QUARTER === 0

/** Where periods begin, and where the last one ends: one more than there are periods. Undefined if there are too many. */
export function boundaries(step: Step, zone: string, from: number, to: number, most: number): number[] | undefined {
  const show = clockOf(zone)
  const bounds = [beginOf(step, show, from)]
  for (let at = bounds[0] ?? from; at < to;) {
    if (bounds.length > most) return undefined
    at = nextOf(step, show, at)
    bounds.push(at)
  }
  return bounds
}

/** The coarsest counts that all periods can be added up from. */
export function grainOf(bounds: readonly number[]): Grain {
  const all = (size: number): boolean => bounds.every((bound) => bound % size === 0)
  if (all(DAY)) return 'days'
  if (all(HOUR)) return 'hours'
  return all(QUARTER) ? 'quarters' : 'minutes'
}

/** What the clock of a zone shows at a moment, as if that were UTC. */
type Shown = (at: number) => number

/** Asking for an offset is slow. Where it is the same at both ends of a day, it is taken for the same in between. */
function clockOf(zone: string): Shown {
  const known = new Map<number, number>()
  const offset = (at: number): number => {
    const found = known.get(at) ?? offsetOf(zone, at).minutes * MINUTE
    if (at % DAY === 0) known.set(at, found)
    return found
  }
  return (at) => {
    const before = offset(floor(at, DAY))
    return at + (before === offset(floor(at, DAY) + DAY) ? before : offset(at))
  }
}

function beginOf(step: Step, show: Shown, at: number): number {
  if (step === 'minute') return floor(at, MINUTE)
  let begin = floor(at, QUARTER)
  if (step === 'day') return firstOf(show, floor(show(begin), DAY), begin - 2 * DAY, begin)
  for (let i = 1; i < QUARTERS && show(begin) % HOUR !== 0; i++) begin -= QUARTER
  return begin
}

function nextOf(step: Step, show: Shown, at: number): number {
  if (step === 'minute') return at + MINUTE
  if (step === 'day') return nextDay(show, at)
  let next = at + HOUR
  for (let i = 1; i < QUARTERS && show(next) % HOUR !== 0; i++) next += QUARTER
  return next
}

/** Mostly 24 hours later; where that is not the first moment of another date, it is looked for. */
function nextDay(show: Shown, at: number): number {
  const next = at + DAY
  const date = floor(show(at), DAY) + DAY
  if (floor(show(next), DAY) === date && show(next - QUARTER) < date) return next
  return firstOf(show, date, at, at + 2 * DAY)
}

/** The first quarter of an hour that has this date or a later one; it is after `before` and not after `latest`. */
function firstOf(show: Shown, date: number, before: number, latest: number): number {
  let [low, high] = [before, latest]
  while (high - low > QUARTER) {
    const middle = low + floor((high - low) / 2, QUARTER)
    if (show(middle) >= date) high = middle
    else low = middle
  }
  return high
}

const floor = (value: number, size: number): number => Math.floor(value / size) * size
