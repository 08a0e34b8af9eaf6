/** Computes when marketing may arrive: by the local time of the recipient, in every zone where the number may be. */

/** `HH:MM` of the local day, `24:00` for its end. The start belongs to it, the end does not. */
export interface Hours {
  start: string
  end: string
  /** Sundays may begin later. */
  sundayStart?: string | undefined
}

/** These are the rules as of November 2026. */
export const presets = {
  /** 47 CFR 64.1200(c)(1) sets these hours. */
  federal: { start: '08:00', end: '21:00' },
  /** These hours satisfy Florida, Oklahoma, Maryland and Texas together. */
  strict: { start: '09:00', end: '20:00', sundayStart: '12:00' },
} as const satisfies Record<string, Hours>

export type QuietVerdict =
  | { kind: 'allowed' }
  | { kind: 'deferred'; until: Date }
  /** The hours leave no moment that suits all zones. */
  | { kind: 'never' }

export function quietHours(
  at: Date,
  { zones, hours, random }: { zones: readonly string[]; hours: Hours; random: () => number },
): QuietVerdict {
  const opening = whenAllowed(at.getTime(), zones, hours)
  if (opening === undefined) return { kind: 'never' }
  if (opening === at.getTime()) return { kind: 'allowed' }
  // Messages spread after the opening instead of leaving all at eight. Near the end of the hours there is no room for
  // it.
  const spread = opening + Math.floor(random() * SPREAD_MS)
  const isOpen = whenAllowed(spread, zones, hours) === spread
  return { kind: 'deferred', until: new Date(isOpen ? spread : opening) }
}

export const isHours = ({ start, end, sundayStart = start }: Hours): boolean =>
  [start, end, sundayStart].every((time) => /^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(time)) &&
  start < end &&
  sundayStart < end

const SPREAD_MS = 10 * 60_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Every weekday has had its turn by then. */
const HORIZON_MS = 8 * DAY_MS

/** The first moment, from `at` on, that is allowed in every zone. */
function whenAllowed(at: number, zones: readonly string[], hours: Hours): number | undefined {
  let moment = at
  for (;;) {
    const next = Math.max(...zones.map((zone) => nextOpening(moment, zone, hours)))
    if (next === moment) return moment
    if (next - at > HORIZON_MS) return undefined
    moment = next
  }
}

/** Returns the next open moment in one zone, which is the moment itself while that is open. */
function nextOpening(moment: number, zone: string, hours: Hours): number {
  const wall = wallTime(moment, zone)
  const midnight = wall - (((wall % DAY_MS) + DAY_MS) % DAY_MS)
  const opens = midnight + startOf(midnight, hours)
  if (wall < opens) return instantOf(opens, zone, moment)
  if (wall < midnight + milliseconds(hours.end)) return moment
  const tomorrow = midnight + DAY_MS
  return instantOf(tomorrow + startOf(tomorrow, hours), zone, moment)
}

function startOf(midnight: number, { start, sundayStart = start }: Hours): number {
  const isSunday = new Date(midnight).getUTCDay() === 0
  return milliseconds(isSunday ? sundayStart : start)
}

const milliseconds = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return (hours * 60 + minutes) * MINUTE_MS
}

/**
 * Returns when the clocks of a zone show a time, after `after`. A time that the clocks skip counts as reached when they
 * skip it; one that they show twice is meant at its next occurrence.
 */
function instantOf(wall: number, zone: string, after: number): number {
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((around) => wallTime(around, zone) - around)
  const candidates = offsets.map((offset) => wall - offset).toSorted((a, b) => a - b)
  const exact = candidates.find((instant) => instant > after && wallTime(instant, zone) === wall)
  if (exact !== undefined) return exact
  const [first = wall, last = wall] = candidates
  for (let instant = Math.max(first, after + 1); instant < last; instant += MINUTE_MS - (instant % MINUTE_MS)) {
    if (wallTime(instant, zone) >= wall) return instant
  }
  return Math.max(last, after + 1)
}

/** Returns the local time as if it were UTC. */
function wallTime(instant: number, zone: string): number {
  const parts = clockOf(zone).formatToParts(instant)
  const of = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find((part) => part.type === type)?.value)
  const second = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return second + (((instant % 1000) + 1000) % 1000)
}

/** Making one takes a hundred times as long as asking it. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // The map stays small: names of zones are checked before they come here.
  clocks.set(zone, clock)
  return clock
}
