/**
 * The receiving side of SMTP (RFC 5321): one session from greeting to QUIT.
 *
 * After the greeting a client sends EHLO or HELO; then any number of transactions follow: MAIL, one or more RCPT, DATA,
 * content. RSET, EHLO and STARTTLS end a transaction without a trace. Every line gets one answer, and the content of a
 * message gets one more, after delivery has accepted or refused it. There is no AUTH and no BDAT.
 */
import * as answers from './answers.ts'
import { closing, isLast, formatAnswer, type Answer } from './answers.ts'
import { parseCommand, type Command } from './command.ts'
import { ContentReader } from './content.ts'
import type { SessionFacts } from './envelope.ts'
import type { SessionContext } from './context.ts'
import { Transaction } from './transaction.ts'
import type { Deadline, TlsFacts, Wire } from './wire.ts'

export class Session {
  readonly #wire: Wire
  readonly #context: SessionContext
  readonly #client: SessionFacts['client']
  readonly #until: number
  #hello: { name: string; isExtended: boolean } | undefined
  #tls: TlsFacts | undefined
  #transaction: Transaction | undefined
  /** True from the answer to DATA to the answer to the content. */
  #hasContent = false
  /** When the session began, or its last message was over. */
  #quietSince: number
  /** The time at which the server began to wait for the next line. */
  #lineSince: number | undefined
  #badCommands = 0
  #badRecipients = 0
  #idleCommands = 0
  /** The session ends with this answer as soon as no transaction is open. */
  #lastAnswer: Answer | undefined

  constructor(wire: Wire, client: SessionFacts['client'], context: SessionContext) {
    this.#wire = wire
    this.#client = client
    this.#context = context
    this.#quietSince = context.clock.now()
    this.#until = this.#quietSince + context.limits.sessionMs
  }

  /** Resolves when the session has ended. It never rejects. */
  async run(): Promise<void> {
    try {
      if (await this.#greet()) while (await this.#next());
    } catch (error) {
      this.#context.log.error({ err: error, client: this.#client.address }, 'SMTP session failed')
      this.#answer(answers.brokenSession)
    }
    this.#wire.close(this.#inMs(this.#context.limits.lingerMs))
  }

  /** The time since which the session has brought no message; undefined while content arrives or is delivered. */
  get idleSince(): number | undefined {
    return this.#hasContent ? undefined : this.#quietSince
  }

  get hasTransaction(): boolean {
    return this.#transaction !== undefined
  }

  /** Ends an idle session for the sake of another. A transaction without content is dropped: nothing was promised. */
  evict(): void {
    this.#transaction = undefined
    this.end(answers.placeNeeded)
  }

  /** Ends the session as soon as no transaction is open, which may be now. */
  end(lastAnswer: Answer = answers.shuttingDown): void {
    this.#lastAnswer ??= lastAnswer
    if (this.#transaction === undefined) this.#wire.interrupt()
  }

  /** Ends the session wherever it is, unless a message is in the hands of delivery. */
  interrupt(): void {
    this.#lastAnswer ??= answers.shuttingDown
    this.#wire.interrupt()
  }

  async #greet(): Promise<boolean> {
    const { hostname, limits } = this.#context
    if (limits.greetingMs > 0) await this.#wire.pause(limits.greetingMs)
    return this.#answer(this.#wire.hasInput ? answers.talksEarly : answers.greeting(hostname))
  }

  /** One line, or the wait for one. False at the end. */
  async #next(): Promise<boolean> {
    if (this.#lastAnswer && this.#transaction === undefined) return this.#answer(this.#lastAnswer)
    const line = this.#wire.line()
    if (line === undefined) return this.#awaitLine()
    this.#lineSince = undefined
    const [end, why] = this.#end()
    if (this.#context.clock.now() >= end) return this.#answer(why)
    if (!line.isWhole) return this.#answer(closing(answers.lineTooLong))
    if (!line.endsWell) return this.#answer(this.#counted(answers.badLineEnd))
    const command = parseCommand(line.bytes, this.#context.hostname)
    if (command.verb === 'STARTTLS') return this.#startTls()
    if (command.verb === 'DATA') return this.#data()
    return this.#answer(this.#counted(await this.#handle(command)))
  }

  /** The whole line has to be there in time: a client that drips letters gains nothing by it. */
  async #awaitLine(): Promise<boolean> {
    const since = (this.#lineSince ??= this.#context.clock.now())
    const [end, why] = this.#end()
    const reason = await this.#wire.readMore(() => Math.min(since + this.#commandMs(), end))
    if (reason === 'late') return this.#answer(this.#context.clock.now() >= end ? why : answers.timeout)
    if (reason === 'interrupted') return this.#answer(this.#lastAnswer ?? answers.shuttingDown)
    return reason === 'input'
  }

  /** Returns the time at which the session ends at the latest, and the answer for that case. */
  #end(): [at: number, why: Answer] {
    const quietUntil = this.#quietSince + this.#context.limits.withoutMessageMs
    return quietUntil < this.#until ? [quietUntil, answers.noMessageForTooLong] : [this.#until, answers.sessionTooLong]
  }

  #commandMs(): number {
    const { limits, isBusy } = this.#context
    return isBusy() ? limits.busyCommandMs : limits.commandMs
  }

  #handle(command: Exclude<Command, { verb: 'STARTTLS' | 'DATA' }>): Answer | Promise<Answer> {
    switch (command.verb) {
      case 'EHLO':
      case 'HELO':
        return this.#handleHello(command)
      case 'MAIL':
        return this.#mail(command)
      case 'RCPT':
        return this.#recipient(command)
      case 'RSET':
        this.#transaction = undefined
        return this.#idle(answers.ok)
      case 'NOOP':
        return this.#idle(answers.ok)
      case 'VRFY':
        return this.#idle(answers.wontVerify)
      case 'HELP':
        return this.#idle(answers.help)
      case 'QUIT':
        return answers.bye
      case 'wrong':
        return command.answer
    }
  }

