/** Shares connections among mail: limits per site, turns per set of hosts. */
import type { Clock } from '../../core/clock.ts'
import type { Attempt, Mail, Timeouts } from './attempt.ts'
import { RoutePool } from './route-pool.ts'
import type { Opened, Route } from './open.ts'
import type { QueuedMail } from './queued-mail.ts'
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
  readonly #routePools = new Map<string, RoutePool>()
  readonly #sites = new Map<string, Site>()
  readonly #running = new Set<Promise<void>>()
  readonly #abortable = new WeakMap<AbortSignal, Map<QueuedMail, RoutePool>>()
  #isStopping = false

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Rejects only with what the mail itself throws; what the world does is in the result. */
  async send(route: Route, mail: Mail): Promise<Attempt> {
    const refusal = this.#isStopping ? 'we are stopping' : mail.signal?.aborted ? 'given up' : undefined
    if (refusal) return { result: { kind: 'returned', reason: refusal }, peer: undefined, milliseconds: 0 }
    const routePool = this.#routePoolOf(route)
    const queued = routePool.add(mail)
    const others = mail.signal && this.#abortedBy(mail.signal)
    others?.set(queued, routePool)
    try {
      return await queued.done
    } finally {
      others?.delete(queued)
    }
  }

  /** What is given up with a signal. Hundreds share one, and a listener for each would walk past all the others. */
  #abortedBy(signal: AbortSignal): Map<QueuedMail, RoutePool> {
    const known = this.#abortable.get(signal)
    if (known) return known
    const queuedMails = new Map<QueuedMail, RoutePool>()
    const giveUp = (): void => queuedMails.forEach((routePool, queued) => routePool.giveUp(queued))
    signal.addEventListener('abort', giveUp, { once: true })
    this.#abortable.set(signal, queuedMails)
    return queuedMails
  }

  /** Takes nothing more, lets what is under way come to its end, and says good-bye to everybody. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const routePool of this.#routePools.values()) routePool.stop()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** Connections, for statistics. */
  get size(): number {
    return this.#routePools.values().reduce((sum, { connections }) => sum + connections, 0)
  }

  #routePoolOf(route: Route): RoutePool {
    const id = `${route.key} ${route.security} ${route.source ?? ''}`
    const known = this.#routePools.get(id)
    if (known) {
      known.route = route
      return known
    }
    const site = this.#siteOf(route.site)
    const { idleMs = IDLE_MS, ...options } = this.#options
    const routePool: RoutePool = new RoutePool(route, site, {
      ...options,
      idleMs,
      run: (work) => this.#run(work),
      whenEmpty: () => this.#forget(id, routePool, site),
    })
    this.#routePools.set(id, routePool)
    site.join(routePool)
    return routePool
  }

  /** Whoever has the same name by now stays. */
  #forget(id: string, routePool: RoutePool, site: Site): void {
    if (this.#routePools.get(id) === routePool) this.#routePools.delete(id)
    const { site: name } = routePool.route
    if (site.leave(routePool) && this.#sites.get(name) === site) this.#sites.delete(name)
  }

  #siteOf(name: string): Site {
    const { limits, growth, clock } = this.#options
    const site = this.#sites.get(name) ?? new Site(() => limits(name), growth, clock)
    this.#sites.set(name, site)
    return site
  }

  #run(work: Promise<void>): void {
    const running = work.finally(() => this.#running.delete(running))
    this.#running.add(running)
  }
}
