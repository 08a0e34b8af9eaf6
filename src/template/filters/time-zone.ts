export interface Offset {
  /** The minutes count east of Greenwich. */
  readonly minutes: number
  /** '' when the zone was given as a number. */
  readonly name: string
}

/**
 * Making a formatter costs a hundred times as much as using it, so they are kept. There are some six hundred zones;
 * the bound is for their spellings in other cases.
 */
const formatters = new Map<string, Intl.DateTimeFormat | null>()
const MAX_FORMATTERS = 1000

/** Returns the offset of a zone (`+05:30`, `America/New_York`) from UTC at a moment. An unknown zone is UTC. */
export function offsetOf(zone: string, moment: number): Offset {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? []
  if (sign !== undefined) {
    return { minutes: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)), name: '' }
  }
  const formatter = formatterFor(zone)
  if (formatter === null) return { minutes: 0, name: '' }
  const part = formatter.formatToParts(moment).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  // The name is "GMT", "GMT+02:00", or for years long ago "GMT+01:05:21".
  const [, east, hour = '0', minute = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(part) ?? []
  return { minutes: (east === '-' ? -1 : 1) * (Number(hour) * 60 + Number(minute)), name: zone }
}

function formatterFor(zone: string): Intl.DateTimeFormat | null {
  if (zone.length > 40) return null
  const kept = formatters.get(zone)
  if (kept !== undefined) return kept
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  const made = makeFormatter(zone)
  formatters.set(zone, made)
  return made
}

function makeFormatter(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  } catch {
    return null
  }
}
