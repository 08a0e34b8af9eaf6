/**
 * The threads that read received mail: parsing it, and finding out what its sender can prove. A message that takes too
 * long, or too much memory, costs the thread that has it, and nobody else. They are started when there is mail and ended
 * when there has been none for a while.
 *
 * Parsing is pure work, so a thread does it for one message at a time. Proofs are mostly waiting for the DNS, so one
 * thread does it for many.
 */
import type { Log } from '../core/log.ts'
import { undetermined, type Proofs, type Sender } from '../mail/authenticity.ts'
import type { Letter } from '../mail/letter.ts'
import { spamScore } from '../mail/spam-score.ts'
import type { Reader as ReaderOfMail } from '../resources/receiving/index.ts'
import type { ReaderData } from './reader-messages.ts'
import { Reader } from './reader.ts'

export interface ReadersOptions extends ReaderData {
  rspamdUrl: string | undefined
  log: Log
}

const PARSERS = 2
/** By the work that it takes: on a busy machine everything takes long, and no message is to blame for it. */
const PARSING = { workMs: 2_000, withinMs: 120_000 }
const PROVING = { withinMs: 10_000 }
const SIGN_OF_LIFE = { withinMs: 5_000 }
const IDLE_MS = 15_000

export class Readers implements ReaderOfMail {
  readonly #options: ReadersOptions
  readonly #parsers = new Set<Reader>()
  readonly #idle: Reader[] = []
  readonly #waiting: (() => void)[] = []
  #parsing = 0
  #prover: Reader | undefined
  #proving = 0
  #rest: NodeJS.Timeout | undefined

  constructor(options: ReadersOptions) {
    this.#options = options
  }

  async read(raw: Buffer, envelopeFrom: string): Promise<Letter | undefined> {
    if (this.#parsing >= PARSERS) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#parsing++
    clearTimeout(this.#rest)
    try {
      return await this.#parse(raw, envelopeFrom)
    } finally {
      this.#parsing--
      this.#waiting.shift()?.()
      this.#restWhenIdle()
    }
  }

  async proofs(raw: Buffer, sender: Sender): Promise<Proofs> {
    this.#proving++
    clearTimeout(this.#rest)
    try {
      // Once more when the thread was ended for the sake of another message.
      return (await this.#prove(raw, sender)) ?? (await this.#prove(raw, sender)) ?? undetermined
    } finally {
      this.#proving--
      this.#restWhenIdle()
    }
  }

  spamScore(raw: Buffer, sender: Sender): Promise<number | null> {
    const { rspamdUrl } = this.#options
    return rspamdUrl === undefined ? Promise.resolve(null) : spamScore(rspamdUrl, raw, sender)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#rest)
    this.#idle.length = 0
    const all = [...this.#parsers, ...(this.#prover ? [this.#prover] : [])]
    this.#parsers.clear()
    this.#prover = undefined
    await Promise.all(all.map((reader) => reader.stop()))
  }

  async #parse(raw: Buffer, envelopeFrom: string): Promise<Letter | undefined> {
    const reader = this.#idle.pop() ?? this.#newParser()
    const outcome = await reader.ask({ type: 'read', bytes: raw, envelopeFrom }, PARSING)
    if (outcome.kind === 'answered') this.#idle.push(reader)
    else await this.#dismiss(reader, outcome.kind)
    return outcome.kind === 'answered' ? withBuffers(outcome.answer) : undefined
  }

  /** Undefined when the thread ended meanwhile. */
  async #prove(raw: Buffer, sender: Sender): Promise<Proofs | undefined> {
    const prover = (this.#prover ??= this.#newReader())
    const outcome = await prover.ask({ type: 'proofs', bytes: raw, sender }, PROVING)
    if (outcome.kind === 'answered') return outcome.answer
    if (outcome.kind === 'late') void this.#endUnlessAlive(prover)
    if (outcome.kind === 'ended') this.#replaceProver(prover)
    return outcome.kind === 'ended' ? undefined : undetermined
  }

  /** Whether it waits for somebody else, or is itself what everybody waits for. */
  async #endUnlessAlive(prover: Reader): Promise<void> {
    const { kind } = await prover.ask({ type: 'alive' }, SIGN_OF_LIFE)
    if (kind === 'answered') return
    this.#replaceProver(prover)
    this.#options.log.warn({ why: kind }, 'the thread that authenticates mail was ended')
    await prover.stop()
  }

  #replaceProver(prover: Reader): void {
    if (this.#prover === prover) this.#prover = undefined
  }

  #newReader(): Reader {
    const { hostname, dnsServers, isRelayed } = this.#options
    return new Reader({ hostname, dnsServers, isRelayed })
  }

  #newParser(): Reader {
    const reader = this.#newReader()
    this.#parsers.add(reader)
    return reader
  }

  async #dismiss(reader: Reader, why: string): Promise<void> {
    this.#parsers.delete(reader)
    this.#options.log.warn({ why }, 'a thread that reads mail was ended')
    await reader.stop()
  }

  #restWhenIdle(): void {
    if (this.#parsing > 0 || this.#proving > 0) return
    clearTimeout(this.#rest)
    this.#rest = setTimeout(() => void this.stop(), IDLE_MS).unref()
  }
}

/** What came from the thread are plain arrays of bytes. */
const withBuffers = (letter: Letter): Letter => ({
  ...letter,
  attachments: letter.attachments.map((file) => ({ ...file, content: Buffer.from(file.content) })),
})
