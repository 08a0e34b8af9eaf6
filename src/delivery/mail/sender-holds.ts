/**
 * Sender domains whose mail a site does not want for a while. What a receiver has against one domain's signature, SPF
 * record or links is not the fault of the others that send to it from here.
 *
 *   free → held       a reply blamed the domain
 *   held → on trial   the time is over: one mail goes ahead, the others wait for what becomes of it
 *   on trial → free   a mail was answered and the domain was not blamed again
 *
 * Nothing of this is stored: after a restart the next reply says it again.
 */
import type { Clock } from '../../core/clock.ts'

interface Hold {
  until: number
  /** Until then one mail is ahead, to see whether the site takes the domain's mail again. */
  trialUntil: number
}

/** One mail may be ahead for so long before another is sent after it. */
const TRIAL_MS = 60_000
const MAX_HOLDS = 10_000

export class SenderHolds {
  readonly #clock: Clock
  readonly #holds = new Map<string, Hold>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  hold(site: string, domain: string, ms: number): void {
    const key = keyOf(site, domain)
    const until = Math.max(this.#holds.get(key)?.until ?? 0, this.#clock.now() + ms)
    this.#holds.delete(key)
    this.#holds.set(key, { until, trialUntil: 0 })
    this.#forget()
  }

  /** How long mail of the domain has to wait; 0 if it may go. */
  waitMs(site: string, domain: string): number {
    const { until = 0, trialUntil = 0 } = this.#holds.get(keyOf(site, domain)) ?? {}
    return Math.max(0, Math.max(until, trialUntil) - this.#clock.now())
  }

  /** The same for a mail that goes at once if it may: after a hold it is the one that goes ahead. */
  admit(site: string, domain: string): number {
    const waitMs = this.waitMs(site, domain)
    const hold = this.#holds.get(keyOf(site, domain))
    if (waitMs === 0 && hold !== undefined) hold.trialUntil = this.#clock.now() + TRIAL_MS
    return waitMs
  }

  /** The site answered a mail of the domain without blaming it. */
  answered(site: string, domain: string): void {
    const hold = this.#holds.get(keyOf(site, domain))
    // A mail that was on its way when the domain was blamed says nothing about later.
    if (hold !== undefined && hold.until <= this.#clock.now()) this.#holds.delete(keyOf(site, domain))
  }

  get size(): number {
    return this.#holds.size
  }

  /** Forgets the oldest, so that there are never more than a process can keep in memory. */
  #forget(): void {
    const [oldest] = this.#holds.keys()
    if (this.#holds.size > MAX_HOLDS && oldest !== undefined) this.#holds.delete(oldest)
  }
}

const keyOf = (site: string, domain: string): string => `${site} ${domain}`
