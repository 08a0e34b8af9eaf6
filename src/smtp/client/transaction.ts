/**
 * Sends the commands of one transaction after another on one session, and turns the replies into results.
 *
 *   envelope → body   the recipient is accepted and the server waits for content
 *   body → dot        everything but the last block is sent, and `beforeDot` permitted the rest
 *   dot → envelope    the server has answered
 *   any → closed      421, a time-out, an unexpected reply or a closed connection
 */
import { replyFrom } from '../../mail/replies/reply.ts'
import type { Mail, Result, Stage, Timeouts } from './attempt.ts'
import type { Capabilities } from './capabilities.ts'
import { mailCommand, rcptCommand } from './envelope.ts'
import { DotStuffing } from './stuffing.ts'
import type { Transcript } from './transcript.ts'
import type { Closed, ReplyOrClosed, Wire } from './wire.ts'

export type Parts = (string | Uint8Array)[]

interface Step {
  stage: Stage
  command: string
}

/** A block of this size is written at once; the next one follows when the kernel has taken it. */
const BLOCK = 65_536
/** The kernel takes this much at once, so a dot behind it leaves at the moment at which it was permitted. */
const MAX_BEFORE_DOT = 16_384
const reset: Step = { stage: 'mail', command: 'RSET\r\n' }

export class Transactions {
  readonly #wire: Wire
  readonly #capabilities: Capabilities
  readonly #timeouts: Timeouts
  #needsReset = false
  #sentAheadAt = 0

  constructor(wire: Wire, capabilities: Capabilities, timeouts: Timeouts) {
    this.#wire = wire
    this.#capabilities = capabilities
    this.#timeouts = timeouts
  }

  /** Returns the commands of an envelope, to be sent behind the end of another mail. */
  commandsFor(mail: Mail, at: number): string {
    this.#sentAheadAt = at
    return commands(this.#steps(mail))
  }

  /** Undefined when the server waits for the content. */
  async envelope(mail: Mail, isSent: boolean, transcript: Transcript): Promise<Result | undefined> {
    const steps = this.#steps(mail)
    const { pipelining } = this.#capabilities
    if (pipelining && !isSent) this.#wire.write(commands(steps))
    if (pipelining) transcript.said(commands(steps), isSent ? this.#sentAheadAt : undefined)
    this.#needsReset = false
    let refusal: Result | undefined
    let isWaiting = false
    for (const step of steps) {
      if (!pipelining) {
        this.#wire.write(step.command)
        transcript.said(step.command)
      }
      // The answers to pipelined commands come together: waiting for each costs more than reading it.
      const answer = this.#wire.bufferedReply() ?? (await this.#wire.readReply(this.#timeouts.command))
      if (answer.kind === 'reply') transcript.heard(answer)
      const failure = this.#failureOf(step, answer)
      refusal ??= failure
      isWaiting = step.stage === 'data' && failure === undefined
      if (refusal && (this.#wire.closed || !pipelining)) break
    }
    if (refusal && !this.#wire.closed) await this.#clearUp(refusal, isWaiting)
    return refusal
  }

  #steps(mail: Mail): Step[] {
    return [
      ...(this.#needsReset ? [reset] : []),
      { stage: 'mail', command: mailCommand(mail, this.#capabilities) },
      { stage: 'rcpt', command: rcptCommand(mail) },
      { stage: 'data', command: 'DATA\r\n' },
    ]
  }

  /** Returns undefined when the server agreed. */
  #failureOf({ stage, command }: Step, answer: ReplyOrClosed): Result | undefined {
    if (answer.kind === 'closed') return lost(stage, answer)
    const { code, lines } = answer
    if (stage === 'data' ? code === 354 : code < 300) return undefined
    if (code < 400 || command === reset.command) return this.#unexpectedReply(stage, code)
    if (code === 421) this.#wire.quit()
    return { kind: 'refused', stage, reply: replyFrom(code, lines) }
  }

  /**
   * RFC 2920 §3.1: a server may accept a pipelined DATA although it refused the only recipient. It then gets an empty
   * message. A transaction that is still open is reset before the next.
   */
  async #clearUp(refusal: Result, isWaiting: boolean): Promise<void> {
    if (isWaiting) {
      this.#wire.write('.\r\n')
      const answer = await this.#wire.readReply(this.#timeouts.finalDot)
      if (answer.kind === 'reply' && answer.code === 421) this.#wire.quit()
    } else {
      this.#needsReset = refusal.kind === 'refused' && refusal.stage !== 'mail'
    }
  }

  /** Sends everything but the block that waits for permission. */
  async body(mail: Mail, transcript: Transcript): Promise<{ last: Parts; bytes: number } | { result: Result }> {
    const stuffing = new DotStuffing()
    let block: Parts = []
    let size = 0
    for await (const chunk of mail.content()) {
      for (let at = 0; at < chunk.length; at += BLOCK) {
        const piece = stuffing.next(chunk.length <= BLOCK ? chunk : chunk.subarray(at, at + BLOCK))
        if (size > 0 && size + piece.length > BLOCK) {
          const result = await this.#flush(block, transcript)
          if (result) return { result }
          transcript.sent(size, false)
          block = []
          size = 0
        }
        block.push(piece)
        size += piece.length
      }
    }
    if (size <= MAX_BEFORE_DOT) return { last: [...block, stuffing.end()], bytes: size }
    const result = await this.#flush(block, transcript)
    if (result) return { result }
    transcript.sent(size, false)
    return { last: [stuffing.end()], bytes: 0 }
  }

  async #flush(block: Parts, transcript: Transcript): Promise<Result | undefined> {
    await this.#wire.flush(block, this.#timeouts.dataBlock)
    return this.interruption(transcript)
  }

  /** Nothing was delivered if the server replies or disconnects before the end of the message. */
  interruption(transcript: Transcript): Result | undefined {
    const early = this.#wire.bufferedReply()
    if (early) transcript.heard(early)
    if (early && early.code >= 400) {
      this.#wire.close('refused before the end')
      return { kind: 'refused', stage: 'body', reply: replyFrom(early.code, early.lines) }
    }
    if (early) return this.#unexpectedReply('body', early.code)
    const { closed } = this.#wire
    return closed && lost('body', closed)
  }

  async finalReply(transcript: Transcript): Promise<Result> {
    const answer = this.#wire.bufferedReply() ?? (await this.#wire.readReply(this.#timeouts.finalDot))
    if (answer.kind === 'closed') return { kind: 'unknown', reason: answer.reason }
    transcript.heard(answer)
    const { code, lines } = answer
    if (code < 300) return { kind: 'accepted', reply: replyFrom(code, lines) }
    if (code < 400) {
      this.#unexpectedReply('dot', code)
      return { kind: 'unknown', reason: `an unexpected reply: ${code}` }
    }
    if (code === 421) this.#wire.quit()
    return { kind: 'refused', stage: 'dot', reply: replyFrom(code, lines) }
  }

  /** After an unexpected reply we cannot know which command the server answers, so the session ends. */
  #unexpectedReply(stage: Stage, code: number): Result {
    const reason = `an unexpected reply: ${code}`
    this.#wire.close(reason)
    return { kind: 'lost', stage, reason, timedOut: false }
  }
}

const commands = (steps: readonly Step[]): string => steps.map(({ command }) => command).join('')

const lost = (stage: Stage, { reason, timedOut }: Closed): Result => ({ kind: 'lost', stage, reason, timedOut })
