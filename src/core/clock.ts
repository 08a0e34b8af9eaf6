/**
 * Time is an argument. Due times, leases and expiry are decided by the database's clock alone (see `clock_now()` in
 * the migrations); this one is for measuring and for waiting inside a process.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
