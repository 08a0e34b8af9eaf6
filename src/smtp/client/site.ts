import type { Clock } from '../../core/clock.ts'

export interface SiteLimits {
  connections: number
  mailsPerConnection: number
  connectionMs: number
}

/** A route pool, as its site sees it. */
export interface Member {
  /** Open ones and those that are being opened. */
  readonly connections: number
  /** Mail that waits and mail that is being carried are both counted. */
  readonly mails: number
  /** The time since which the first mail waits here while there is no connection; undefined when there is one. */
  readonly waitingSince: number | undefined
  /** Closes a connection that has nothing to do; false when there is none. */
  releaseIdle(): boolean
  /** Assigns connections to the mail that is waiting. */
  assignConnections(): void
}

/** Mail of another route waits this long at a full site before a connection is freed for it. */
const TURN_MS = 1_000

/** A provider, or a set of hosts, that accepts a limited number of connections from us. */
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

  /** Open ones and those that are being opened. */
  get connections(): number {
    return this.#members.values().reduce((sum, { connections }) => sum + connections, 0)
  }

  join(member: Member): void {
    this.#members.add(member)
  }

  /** True when that was the last. */
  leave(member: Member): boolean {
    this.#members.delete(member)
    return this.#members.size === 0
  }

  /** Tells whether one more connection may be opened. At a full site it closes an idle one to make room. */
  makeRoom(): boolean {
    return !this.#isFull || this.#members.values().some((member) => member.releaseIdle())
  }

  /** Tells whether mail of another route has waited long enough that a busy connection has to end for it. */
  othersWaitTooLong(): boolean {
    if (this.#members.size < 2 || !this.#isFull) return false
    const longAgo = this.#clock.now() - TURN_MS
    return this.#members.values().some(({ waitingSince }) => waitingSince !== undefined && waitingSince < longAgo)
  }

  /** Route pools without a connection come first, in the order in which their mail began to wait. */
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
