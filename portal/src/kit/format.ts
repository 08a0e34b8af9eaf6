import { words } from '../words/words.ts'
import { currentSettings } from './settings.ts'

const DAY_MS = 86_400_000

/** "4 min ago" up to a day; the date and time after that. */
export function relativeTime(at: Date, now: number): string {
  const distance = at.getTime() - now
  const size = Math.abs(distance)
  if (size < 1_000) return words.kit.time.now
  if (size >= DAY_MS) return shortTime(at)
  const formatter = new Intl.RelativeTimeFormat(currentSettings().locale, { style: 'short' })
  if (size < 60_000) return formatter.format(Math.trunc(distance / 1_000), 'second')
  if (size < 3_600_000) return formatter.format(Math.trunc(distance / 60_000), 'minute')
  return formatter.format(Math.trunc(distance / 3_600_000), 'hour')
}

/** "17 Nov, 10:42" in the person's zone, with the year where it is another one. */
export function shortTime(at: Date): string {
  const isThisYear = at.getUTCFullYear() === new Date().getUTCFullYear()
  return dates({
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(at)
}

/** "10:42" in the person's zone. */
export const hourTime = (at: Date): string => dates({ hour: '2-digit', minute: '2-digit' }).format(at)

/** "17 Nov" in the person's zone. */
export const shortDate = (at: Date): string => dates({ day: 'numeric', month: 'short' }).format(at)

/** "10:42:12" in the person's zone. */
export const clockTime = (at: Date): string =>
  dates({ hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(at)

/** The whole time with its zone, and the same in UTC. */
export const fullTime = (at: Date): string =>
  `${dates({ dateStyle: 'full', timeStyle: 'long' }).format(at)}\n${words.kit.time.utc(at.toISOString().replace('T', ' ').replace('Z', ''))}`

const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(currentSettings().locale, { ...options, timeZone: currentSettings().timeZone })

export const formatNumber = (value: number): string => new Intl.NumberFormat(currentSettings().locale).format(value)

export const formatPercent = (share: number, digits = 1): string =>
  new Intl.NumberFormat(currentSettings().locale, { style: 'percent', maximumFractionDigits: digits }).format(share)

/** "14 KB", counted in thousands as file managers do. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat(currentSettings().locale, {
    style: 'unit',
    unit: units[step] ?? 'byte',
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: step > 1 ? 1 : 0,
  }).format(bytes / 1_000 ** step)
}

/** "412 ms", "1.4 s", "3 min". */
export function formatDuration(ms: number): string {
  const [value, unit] =
    ms < 1_000
      ? [Math.round(ms), 'millisecond']
      : ms < 60_000
        ? [ms / 1_000, 'second']
        : ms < 3_600_000
          ? [ms / 60_000, 'minute']
          : [ms / 3_600_000, 'hour']
  return new Intl.NumberFormat(currentSettings().locale, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  }).format(value)
}
