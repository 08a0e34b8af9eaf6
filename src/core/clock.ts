import { invalid } from './errors.ts'

/**
 * Time is an argument. Due times, leases and expiry are decided by the database's clock alone (see `clock_now()` in
 * the migrations); this one is for measuring and for waiting inside a process.
 */
export interface Clock {
  /** Returns milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock for pauses: the operator cannot set it back, because it counts from the start of the process. */
export const steadyClock: Clock = { now: () => performance.now() }

/** A moment that a client wrote. The shape was checked before; the calendar is checked here. */
export function parseMoment(text: string): Date | undefined {
  const moment = new Date(text)
  // JavaScript turns 31 February into 3 March instead of refusing it.
  const day = Number(text.slice(8, 10))
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  return Number.isNaN(moment.getTime()) || day > lastDay ? undefined : moment
}

/** Parses the same, and refuses a moment that does not exist with an error. */
export function parseTimestamp(text: string, path: string): Date {
  const moment = parseMoment(text)
  if (moment === undefined) throw invalid([{ path, message: 'is not a date and time that exists' }])
  return moment
}

export const parseOptionalTimestamp = (text: string | undefined, path: string): Date | undefined =>
  text === undefined ? undefined : parseTimestamp(text, path)

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
