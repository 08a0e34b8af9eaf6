/**
 * Carries mail over one session, one transaction after another.
 *
 * With PIPELINING (RFC 2920) MAIL, RCPT and DATA are one write. If another mail is waiting when a body ends, its
 * envelope goes out in that same write (§3.1 allows content to be the first part of a group), so a mail costs one round
 * trip in all.
 */
import type { Mail, Peer, Result, Timeouts } from './attempt.ts'
import type { Capabilities } from './capabilities.ts'
import { unfit } from './envelope.ts'
import type { Session } from './open.ts'
import { Transactions, type Parts } from './transaction.ts'
import type { Wire } from './wire.ts'

export interface Load {
  mail: Mail
  end(result: Result, trip: Trip): void
  /** Something of ours failed: the content could not be had, or the permission not be asked for. */
  fail(error: unknown): void
}

export interface Trip {
  peer: Peer
  /** It was the first mail on its connection. */
  isFresh: boolean
  /** An envelope went out together with the end of the mail before it. */
  ranAhead: boolean
}

export class SmtpConnection {
  readonly peer: Peer
  readonly openedAt: number
  readonly #wire: Wire
  readonly #capabilities: Capabilities
  readonly #transactions: Transactions
  readonly #runsAhead: boolean
  #served = 0
  #current: Load | undefined

  /** `oneAtATime`: no envelope goes out before the last mail is answered. */
  constructor(
    { wire, capabilities, peer }: Session,
    timeouts: Timeouts,
    { oneAtATime, openedAt }: { oneAtATime: boolean; openedAt: number },
  ) {
    this.#wire = wire
    this.#capabilities = capabilities
    this.peer = peer
    this.openedAt = openedAt
    this.#transactions = new Transactions(wire, capabilities, timeouts)
    this.#runsAhead = capabilities.pipelining && !oneAtATime
  }

  get served(): number {
    return this.#served
  }

  get isOver(): boolean {
    return this.#wire.gone !== undefined
  }

  set whenOver(listener: (() => void) | undefined) {
    this.#wire.whenGone = listener
  }

  /** Whether the server is still there and has nothing to say; what it said while nobody listened is read now. */
  async isQuiet(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve))
    return !this.isOver && !this.#wire.hasSpoken
  }

  quit(): void {
    this.#wire.quit()
  }

  /** Drops the connection if it is busy with this load. What only runs ahead is dropped when its turn comes. */
  abandon(load: Load): void {
    if (this.#current === load) this.#wire.hangUp('given up')
  }

  /** Goes on until `next` has nothing more or the session is over. */
  async carry(first: Load, next: () => Load | undefined): Promise<void> {
    let load = this.#fit(first) ?? this.#nextFit(next)
    let isSent = false
    while (load !== undefined) {
      const ahead: Load | undefined = await this.#carryOne(load, isSent, next)
      isSent = ahead !== undefined
      load = ahead ?? (this.isOver ? undefined : this.#nextFit(next))
    }
  }

  /** The load whose envelope went out together with the end of this one, if the session goes on. */
  async #carryOne(load: Load, isSent: boolean, next: () => Load | undefined): Promise<Load | undefined> {
    const trip: Trip = { peer: this.peer, isFresh: this.#served++ === 0, ranAhead: isSent }
    this.#current = load
    try {
      if (load.mail.signal?.aborted) this.abandon(load)
      const held = await this.#upToTheDot(load.mail, isSent)
      if ('result' in held) {
        load.end(held.result, trip)
        return undefined
      }
      const ahead = this.#runsAhead ? this.#nextFit(next) : undefined
      this.#wire.send(...held.last, ...(ahead ? [this.#transactions.commandsFor(ahead.mail)] : []))
      const result = await this.#transactions.verdict()
      load.end(result, { ...trip, ranAhead: isSent || ahead !== undefined })
      if (!this.isOver || ahead === undefined) return ahead
      ahead.end(behind(result), { peer: this.peer, isFresh: false, ranAhead: true })
    } catch (error) {
      this.#wire.hangUp('the mail could not be read')
      load.fail(error)
    } finally {
      this.#current = undefined
    }
    return undefined
  }

  #nextFit(next: () => Load | undefined): Load | undefined {
    for (let load = next(); load !== undefined; load = next()) {
      const fit = this.#fit(load)
      if (fit) return fit
    }
    return undefined
  }

  #fit(load: Load): Load | undefined {
    const reply = unfit(load.mail, this.#capabilities)
    if (reply === undefined) return load
    load.end({ kind: 'declined', reply }, { peer: this.peer, isFresh: this.#served === 0, ranAhead: false })
    return undefined
  }

  /** What has to be sent after the permission, together with the dot; or how it ended before. */
  async #upToTheDot(mail: Mail, isSent: boolean): Promise<{ last: Parts } | { result: Result }> {
    const refusal = await this.#transactions.envelope(mail, isSent)
    if (refusal) return { result: refusal }
    const body = await this.#transactions.body(mail)
    if ('result' in body) return body
    if (!(await mail.beforeDot())) {
      this.#wire.hangUp('the mail was withheld')
      return { result: { kind: 'withheld' } }
    }
    const result = this.#transactions.cutShort()
    return result ? { result } : body
  }
}

/** What becomes of an envelope that was sent behind a mail which ended the session. */
const behind = (before: Result): Result =>
  before.kind === 'refused'
    ? { kind: 'returned', reason: `the server closed the session: ${before.reply.code}` }
    : { kind: 'lost', stage: 'mail', reason: 'the connection failed with the mail before', timedOut: false }
