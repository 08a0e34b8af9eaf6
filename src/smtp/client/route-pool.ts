/**
 * Mail that may share connections, and those connections.
 *
 *   waiting → carried    a connection is free or has been opened, or a connection sent the envelope ahead
 *   waiting → returned   the site closes its doors (421, no host can be reached), we stop, or the caller gives up
 *   carried → waiting    the connection failed before the dot: on a used one at once, on a new one for another host
 *   carried → ended      everything else
 *
 * When a new connection cannot be had although others can, the server wants no more of them: those that are open have to
 * do for a while.
 */
import type { Clock } from '../../core/clock.ts'
import type { Mail, Result, Timeouts } from './attempt.ts'
import { SmtpConnection, type Trip } from './connection.ts'
import { Idle } from './idle.ts'
import type { Opened, Route, Session } from './open.ts'
import { Parcel } from './queued-mail.ts'
import type { Peers } from './peers.ts'
import type { Member, Site } from './site.ts'

export interface GroupOptions {
  open(route: Route, avoid: ReadonlySet<string>): Promise<Opened>
  peers: Peers
  timeouts: Timeouts
  clock: Clock
  /** How long a connection without work is kept. */
  idleMs: number
  /** Work that has to be waited for before everything is over. */
  run(work: Promise<void>): void
  /** Nothing waits here any more, and nothing is open. */
  whenEmpty(): void
}

const FULL_MS = 60_000
/** Of mail that is not urgent, before it is treated as if it were. */
const PATIENCE_MS = 10_000

export class Group implements Member {
  /** The newest one counts: the hosts are shuffled differently each time. */
  route: Route
  readonly #site: Site
  readonly #options: GroupOptions
  readonly #waiting: Parcel[] = []
  readonly #connections = new Set<SmtpConnection>()
  readonly #idle = new Idle((connection) => this.#dismiss(connection))
  #openings = 0
  #fullUntil = 0
  #isStopping = false
  #isStaffing = false

  constructor(route: Route, site: Site, options: GroupOptions) {
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

  get starvingSince(): number | undefined {
    return this.connections === 0 ? this.#waiting[0]?.since : undefined
  }

  add(mail: Mail): Parcel {
    const parcel = new Parcel(
      mail,
      () => this.#now,
      (result, trip) => this.#ended(parcel, result, trip),
    )
    this.#waiting.splice(this.#placeFor(parcel), 0, parcel)
    this.#staffSoon()
    return parcel
  }

  /** Also what is not urgent gets its turn, however much of the rest there is. */
  #placeFor({ mail }: Parcel): number {
    if (!mail.isUrgent) return this.#waiting.length
    const longAgo = this.#now - PATIENCE_MS
    const at = this.#waiting.findIndex((other) => !other.mail.isUrgent && other.since > longAgo)
    return at === -1 ? this.#waiting.length : at
  }

