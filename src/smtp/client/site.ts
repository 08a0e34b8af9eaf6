import type { Clock } from '../../core/clock.ts'

export interface SiteLimits {
  connections: number
  mailsPerConnection: number
  connectionMs: number
}

/** One of those who share the limits of a site. */
export interface Member {
  /** Open ones and those that are being opened. */
  readonly connections: number
  /** Waiting and under way. */
  readonly mails: number
  /** Since when mail is waiting here without any connection that could take it. */
  readonly waitingSince: number | undefined
  /** Closes a connection that has nothing to do; false when there is none. */
  releaseIdle(): boolean
  /** Finds connections for what is waiting. */
  assignConnections(): void
}

/** How long others wait at a full site until they get a turn. */
const TURN_MS = 1_000

/** A provider, or a set of hosts, that takes so many connections from us and no more. */
export class Site {
  readonly #limits: () => SiteLimits
  readonly #growth: (limit: number, mails: number) => number
  readonly #clock: Clock
  readonly #members = new Set<Member>()

  constructor(limits: () => SiteLimits, growth: (limit: number, mails: number) => number, clock: Clock) {
    this.#limits = limits
    this.#growth = growth
    this.#clock = clock
  }

  /** Asked each time: they change with the number of processes that share them. */
  get limits(): SiteLimits {
    return this.#limits()
  }

  join(member: Member): void {
    this.#members.add(member)
  }

  /** True when that was the last. */
  leave(member: Member): boolean {
    this.#members.delete(member)
    return this.#members.size === 0
  }

  /** Whether one more connection may be opened; if need be, one that has nothing to do is closed for it. */
  makeRoom(): boolean {
    return !this.#isFull || this.#members.values().some((member) => member.releaseIdle())
  }

  /** Whether somebody else has waited long enough to get the place of one who could go on. */
  othersWaitTooLong(): boolean {
    if (this.#members.size < 2 || !this.#isFull) return false
    const longAgo = this.#clock.now() - TURN_MS
    return this.#members.values().some(({ waitingSince }) => waitingSince !== undefined && waitingSince < longAgo)
  }

  /** Whoever waits for the first connection comes first, the longest of them before the others. */
  assignConnections(): void {
    const urgency = ({ waitingSince = Infinity }: Member): number => waitingSince
    for (const member of [...this.#members].toSorted((a, b) => urgency(a) - urgency(b))) member.assignConnections()
  }

  get #isFull(): boolean {
    let [connections, mails] = [0, 0]
    for (const member of this.#members) {
      connections += member.connections
      mails += member.mails
    }
    return connections >= this.#growth(this.limits.connections, mails)
  }
}
