/**
 * Holds the mail of one route and the connections that this mail shares.
 *
 *   waiting → carried    a connection is idle or has been opened, or a connection sent the envelope ahead
 *   waiting → returned   the site refuses us (421, no host can be reached), we stop, or the caller gives up
 *   carried → waiting    the connection failed before the dot: on a used one at once, on a new one for another host
 *   carried → ended      everything else
 *
 * When a new connection fails while others are open, the server wants no more of them: the pool opens none for a minute.
 */
import type { Clock } from '../../core/clock.ts'
import type { Mail, Result, Timeouts } from './attempt.ts'
import { SmtpConnection } from './connection.ts'
import { IdleConnections } from './idle.ts'
import type { Opened, Route, Session } from './open.ts'
import { QueuedMail, type ConnectionUse } from './queued-mail.ts'
import type { Peers } from './peers.ts'
import type { Member, Site } from './site.ts'

export interface RoutePoolOptions {
  open(route: Route, avoid: ReadonlySet<string>): Promise<Opened>
  peers: Peers
  timeouts: Timeouts
  clock: Clock
  /** A connection without work is closed after this time. */
  idleMs: number
  /** Work that has to be waited for before everything is over. */
  run(work: Promise<void>): void
  /** Nothing waits here any more, and nothing is open. */
  whenEmpty(): void
}

const FULL_MS = 60_000
/** Of mail that is not urgent, before it is treated as if it were. */
const PATIENCE_MS = 10_000

export class RoutePool implements Member {
  /** The newest one counts: the hosts are shuffled differently each time. */
  route: Route
  readonly #site: Site
  readonly #options: RoutePoolOptions
  readonly #waiting: QueuedMail[] = []
  readonly #connections = new Set<SmtpConnection>()
  readonly #idle = new IdleConnections((connection) => this.#discard(connection))
  #openings = 0
  #fullUntil = 0
  #isStopping = false
  #isAssignmentDue = false

  constructor(route: Route, site: Site, options: RoutePoolOptions) {
    this.route = route
    this.#site = site
    this.#options = options
  }

  get connections(): number {
    return this.#connections.size + this.#openings
  }

  get mails(): number {
    return this.#waiting.length + this.#connections.size - this.#idle.size
  }

  get waitingSince(): number | undefined {
    return this.connections === 0 ? this.#waiting[0]?.since : undefined
  }

  add(mail: Mail): QueuedMail {
    const queued = new QueuedMail(
      mail,
      () => this.#now,
      (result, use) => this.#ended(queued, result, use),
    )
    this.#waiting.splice(this.#placeFor(queued), 0, queued)
    this.#assignSoon()
    return queued
  }