  giveUp(parcel: Parcel): void {
    if (remove(this.#waiting, parcel)) {
      parcel.giveBack('given up')
      this.#checkEmpty()
    } else parcel.connection?.abandon(parcel)
  }

  stop(): void {
    this.#isStopping = true
    this.#returnWaiting('we are stopping')
    while (this.releaseIdle());
  }

  staff(): void {
    // Those whose time is over while they rest would count as open and still take nothing.
    for (const connection of this.#idle.all.filter((one) => !this.#hasRoom(one))) this.#dismiss(connection)
    for (const parcel of this.#waiting.slice()) {
      if (parcel.isOpening) continue
      const connection = this.#idle.take((one) => this.#hasRoom(one) && !parcel.avoid.has(one.peer.host))
      if (connection) this.#options.run(this.#reuse(connection, parcel))
      else if (this.#mayOpen()) this.#options.run(this.#open(parcel))
      // The next one could only do better if this one is choosy.
      else if (parcel.avoid.size === 0) return
    }
  }

  /** At the end of this turn: whoever sends again when a mail has ended finds its connection free by then. */
  #staffSoon(): void {
    if (this.#isStaffing) return
    this.#isStaffing = true
    setImmediate(() => {
      this.#isStaffing = false
      this.staff()
    })
  }

  releaseIdle(): boolean {
    const unused = this.#idle.first
    if (unused) this.#dismiss(unused)
    return unused !== undefined
  }

  get #now(): number {
    return this.#options.clock.now()
  }

  #mayOpen(): boolean {
    const hasEnough = this.connections > 0 && this.#now < this.#fullUntil
    return !hasEnough && this.#site.makeRoom()
  }

  async #open(parcel: Parcel): Promise<void> {
    parcel.isOpening = true
    this.#openings++
    const opened = await this.#options.open(this.route, parcel.avoid).catch((error: unknown) => ({ error }))
    this.#openings--
    parcel.isOpening = false
    if ('error' in opened) return this.#failed(parcel, opened.error)
    if (opened.kind === 'open') return this.#welcome(opened.session)
    if (this.#waiting.includes(parcel)) this.#notOpened(parcel, opened)
    this.#site.staff()
    this.#checkEmpty()
  }

  /** A defect of ours, not of theirs: only this mail is told. */
  #failed(parcel: Parcel, error: unknown): void {
    if (remove(this.#waiting, parcel)) parcel.fail(error)
    this.#checkEmpty()
  }

  async #welcome(session: Session): Promise<void> {
    const { peers, timeouts } = this.#options
    const oneAtATime = peers.takesOneAtATime(session.peer.host)
    const connection = new SmtpConnection(session, timeouts, { oneAtATime, openedAt: this.#now })
    this.#connections.add(connection)
    const parcel = this.#next(connection)
    if (parcel) return this.#serve(connection, parcel)
    this.#rest(connection)
    this.#site.staff()
  }

  #notOpened(parcel: Parcel, { result, peer }: Opened & { kind: 'failed' }): void {
    if (parcel.loss) {
      remove(this.#waiting, parcel)
      parcel.settle(parcel.loss.result, parcel.loss.peer)
    } else if (this.connections > 0) {
      this.#fullUntil = this.#now + FULL_MS
    } else {
      remove(this.#waiting, parcel)
      parcel.settle(result, peer)
      this.#returnWaiting('no host can be reached')
    }
  }

  /** A server that has closed an idle connection, or is about to (421), did so without a mail of ours. */
  async #reuse(connection: SmtpConnection, parcel: Parcel): Promise<void> {
    remove(this.#waiting, parcel)
    parcel.connection = connection
    if (await connection.isQuiet()) return this.#serve(connection, parcel)
    this.#waitAgain(parcel)
    this.#dismiss(connection)
    this.#site.staff()
  }

  async #serve(connection: SmtpConnection, first: Parcel): Promise<void> {
    await connection.carry(first, () => this.#next(connection))
    this.#rest(connection)
    this.#site.staff()
  }

  /** What a connection carries next; nothing when its time is over, or it is somebody else's turn. */
  #next(connection: SmtpConnection): Parcel | undefined {
    // A new connection is somebody's turn: without this exception two who take turns would only open and close.
    const isOthersTurn = connection.served > 0 && this.#site.othersStarve()
    if (isOthersTurn || !this.#hasRoom(connection)) return undefined
    const parcel = this.#waiting.find(({ avoid }) => !avoid.has(connection.peer.host))
    if (parcel === undefined) return undefined
    remove(this.#waiting, parcel)
    parcel.connection = connection
    return parcel
  }

  #hasRoom({ served, openedAt }: SmtpConnection): boolean {
    const { mailsPerConnection, connectionMs } = this.#site.limits
    return !this.#isStopping && served < mailsPerConnection && this.#now - openedAt < connectionMs
  }

  /** Keeps a connection for a while, if it is good for more. */
  #rest(connection: SmtpConnection): void {
    if (connection.isOver || !this.#hasRoom(connection)) return this.#dismiss(connection)
    this.#idle.add(connection, this.#options.idleMs)
  }

  #dismiss(connection: SmtpConnection): void {
    this.#idle.remove(connection)
    this.#connections.delete(connection)
    connection.quit()
    // Somebody may have waited for this one, because no other could be had.
    if (this.#waiting.length > 0) this.#staffSoon()
    this.#checkEmpty()
  }

  #ended(parcel: Parcel, result: Result, trip: Trip): void {
    const { host } = trip.peer
    const isEarly = result.kind === 'lost' && result.stage === 'mail'
    if (trip.ranAhead && (isEarly || result.kind === 'unknown')) this.#options.peers.rememberOneAtATime(host)
    if (result.kind === 'lost' && parcel.mail.signal?.aborted) return parcel.giveBack('given up')
    if (parcel.deservesAnother(result, trip)) return this.#waitAgain(parcel)
    if (isClosing(result)) this.#returnWaiting(`the server closed the session: ${result.reply.text}`)
    parcel.settle(result, trip.peer)
  }

  #waitAgain(parcel: Parcel): void {
    parcel.connection = undefined
    this.#waiting.unshift(parcel)
    if (this.#isStopping) this.#returnWaiting('we are stopping')
  }

  #returnWaiting(reason: string): void {
    for (const parcel of this.#waiting.splice(0)) parcel.giveBack(reason)
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
