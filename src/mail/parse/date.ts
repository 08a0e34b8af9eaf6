const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** RFC 822 §5 names these zones, which are still in use. Every other name says nothing (RFC 5322 §4.3). */
const zones: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
}

const form =
  /(\d{1,2})[ \t-]+([a-z]{3})[a-z]*[ \t,-]+(\d{2,4})[ \t]+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?[ \t]*([+-]\d{4}|[a-z]+)?/i

/** Reads RFC 5322 §3.3 and the obsolete forms. Returns undefined for text that is no date. */
export function readDate(raw: string): Date | undefined {
  const [, day, month = '', year, hour, minute, second = '0', zone = ''] = form.exec(raw.slice(0, MAX_LENGTH)) ?? []
  const index = months.indexOf(month.toLowerCase())
  if (day === undefined || index < 0) return undefined
  const time = Date.UTC(fullYear(Number(year)), index, Number(day), Number(hour), Number(minute), Number(second))
  const date = new Date(time - offset(zone))
  return Number.isNaN(date.getTime()) ? undefined : date
}

const MAX_LENGTH = 200

/** RFC 5322 §4.3 completes years of two and three digits like this. */
const fullYear = (year: number): number => (year < 50 ? year + 2000 : year < 1000 ? year + 1900 : year)

function offset(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? []
  if (sign === undefined) return (zones[zone.toUpperCase()] ?? 0) * 3_600_000
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
