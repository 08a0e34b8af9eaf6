import type { Attempt, Mail, Peer, Result } from './attempt.ts'
import type { Transcript } from './transcript.ts'

/** A connection reports this about each mail that it carried. */
export interface ConnectionUse {
  peer: Peer
  /** It was the first mail on its connection. */
  isFresh: boolean
  /** An envelope went out together with the end of the mail before it. */
  ranAhead: boolean
  /** What was said about the mail, behind what was said when the session was opened. */
  transcripts: readonly Transcript[]
}

/** Hosts that may lose the same mail in one attempt: it may be the mail that makes them fail. */
const MAX_LOSSES = 2
const MAX_RETRIES = 3

/** A mail that waits in a route pool or is carried by one of its connections. */
export class QueuedMail {
  readonly mail: Mail
  readonly since: number
  /** Hosts that lost it. */
  readonly avoid = new Set<string>()
  readonly done: Promise<Attempt>
  /** A connection is being opened for it. */
  isOpening = false
  /** The loss is the result of the attempt if no other host can be tried. */
  loss: { result: Result; peer: Peer; transcripts: readonly Transcript[] } | undefined
  /** The connection that carries the mail at the moment. */
  connection: { abandon(queued: QueuedMail): void } | undefined
  #retries = 0
  readonly #resolve: (attempt: Attempt) => void
  readonly #reject: (error: unknown) => void
  readonly #onEnd: (result: Result, use: ConnectionUse) => void
  readonly #now: () => number

  constructor(mail: Mail, now: () => number, onEnd: (result: Result, use: ConnectionUse) => void) {
    this.mail = mail
    this.since = now()
    this.#now = now
    this.#onEnd = onEnd
    const { promise, resolve, reject } = Promise.withResolvers<Attempt>()
    this.done = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  end(result: Result, use: ConnectionUse): void {
    this.#onEnd(result, use)
  }

  /** Tells whether the mail gets another connection, after this one failed before the final dot. */
  mayRetry(result: Result, use: ConnectionUse): boolean {
    if (isNotItsFault(result, use) && this.#retries++ < MAX_RETRIES) return true
    if (result.kind !== 'lost' || this.avoid.add(use.peer.host).size >= MAX_LOSSES) return false
    this.loss = { result, peer: use.peer, transcripts: use.transcripts }
    return true
  }

  /** Something of ours failed: the content could not be had, or the permission not be asked for. */
  fail(error: unknown): void {
    this.connection = undefined
    this.#reject(error)
  }

  settle(result: Result, peer?: Peer, transcripts: readonly Transcript[] = []): void {
    this.connection = undefined
    this.#resolve({ result, peer, milliseconds: this.#now() - this.since, transcripts })
  }

  returnUntried(reason: string): void {
    this.settle({ kind: 'returned', reason })
  }
}

/** A connection that had worked failed, or was closed, before the server answered anything about this mail. */
const isNotItsFault = (result: Result, { isFresh }: ConnectionUse): boolean =>
  !isFresh &&
  ((result.kind === 'lost' && result.stage === 'mail') ||
    (result.kind === 'refused' && result.stage === 'mail' && result.reply.code === 421))
