import type { Attempt, Mail, Peer, Result } from './attempt.ts'
import type { Load, SmtpConnection, Trip } from './connection.ts'

/** Hosts that may lose the same mail in one attempt: it may be the mail that makes them fail. */
const MAX_LOSSES = 2
const MAX_SENT_BACK = 3

/** A mail on its way through the pool. */
export class Parcel implements Load {
  readonly mail: Mail
  readonly since: number
  /** Hosts that lost it. */
  readonly avoid = new Set<string>()
  readonly done: Promise<Attempt>
  /** A connection is being opened for it. */
  isOpening = false
  /** How it was lost, should there be no other host. */
  loss: { result: Result; peer: Peer } | undefined
  connection: SmtpConnection | undefined
  #sentBack = 0
  readonly #resolve: (attempt: Attempt) => void
  readonly #reject: (error: unknown) => void
  readonly #onEnd: (result: Result, trip: Trip) => void
  readonly #now: () => number

  constructor(mail: Mail, now: () => number, onEnd: (result: Result, trip: Trip) => void) {
    this.mail = mail
    this.since = now()
    this.#now = now
    this.#onEnd = onEnd
    const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
    this.done = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  end(result: Result, trip: Trip): void {
    this.#onEnd(result, trip)
  }

  /** Whether it should have another connection, after this one failed it before the dot. */
  deservesAnother(result: Result, trip: Trip): boolean {
    if (isNotItsFault(result, trip) && this.#sentBack++ < MAX_SENT_BACK) return true
    if (result.kind !== 'lost' || this.avoid.add(trip.peer.host).size >= MAX_LOSSES) return false
    this.loss = { result, peer: trip.peer }
    return true
  }

  fail(error: unknown): void {
    this.connection = undefined
    this.#reject(error)
  }

  settle(result: Result, peer?: Peer): void {
    this.connection = undefined
    this.#resolve({ result, peer, milliseconds: this.#now() - this.since })
  }

  giveBack(reason: string): void {
    this.settle({ kind: 'returned', reason })
  }
}

/** A connection that had worked failed, or was closed, before anything was said about this mail. */
const isNotItsFault = (result: Result, { isFresh }: Trip): boolean =>
  !isFresh &&
  ((result.kind === 'lost' && result.stage === 'mail') ||
    (result.kind === 'refused' && result.stage === 'mail' && result.reply.code === 421))