  #handleHello({ verb, name }: { verb: 'EHLO' | 'HELO'; name: string }): Answer {
    const { hostname, limits, secureContext } = this.#context
    this.#hello = { name, isExtended: verb === 'EHLO' }
    this.#transaction = undefined
    if (verb === 'HELO') return this.#idle(answers.hello(hostname))
    const tls = this.#tls === undefined && secureContext() !== undefined ? ['STARTTLS'] : []
    const size = `SIZE ${limits.messageBytes}`
    const most = `LIMITS RCPTMAX=${limits.recipients}`
    const offers = ['PIPELINING', size, '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES', ...tls, most]
    return this.#idle(answers.hello(hostname, offers))
  }

  #mail({ from, parameters }: Command & { verb: 'MAIL' }): Answer {
    if (this.#hello === undefined) return answers.helloFirst
    if (this.#transaction) return answers.nestedMail
    if ((parameters.size ?? 0) > this.#context.limits.messageBytes) return answers.tooLarge
    if (!this.#context.hasStorage()) return answers.outOfStorage
    const facts = { client: this.#client, helo: this.#hello.name, isExtended: this.#hello.isExtended, tls: this.#tls }
    this.#transaction = new Transaction(from, parameters, facts, this.#context)
    return answers.senderOk
  }

  async #recipient(command: Command & { verb: 'RCPT' }): Promise<Answer> {
    if (this.#transaction === undefined) return answers.mailFirst
    if (this.#transaction.hasAccepted(command)) return this.#idle(answers.recipientOk)
    const answer = await this.#transaction.recipient(command)
    if (answer.code >= 500 && ++this.#badRecipients > this.#context.limits.badRecipients) {
      return answers.tooManyBadRecipients
    }
    return answer
  }

  async #startTls(): Promise<boolean> {
    const { secureContext } = this.#context
    const context = secureContext()
    if (this.#tls) return this.#answer(this.#counted(answers.alreadyTls))
    if (context === undefined) return this.#answer(this.#counted(answers.notImplemented))
    this.#answer(answers.readyForTls)
    this.#hello = undefined
    this.#transaction = undefined
    const since = this.#context.clock.now()
    this.#tls = await this.#wire.secure(context, () => since + this.#commandMs())
    return this.#tls !== undefined
  }

  async #data(): Promise<boolean> {
    const problem = this.#transaction === undefined ? answers.mailFirst : this.#transaction.problem
    if (this.#transaction === undefined || problem !== undefined) {
      // A client that did not wait for 354 has already sent content, which must not be read as commands.
      const answer = this.#counted(problem ?? answers.mailFirst)
      return this.#answer(this.#wire.hasInput ? closing(answer) : answer)
    }
    this.#answer(answers.sendData)
    const reader = new ContentReader(this.#transaction.limits, this.#context.memory)
    this.#hasContent = true
    try {
      const answer = await this.#content(reader, this.#transaction)
      this.#transaction = undefined
      this.#idleCommands = 0
      this.#quietSince = this.#context.clock.now()
      return answer !== undefined && this.#answer(answer)
    } finally {
      this.#hasContent = false
      reader.release()
    }
  }

  /** Undefined when the client is gone. */
  async #content(reader: ContentReader, transaction: Transaction): Promise<Answer | undefined> {
    const start = this.#context.clock.now()
    for (;;) {
      const rest = this.#wire.hasInput ? reader.take(this.#wire.take()) : undefined
      if (rest !== undefined) {
        this.#wire.unread(rest)
        const content = reader.finish()
        return Buffer.isBuffer(content) ? transaction.deliver(content) : content
      }
      if (reader.exceedsDrain) return closing(reader.problem ?? answers.tooLarge)
      const reason = await this.#wire.readMore(this.#dataDeadline(start, reader.received))
      if (reason === 'ended') return undefined
      if (reason !== 'input') return reason === 'late' ? answers.timeout : (this.#lastAnswer ?? answers.shuttingDown)
    }
  }

  /** A client may be silent for a limited time, and the octets must arrive at a minimum pace after a head start. */
  #dataDeadline(start: number, received: number): Deadline {
    const { limits, isBusy, clock } = this.#context
    const since = clock.now()
    return () => {
      const patienceMs = isBusy() ? limits.busyDataMs : limits.dataMs
      return Math.min(since, start + (received / limits.dataPace) * 1_000) + patienceMs
    }
  }

  #idle(answer: Answer): Answer {
    return ++this.#idleCommands > this.#context.limits.idleCommands ? answers.tooManyIdleCommands : answer
  }

  /** Counts the answers that say that the client does not speak our protocol. */
  #counted(answer: Answer): Answer {
    const isError = (answer.code >= 500 && answer.code <= 504) || answer.code === 555
    return isError && ++this.#badCommands > this.#context.limits.badCommands ? answers.tooManyBadCommands : answer
  }

  /** Returns false after the last answer of a session. */
  #answer(answer: Answer): boolean {
    this.#wire.write(formatAnswer(answer))
    return !isLast(answer)
  }

  #inMs(ms: number): number {
    return this.#context.clock.now() + ms
  }
}
