/**
 * The threads that parse received mail and find out what its sender can prove. A message that takes too
 * long, or too much memory, costs its own thread and no other. They are started when there is mail and ended
 * when there has been none for a while.
 *
 * Parsing is pure work, so a thread does it for one message at a time. Verifying is mostly waiting for the DNS, so one
 * thread does it for many, and another one for those that may be much work. A message that was held up by others all the
 * same is judged once more in a thread of its own: the message of one sender changes no result of another's.
 */
import type { Log } from '../../core/log.ts'
import { isCostly, undetermined, type AuthResults, type Sender } from '../../mail/parse/authentication.ts'
import type { ParsedMessage } from '../../mail/parse/parsed-message.ts'
import { spamScore } from '../../mail/parse/spam-score.ts'
import type { MailParser } from '../../resources/receiving/index.ts'
import { ExclusiveThreads } from './exclusive-threads.ts'
import type { ParserData } from './parser-messages.ts'
import { ParserThread } from './parser.ts'

export interface ParserPoolOptions extends ParserData {
  rspamdUrl: string | undefined
  log: Log
}

const PARSERS = 2
/** By the work that it takes: on a busy machine everything takes long, and no message is to blame for it. */
const PARSING = { workMs: 2_000, withinMs: 120_000 }
/** The DNS time-outs are shorter than this: a thread that answers later was blocked by another message. */
const VERIFYING = { withinMs: 10_000 }
const LONE_VERIFIERS = 2
const VERIFYING_ALONE = { workMs: 5_000, withinMs: 60_000 }
const IDLE_MS = 15_000

export class ParserPool implements MailParser {
  readonly #options: ParserPoolOptions
  readonly #parsers = new ExclusiveThreads(PARSERS, () => this.#newThread())
  readonly #loneVerifiers = new ExclusiveThreads(LONE_VERIFIERS, () => this.#newThread())
  /** For many messages at a time: the usual ones, and those that may be much work. */
  readonly #verifiers = new Map<'usual' | 'costly', ParserThread>()
  #running = 0
  #rest: NodeJS.Timeout | undefined

  constructor(options: ParserPoolOptions) {
    this.#options = options
  }

  parse(raw: Buffer, about: { envelopeFrom: string; isDomainReport: boolean }): Promise<ParsedMessage | undefined> {
    return this.#awake(async () => {
      const outcome = await this.#parsers.ask({ type: 'read', bytes: raw, ...about }, PARSING)
      if (outcome.kind === 'answered') return withBuffers(outcome.answer)
      this.#options.log.warn({ why: outcome.kind }, 'parser thread ended')
      return undefined
    })
  }

  authResults(raw: Buffer, sender: Sender): Promise<AuthResults> {
    return this.#awake(async () => (await this.#verify(raw, sender)) ?? this.#verifyAlone(raw, sender))
  }

  spamScore(raw: Buffer, sender: Sender): Promise<number | null> {
    const { rspamdUrl } = this.#options
    return rspamdUrl === undefined ? Promise.resolve(null) : spamScore(rspamdUrl, raw, sender)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#rest)
    const verifiers = [...this.#verifiers.values()]
    this.#verifiers.clear()
    await Promise.all([
      this.#parsers.stop(),
      this.#loneVerifiers.stop(),
      ...verifiers.map((verifier) => verifier.stop()),
    ])
  }

  /** Beside others. Undefined when they may have changed the verdict, or there is none. */
  async #verify(raw: Buffer, sender: Sender): Promise<AuthResults | undefined> {
    const kind = isCostly(raw) ? 'costly' : 'usual'
    const verifier = this.#verifiers.get(kind) ?? this.#newThread()
    this.#verifiers.set(kind, verifier)
    const outcome = await verifier.ask({ type: 'authResults', bytes: raw, sender }, VERIFYING)
    if (outcome.kind === 'answered') {
      const { authResults, wasHeldUp } = outcome.answer
      return wasHeldUp && Object.values(authResults).includes('temperror') ? undefined : authResults
    }
    if (outcome.kind === 'failed') return undetermined
    if (this.#verifiers.get(kind) === verifier) {
      this.#verifiers.delete(kind)
      this.#options.log.warn({ why: outcome.kind }, 'authentication thread ended')
      void verifier.stop()
    }
    return undefined
  }

  async #verifyAlone(raw: Buffer, sender: Sender): Promise<AuthResults> {
    const outcome = await this.#loneVerifiers.ask({ type: 'authResults', bytes: raw, sender }, VERIFYING_ALONE)
    if (outcome.kind === 'answered') return outcome.answer.authResults
    this.#options.log.warn({ why: outcome.kind }, 'message not authenticated')
    return undetermined
  }

  #newThread(): ParserThread {
    const { hostname, dnsServers, isRelayed } = this.#options
    return new ParserThread({ hostname, dnsServers, isRelayed })
  }

  async #awake<T>(work: () => Promise<T>): Promise<T> {
    this.#running++
    clearTimeout(this.#rest)
    try {
      return await work()
    } finally {
      if (--this.#running === 0) this.#rest = setTimeout(() => void this.stop(), IDLE_MS).unref()
    }
  }
}

/** What came from the thread are plain arrays of bytes. */
const withBuffers = (message: ParsedMessage): ParsedMessage => ({
  ...message,
  attachments: message.attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })),
})
