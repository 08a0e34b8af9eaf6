import type { Offset } from './time-zone.ts'

/** The names are English, whatever the locale of the server: the template can translate them. */
const months = 'January February March April May June July August September October November December'.split(' ')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** The wall clock of a zone, kept in a Date that claims to be UTC. */
interface Wall {
  readonly date: Date
  readonly moment: number
  readonly offset: Offset
}

/** A directive has flags, a width and a letter. Letters that mean nothing stay as they are. */
const directive = /%([-_0^#:]{0,4})(\d{0,2})([a-zA-Z%])/g

export function strftime(moment: number, format: string, offset: Offset): string {
  const wall: Wall = { date: new Date(moment + offset.minutes * 60_000), moment, offset }
  return format.replaceAll(directive, (written, flags: string, width: string, letter: string) => {
    const composed = compositions[letter]
    if (composed !== undefined) return padded(strftime(moment, composed, offset), flags, Number(width), ' ')
    const field = fields[letter]
    if (field === undefined) return written
    const value = field.read(wall, flags)
    return padded(value, flags, Number(width) || field.width, field.blank === true ? ' ' : '0')
  })
}

function padded(value: string, flags: string, width: number, pad: string): string {
  const cased = flags.includes('^') ? value.toUpperCase() : flags.includes('#') ? swapped(value) : value
  if (flags.includes('-')) return cased
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : pad
  if (filler === '0' && cased.startsWith('-')) return `-${cased.slice(1).padStart(width - 1, '0')}`
  return cased.padStart(width, filler)
}

const swapped = (value: string): string => (/[a-z]/.test(value) ? value.toUpperCase() : value.toLowerCase())

const compositions: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
}

interface Field {
  readonly read: (wall: Wall, flags: string) => string
  readonly width: number
  /** The field is padded with blanks, not with zeros. */
  readonly blank?: boolean
}

const numeric = (width: number, read: (date: Date) => number): Field => ({
  width,
  read: ({ date }) => String(read(date)),
})
const spaced = (width: number, read: (date: Date) => number): Field => ({ ...numeric(width, read), blank: true })
const named = (read: (wall: Wall, flags: string) => string): Field => ({ width: 0, read, blank: true })

const twelve = (date: Date): number => date.getUTCHours() % 12 || 12

const fields: Readonly<Record<string, Field>> = {
  a: named(({ date }) => (days[date.getUTCDay()] ?? '').slice(0, 3)),
  A: named(({ date }) => days[date.getUTCDay()] ?? ''),
  b: named(({ date }) => (months[date.getUTCMonth()] ?? '').slice(0, 3)),
  B: named(({ date }) => months[date.getUTCMonth()] ?? ''),
  C: numeric(2, (date) => Math.floor(date.getUTCFullYear() / 100)),
  d: numeric(2, (date) => date.getUTCDate()),
  e: spaced(2, (date) => date.getUTCDate()),
  h: named(({ date }) => (months[date.getUTCMonth()] ?? '').slice(0, 3)),
  H: numeric(2, (date) => date.getUTCHours()),
  I: numeric(2, twelve),
  j: numeric(3, dayOfYear),
  k: spaced(2, (date) => date.getUTCHours()),
  l: spaced(2, twelve),
  L: numeric(3, (date) => date.getUTCMilliseconds()),
  m: numeric(2, (date) => date.getUTCMonth() + 1),
  M: numeric(2, (date) => date.getUTCMinutes()),
  n: named(() => '\n'),
  p: named(({ date }) => (date.getUTCHours() < 12 ? 'AM' : 'PM')),
  P: named(({ date }) => (date.getUTCHours() < 12 ? 'am' : 'pm')),
  q: named(({ date }) => ordinal(date.getUTCDate())),
  s: { width: 0, read: ({ moment }) => String(Math.floor(moment / 1000)) },
  S: numeric(2, (date) => date.getUTCSeconds()),
  t: named(() => '\t'),
  u: numeric(1, (date) => date.getUTCDay() || 7),
  U: numeric(2, (date) => weekOfYear(date, 0)),
  w: numeric(1, (date) => date.getUTCDay()),
  W: numeric(2, (date) => weekOfYear(date, 1)),
  y: numeric(2, (date) => ((date.getUTCFullYear() % 100) + 100) % 100),
  Y: numeric(4, (date) => date.getUTCFullYear()),
  z: { width: 0, read: ({ offset }, flags) => zone(offset, flags) },
  Z: named(({ offset }, flags) => offset.name || zone(offset, flags)),
  '%': named(() => '%'),
}

function dayOfYear(date: Date): number {
  return (
    Math.round((Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()) - firstOfYear(date)) / 864e5) + 1
  )
}

const firstOfYear = (date: Date): number => Date.UTC(date.getUTCFullYear(), 0, 1)

/** Days before the year's first Sunday (or Monday) belong to week 0. */
const weekOfYear = (date: Date, firstDay: number): number =>
  Math.floor((dayOfYear(date) - 1 - ((date.getUTCDay() - firstDay + 7) % 7) + 7) / 7)

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return 'th'
  return ['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'
}

function zone({ minutes }: Offset, flags: string): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const colon = flags.includes(':') ? ':' : ''
  return `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}${colon}${String(rest).padStart(2, '0')}`
}
