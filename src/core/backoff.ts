/** Doubles from `first` to `most`, with a spread so that many waiters do not return in step. */
export interface Backoff {
  first: number
  most: number
  /** 0.2 spreads each wait by ±20 %. */
  spread: number
}

export function backoffMs(attempt: number, { first, most, spread }: Backoff, random: () => number): number {
  const wait = Math.min(most, first * 2 ** Math.min(attempt, 30))
  return Math.round(wait * (1 - spread + 2 * spread * random()))
}