  /** Mail that is not urgent goes first once it has waited for `PATIENCE_MS`. */
  #placeFor({ mail }: QueuedMail): number {
    if (!mail.isUrgent) return this.#waiting.length
    const longAgo = this.#now - PATIENCE_MS
    const at = this.#waiting.findIndex((other) => !other.mail.isUrgent && other.since > longAgo)
    return at === -1 ? this.#waiting.length : at
  }

  giveUp(queued: QueuedMail): void {
    if (remove(this.#waiting, queued)) {
      queued.returnUntried('given up')
      this.#checkEmpty()
    } else queued.connection?.abandon(queued)
  }

  stop(): void {
    this.#isStopping = true
    this.#returnWaiting('we are stopping')
    while (this.releaseIdle());
  }

  assignConnections(): void {
    // A connection that has reached its limit while it was idle would count as open and still take no mail.
    for (const connection of this.#idle.all.filter((one) => !this.#hasRoom(one))) this.#discard(connection)
    for (const queued of this.#waiting.slice()) {
      if (queued.isOpening) continue
      const connection = this.#idle.take((one) => this.#hasRoom(one) && !queued.avoid.has(one.peer.host))
      if (connection) this.#options.run(this.#reuse(connection, queued))
      else if (this.#mayOpen()) this.#options.run(this.#open(queued))
      // The next one could only do better if this one is choosy.
      else if (queued.avoid.size === 0) return
    }
  }

  /**
   * Connections are assigned at the end of this turn: a caller who sends again when a mail has ended finds its
   * connection idle by then.
   */
  #assignSoon(): void {
    if (this.#isAssignmentDue) return
    this.#isAssignmentDue = true
    setImmediate(() => {
      this.#isAssignmentDue = false
      this.assignConnections()
    })
  }

  releaseIdle(): boolean {
    const unused = this.#idle.first
    if (unused) this.#discard(unused)
    return unused !== undefined
  }

  get #now(): number {
    return this.#options.clock.now()
  }

  #mayOpen(): boolean {
    const hasEnough = this.connections > 0 && this.#now < this.#fullUntil
    return !hasEnough && this.#site.makeRoom()
  }

  async #open(queued: QueuedMail): Promise<void> {
    queued.isOpening = true
    this.#openings++
    const opened = await this.#options.open(this.route, queued.avoid).catch((error: unknown) => ({ error }))
    this.#openings--
    queued.isOpening = false
    if ('error' in opened) return this.#failed(queued, opened.error)
    if (opened.kind === 'open') return this.#useSession(opened.session)
    if (this.#waiting.includes(queued)) this.#notOpened(queued, opened)
    this.#site.assignConnections()
    this.#checkEmpty()
  }

  /** The error is ours, not the server's, so it concerns only this mail. */
  #failed(queued: QueuedMail, error: unknown): void {
    if (remove(this.#waiting, queued)) queued.fail(error)
    this.#checkEmpty()
  }

  async #useSession(session: Session): Promise<void> {
    const { peers, timeouts } = this.#options
    const oneAtATime = peers.takesOneAtATime(session.peer.host)
    const connection = new SmtpConnection(session, timeouts, {
      oneAtATime,
      openedAt: this.#now,
      now: () => this.#now,
    })
    this.#connections.add(connection)
    const queued = this.#next(connection)
    if (queued) return this.#serve(connection, queued)
    this.#keepIdle(connection)
    this.#site.assignConnections()
  }

  #notOpened(queued: QueuedMail, { result, peer, opening }: Opened & { kind: 'failed' }): void {
    if (queued.loss) {
      remove(this.#waiting, queued)
      const { loss } = queued
      queued.settle(loss.result, loss.peer, loss.transcripts)
    } else if (this.connections > 0) {
      this.#fullUntil = this.#now + FULL_MS
    } else {
      remove(this.#waiting, queued)
      queued.settle(result, peer, opening ? [opening] : [])
      this.#returnWaiting('no host can be reached')
    }
  }

  /** A server that has closed an idle connection, or is about to (421), did so without a mail of ours. */
  async #reuse(connection: SmtpConnection, queued: QueuedMail): Promise<void> {
    remove(this.#waiting, queued)
    queued.connection = connection
    if (await connection.isQuiet()) return this.#serve(connection, queued)
    this.#requeue(queued)
    this.#discard(connection)
    this.#site.assignConnections()
  }

  async #serve(connection: SmtpConnection, first: QueuedMail): Promise<void> {
    await connection.sendAll(first, () => this.#next(connection))
    this.#keepIdle(connection)
    this.#site.assignConnections()
  }

  /**
   * Returns the mail that a connection carries next; undefined when the connection has reached its limit, or when mail
   * of another route has waited too long.
   */
  #next(connection: SmtpConnection): QueuedMail | undefined {
    // A new connection always takes one mail: without this exception two routes at a full site would only open and
    // close connections.
    const isOthersTurn = connection.served > 0 && this.#site.othersWaitTooLong()
    if (isOthersTurn || !this.#hasRoom(connection)) return undefined
    const queued = this.#waiting.find(({ avoid }) => !avoid.has(connection.peer.host))
    if (queued === undefined) return undefined
    remove(this.#waiting, queued)
    queued.connection = connection
    return queued
  }

  #hasRoom({ served, openedAt }: SmtpConnection): boolean {
    const { mailsPerConnection, connectionMs } = this.#site.limits
    return !this.#isStopping && served < mailsPerConnection && this.#now - openedAt < connectionMs
  }

  /** Keeps a connection for a while, if it is good for more. */
  #keepIdle(connection: SmtpConnection): void {
    if (connection.isClosed || !this.#hasRoom(connection)) return this.#discard(connection)
    this.#idle.add(connection, this.#options.idleMs)
  }

  #discard(connection: SmtpConnection): void {
    this.#idle.remove(connection)
    this.#connections.delete(connection)
    connection.quit()
    // A waiting mail may have avoided every other host.
    if (this.#waiting.length > 0) this.#assignSoon()
    this.#checkEmpty()
  }

  #ended(queued: QueuedMail, result: Result, use: ConnectionUse): void {
    const { host } = use.peer
    const isEarly = result.kind === 'lost' && result.stage === 'mail'
    if (use.ranAhead && (isEarly || result.kind === 'unknown')) this.#options.peers.rememberOneAtATime(host)
    if (result.kind === 'lost' && queued.mail.signal?.aborted) return queued.returnUntried('given up')
    if (queued.mayRetry(result, use)) return this.#requeue(queued)
    if (isClosing(result)) this.#returnWaiting(`the server closed the session: ${result.reply.text}`)
    queued.settle(result, use.peer, use.transcripts)
  }

  #requeue(queued: QueuedMail): void {
    queued.connection = undefined
    this.#waiting.unshift(queued)
    if (this.#isStopping) this.#returnWaiting('we are stopping')
  }

  #returnWaiting(reason: string): void {
    for (const queued of this.#waiting.splice(0)) queued.returnUntried(reason)
  }

  #checkEmpty(): void {
    if (this.#waiting.length + this.connections === 0) this.#options.whenEmpty()
  }
}

const isClosing = (result: Result): result is Result & { kind: 'refused' } =>
  result.kind === 'refused' && result.reply.code === 421

function remove<T>(list: T[], item: T): boolean {
  const at = list.indexOf(item)
  if (at !== -1) list.splice(at, 1)
  return at !== -1
}
