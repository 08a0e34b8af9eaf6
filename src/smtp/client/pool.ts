/** Shares connections among mail: limits per site, turns per set of hosts. */
import type { Clock } from '../../core/clock.ts'
import type { Attempt, Mail, Timeouts } from './attempt.ts'
import { Group } from './route-pool.ts'
import type { Opened, Route } from './open.ts'
import type { Parcel } from './queued-mail.ts'
import type { Peers } from './peers.ts'
import { Site, type SiteLimits } from './site.ts'

export interface PoolOptions {
  open(route: Route, avoid: ReadonlySet<string>): Promise<Opened>
  limits(site: string): SiteLimits
  /** How many of a site's connections a number of mails deserves. */
  growth(limit: number, mails: number): number
  peers: Peers
  timeouts: Timeouts
  clock: Clock
  /** How long a connection without work is kept. */
  idleMs?: number
}

/** Long enough for the next mail of a stream, short enough not to be a guest who does not leave. */
const IDLE_MS = 5_000

export class SmtpPool {
  readonly #options: PoolOptions
  readonly #groups = new Map<string, Group>()
  readonly #sites = new Map<string, Site>()
  readonly #underWay = new Set<Promise<void>>()
  readonly #givenUpBy = new WeakMap<AbortSignal, Map<Parcel, Group>>()
  #isStopping = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Rejects only with what the mail itself throws; what the world does is in the result. */
  async send(route: Route, mail: Mail): Promise<Attempt> {
    const refusal = this.#isStopping ? 'we are stopping' : mail.signal?.aborted ? 'given up' : undefined
    if (refusal) return { result: { kind: 'returned', reason: refusal }, peer: undefined, milliseconds: 0 }
    const group = this.#groupOf(route)
    const parcel = group.add(mail)
    const others = mail.signal && this.#heeding(mail.signal)
    others?.set(parcel, group)
    try {
      return await parcel.done
    } finally {
      others?.delete(parcel)
    }
  }

  /** What is given up with a signal. Hundreds share one, and a listener for each would walk past all the others. */
  #heeding(signal: AbortSignal): Map<Parcel, Group> {
    const known = this.#givenUpBy.get(signal)
    if (known) return known
    const parcels = new Map<Parcel, Group>()
    const giveUp = (): void => parcels.forEach((group, parcel) => group.giveUp(parcel))
    signal.addEventListener('abort', giveUp, { once: true })
    this.#givenUpBy.set(signal, parcels)
    return parcels
  }

  /** Takes nothing more, lets what is under way come to its end, and says good-bye to everybody. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const group of this.#groups.values()) group.stop()
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Connections, for statistics. */
  get size(): number {
    return this.#groups.values().reduce((sum, { connections }) => sum + connections, 0)
  }

  #groupOf(route: Route): Group {
    const id = `${route.key} ${route.security} ${route.source ?? ''}`
    const known = this.#groups.get(id)
    if (known) {
      known.route = route
      return known
    }
    const site = this.#siteOf(route.site)
    const { idleMs = IDLE_MS, ...options } = this.#options
    const group: Group = new Group(route, site, {
      ...options,
      idleMs,
      run: (work) => this.#run(work),
      whenEmpty: () => this.#forget(id, group, site),
    })
    this.#groups.set(id, group)
    site.join(group)
    return group
  }

  /** Whoever has the same name by now stays. */
  #forget(id: string, group: Group, site: Site): void {
    if (this.#groups.get(id) === group) this.#groups.delete(id)
    const { site: name } = group.route
    if (site.leave(group) && this.#sites.get(name) === site) this.#sites.delete(name)
  }

  #siteOf(name: string): Site {
    const { limits, growth, clock } = this.#options
    const site = this.#sites.get(name) ?? new Site(() => limits(name), growth, clock)
    this.#sites.set(name, site)
    return site
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#underWay.delete(running))
    this.#underWay.add(running)
  }
}
