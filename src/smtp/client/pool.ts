/**
 * The SMTP client. `SmtpPool.send(route, mail)` is its only entry; it resolves with one Attempt.
 *
 * The life of an attempt, and who owns the mail at each step:
 *
 *   1. The caller has a Mail (attempt.ts): an envelope, and functions for content and permission. It chose the route.
 *   2. SmtpPool (pool.ts) finds the RoutePool for the route's key, security and source, and wraps the mail in a
 *      QueuedMail (queued-mail.ts). From here to the end the RoutePool owns it; the caller holds only its promise.
 *   3. RoutePool (route-pool.ts) keeps it in `#waiting`. It assigns an idle connection (idle.ts), or asks its Site
 *      (site.ts) whether one more may be opened. All RoutePools of one provider share a Site and its limits.
 *   4. openSession (open.ts) looks up the hosts and connects (net/dial.ts), skipping addresses that Peers (peers.ts)
 *      knows to be down. hello.ts reads the greeting and sends EHLO, STARTTLS and AUTH. The mail is still in `#waiting`:
 *      the new connection takes whichever mail is first.
 *   5. SmtpConnection (connection.ts) takes the mail out of `#waiting` and owns it while it carries it. Transactions
 *      (transaction.ts) sends MAIL, RCPT, DATA and the content over a Wire (wire.ts), with dots doubled (stuffing.ts);
 *      ReplyReader (reply-reader.ts) parses the replies. With PIPELINING the connection already takes the next mail and
 *      sends its envelope behind the end of this one.
 *   6. `mail.beforeDot()` asks the caller for permission. After false the connection is closed and nothing is delivered.
 *      After true the dot is sent in the same turn. From here on the mail is never sent again by this client.
 *   7. `QueuedMail.end` gives the result back to the RoutePool, which decides: the mail waits again (lost before the dot,
 *      another host or connection may take it), is returned untried, or is settled. Settling resolves the promise.
 *
 * A TLS failure stays inside step 4: `openAt` in open.ts tries the same address once more in plain text when the route
 * allows that, and Peers remembers the host. Otherwise the next host is tried; `failureToReport` picks what the caller sees.
 */
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
  /** Returns how many of the site's connections this number of mails justifies. */
  growth(limit: number, mails: number): number
  peers: Peers
  timeouts: Timeouts
  clock: Clock
  /** A connection without work is closed after this time. */
  idleMs?: number
}

/** The next mail of a stream usually comes within this time; servers dislike connections that idle for longer. */
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

  /** Rejects only with an error of the mail itself; network failures are in the result. */
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

  /**
   * Returns the mails that are given up with this signal. Hundreds of mails share one signal, and hundreds of listeners
   * on it would be slow.
   */
  #abortedBy(signal: AbortSignal): Map<QueuedMail, RoutePool> {
    const known = this.#abortable.get(signal)
    if (known) return known
    const queuedMails = new Map<QueuedMail, RoutePool>()
    const giveUp = (): void => queuedMails.forEach((routePool, queued) => routePool.giveUp(queued))
    signal.addEventListener('abort', giveUp, { once: true })
    this.#abortable.set(signal, queuedMails)
    return queuedMails
  }

  /** Takes no more mail, waits until the mail in hand has ended, and closes all connections. */
  async stop(): Promise<void> {
    this.#isStopping = true
    for (const routePool of this.#routePools.values()) routePool.stop()
    while (this.#running.size > 0) await Promise.all(this.#running)
  }

  /** The number of connections is used for statistics. */
  get size(): number {
    return this.#routePools.values().reduce((sum, { connections }) => sum + connections, 0)
  }

  connectionsAt(site: string): number {
    return this.#sites.get(site)?.connections ?? 0
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

  /** A newer route pool under the same id stays in the map. */
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
