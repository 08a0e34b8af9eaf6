export interface RateLimit {
  perSecond?: number | undefined
  /** How many may start at once after a pause; 1 unless given. */
  burst?: number | undefined
}

/** How often something may start, evenly (the generic cell rate algorithm). Without a limit it may always. */
export class Rate {
  /** When the next one would start if all came evenly at the allowed rate. */
  #evenlyAt = 0

  /** How many may start now. */
  allowance(now: number, limit: RateLimit): number {
    const { interval, tolerance } = spacing(limit)
    if (interval === 0) return Infinity
    return Math.floor((now + tolerance - Math.max(this.#evenlyAt, now)) / interval) + 1
  }

  /** When the next one may start. */
  opensAt(now: number, limit: RateLimit): number {
    const { interval, tolerance } = spacing(limit)
    return interval === 0 ? now : Math.max(now, this.#evenlyAt - tolerance)
  }

  /** So many have started. */
  take(now: number, count: number, limit: RateLimit): void {
    this.#evenlyAt = Math.max(this.#evenlyAt, now) + count * spacing(limit).interval
  }

  isIdle(now: number): boolean {
    return this.#evenlyAt <= now
  }
}

function spacing({ perSecond = Infinity, burst = 1 }: RateLimit): { interval: number; tolerance: number } {
  const interval = 1_000 / perSecond
  return { interval, tolerance: interval * (burst - 1) }
}
