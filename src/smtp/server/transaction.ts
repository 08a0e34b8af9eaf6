/** One transaction, from MAIL to the end of data: it collects recipients and hands the message to delivery. */
import type { Reply } from '../../mail/replies/reply.ts'
import * as answers from './answers.ts'
import type { Answer } from './answers.ts'
import type { Command, MailParameters } from './command.ts'
import type { SessionFacts } from './envelope.ts'
import type { SessionContext } from './context.ts'
import type { Limits } from './limits.ts'
import type { EnvelopeAddress } from './path.ts'

export class Transaction {
  readonly #from: EnvelopeAddress | undefined
  readonly #parameters: MailParameters
  readonly #session: SessionFacts
  readonly #context: SessionContext
  readonly #to = new Map<string, EnvelopeAddress>()
  #wasRefused = false
  /** The smallest limit of all recipients applies. */
  #mostBytes: number

  constructor(
    from: EnvelopeAddress | undefined,
    parameters: MailParameters,
    session: SessionFacts,
    context: SessionContext,
  ) {
    this.#from = from
    this.#parameters = parameters
    this.#session = session
    this.#context = context
    this.#mostBytes = context.limits.messageBytes
  }

  /** These limits apply to the content. */
  get limits(): Limits {
    return { ...this.#context.limits, messageBytes: this.#mostBytes }
  }

  /** Returns the reason why DATA cannot be accepted yet. */
  get problem(): Answer | undefined {
    if (this.#to.size > 0) return undefined
    return this.#wasRefused ? answers.noValidRecipients : answers.recipientFirst
  }

  /** A recipient that is named twice is not looked up again. */
  hasAccepted({ address, asksForRelay }: Command & { verb: 'RCPT' }): boolean {
    return !asksForRelay && this.#to.has(address.email)
  }

  async recipient({ address, asksForRelay, needsSmtpUtf8 }: Command & { verb: 'RCPT' }): Promise<Answer> {
    const answer = await this.#judge(address, asksForRelay, needsSmtpUtf8)
    if (answer.code >= 300) this.#wasRefused = true
    else this.#to.set(address.email, address)
    return answer
  }

  async deliver(content: Buffer): Promise<Answer> {
    const { deliver, clock, log } = this.#context
    const { body, smtpUtf8 } = this.#parameters
    const receivedAt = new Date(clock.now())
    const to = [...this.#to.values()]
    try {
      return plain(await deliver({ from: this.#from, to, body, smtpUtf8, session: this.#session, receivedAt }, content))
    } catch (error) {
      log.error({ err: error, client: this.#session.client.address }, 'received message not stored')
      return answers.localError
    }
  }

  async #judge(address: EnvelopeAddress, asksForRelay: boolean, needsSmtpUtf8: boolean): Promise<Answer> {
    const { policy, limits, log } = this.#context
    if (needsSmtpUtf8 && !this.#parameters.smtpUtf8) return answers.needsSmtpUtf8
    if (asksForRelay) return answers.noRelay
    if (this.#to.size >= limits.recipients) return answers.tooManyRecipients
    try {
      const verdict = await policy.recipient(address, this.#session)
      if (verdict === 'accept') return answers.recipientOk
      return 'mostBytes' in verdict ? this.#takeUpTo(verdict.mostBytes) : plain(verdict)
    } catch (error) {
      log.error({ err: error, client: this.#session.client.address }, 'recipient lookup failed')
      return answers.localError
    }
  }

  #takeUpTo(mostBytes: number): Answer {
    if ((this.#parameters.size ?? 0) > mostBytes) return answers.tooLargeForMailbox
    this.#mostBytes = Math.min(this.#mostBytes, mostBytes)
    return answers.recipientOk
  }
}

/** Copies the three fields of a reply, so that policy and delivery cannot set `closes`. */
const plain = ({ code, enhanced, text }: Reply): Answer => ({ code, enhanced, text })
