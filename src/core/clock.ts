import { invalid } from './errors.ts'

/**
 * Time is an argument. Due times, leases and expiry are decided by the database's clock alone (see `clock_now()` in
 * the migrations); this one is for measuring and for waiting inside a process.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** For pauses: never set, but it counts from when the process began. */
export const steadyClock: Clock = { now: () => performance.now() }

/** A moment that a client wrote. The shape was checked before; the calendar is checked here. */
export function parseMoment(text: string): Date | undefined {
  const moment = new Date(text)
  // JavaScript turns 31 February into 3 March instead of refusing it.
  const day = Number(text.slice(8, 10))
  const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate()
  return Number.isNaN(moment.getTime()) || day > lastDay ? undefined : moment
}

/** The same, where a moment that does not exist is all there is to refuse. */
export function parseTimestamp(text: string, path: string): Date {
  const moment = parseMoment(text)
  if (moment === undefined) throw invalid([{ path, message: 'is not a date and time that exists' }])
  return moment
}
