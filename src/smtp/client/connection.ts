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
import type { ConnectionUse, QueuedMail } from './queued-mail.ts'
import { Transactions, type Parts } from './transaction.ts'
import { Transcript } from './transcript.ts'
import type { Wire } from './wire.ts'

export class SmtpConnection {
  readonly peer: Peer
  readonly openedAt: number
  readonly #wire: Wire
  readonly #capabilities: Capabilities
  readonly #transactions: Transactions
  readonly #runsAhead: boolean
  readonly #opening: Transcript
  readonly #now: () => number
  #served = 0
  #current: QueuedMail | undefined

  /** With `oneAtATime` no envelope is sent before the server has answered the mail before it. */
  constructor(
    { wire, capabilities, peer, opening }: Session,
    timeouts: Timeouts,
    { oneAtATime, openedAt, now }: { oneAtATime: boolean; openedAt: number; now: () => number },
  ) {
    this.#wire = wire
    this.#capabilities = capabilities
    this.peer = peer
    this.openedAt = openedAt
    this.#opening = opening
    this.#now = now
    this.#transactions = new Transactions(wire, capabilities, timeouts)
    this.#runsAhead = capabilities.pipelining && !oneAtATime
  }

  get served(): number {
    return this.#served
  }

  get isClosed(): boolean {
    return this.#wire.closed !== undefined
  }

  set onClosed(listener: (() => void) | undefined) {
    this.#wire.onClosed = listener
  }

  /** Tells whether the server is still connected and has sent nothing; the socket gets a turn to read first. */
  async isQuiet(): Promise<boolean> {
    await new Promise((resolve) => setImmediate(resolve))
    return !this.isClosed && !this.#wire.hasBufferedReply
  }

  quit(): void {
    this.#wire.quit()
  }

  /**
   * Drops the connection if it carries this mail. A mail whose envelope was sent ahead is dropped when it becomes the
   * current one.
   */
  abandon(queued: QueuedMail): void {
    if (this.#current === queued) this.#wire.close('given up')
  }

  /** Goes on until `next` has nothing more or the session is over. */
  async sendAll(first: QueuedMail, next: () => QueuedMail | undefined): Promise<void> {
    let queued = this.#fit(first) ?? this.#nextFit(next)
    let isSent = false
    while (queued !== undefined) {
      const ahead: QueuedMail | undefined = await this.#sendOne(queued, isSent, next)
      isSent = ahead !== undefined
      queued = ahead ?? (this.isClosed ? undefined : this.#nextFit(next))
    }
  }

  /** Returns the mail whose envelope was sent together with the end of this one, if the session goes on. */
  async #sendOne(
    queued: QueuedMail,
    isSent: boolean,
    next: () => QueuedMail | undefined,
  ): Promise<QueuedMail | undefined> {
    const transcript = new Transcript(this.#now)
    const use = this.#use({ isFresh: this.#served++ === 0, ranAhead: isSent }, transcript)
    this.#current = queued
    try {
      if (queued.mail.signal?.aborted) this.abandon(queued)
      const held = await this.#sendUpToDot(queued.mail, isSent, transcript)
      if ('result' in held) {
        queued.end(held.result, use)
        return undefined
      }
      const ahead = this.#runsAhead ? this.#nextFit(next) : undefined
      this.#wire.write(...held.last, ...(ahead ? [this.#transactions.commandsFor(ahead.mail, this.#now())] : []))
      transcript.sent(held.bytes, true)
      const result = await this.#transactions.finalReply(transcript)
      queued.end(result, { ...use, ranAhead: isSent || ahead !== undefined })
      if (!this.isClosed || ahead === undefined) return ahead
      ahead.end(resultBehind(result), this.#use({ isFresh: false, ranAhead: true }))
    } catch (error) {
      this.#wire.close('the mail could not be read')
      queued.fail(error)
    } finally {
      this.#current = undefined
    }
    return undefined
  }

  #nextFit(next: () => QueuedMail | undefined): QueuedMail | undefined {
    for (let queued = next(); queued !== undefined; queued = next()) {
      const fit = this.#fit(queued)
      if (fit) return fit
    }
    return undefined
  }

  #fit(queued: QueuedMail): QueuedMail | undefined {
    const reply = unfit(queued.mail, this.#capabilities)
    if (reply === undefined) return queued
    queued.end({ kind: 'declined', reply }, this.#use({ isFresh: this.#served === 0, ranAhead: false }))
    return undefined
  }

  #use(how: Pick<ConnectionUse, 'isFresh' | 'ranAhead'>, ...transcripts: Transcript[]): ConnectionUse {
    return { ...how, peer: this.peer, transcripts: [this.#opening, ...transcripts] }
  }

  /**
   * Returns the last block, which is sent together with the dot once that is permitted, or the result if the mail ended
   * before.
   */
  async #sendUpToDot(
    mail: Mail,
    isSent: boolean,
    transcript: Transcript,
  ): Promise<{ last: Parts; bytes: number } | { result: Result }> {
    const refusal = await this.#transactions.envelope(mail, isSent, transcript)
    if (refusal) return { result: refusal }
    const body = await this.#transactions.body(mail, transcript)
    if ('result' in body) return body
    if (!(await mail.beforeDot())) {
      this.#wire.close('the mail was withheld')
      return { result: { kind: 'withheld' } }
    }
    const result = this.#transactions.interruption(transcript)
    return result ? { result } : body
  }
}

/** The result for an envelope that was sent behind a mail which ended the session. */
const resultBehind = (before: Result): Result =>
  before.kind === 'refused'
    ? { kind: 'returned', reason: `the server closed the session: ${before.reply.code}` }
    : { kind: 'lost', stage: 'mail', reason: 'the connection failed with the mail before', timedOut: false }
