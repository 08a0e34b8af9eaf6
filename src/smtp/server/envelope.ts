/** The policy and the delivery get these facts about a session. */
import type { Reply } from '../../mail/replies/reply.ts'
import type { EnvelopeAddress } from './path.ts'
import type { TlsFacts } from './wire.ts'

export interface SessionFacts {
  client: { address: string; port: number }
  /** The client gave this name in EHLO or HELO; it is not verified. */
  helo: string
  isExtended: boolean
  tls: TlsFacts | undefined
}

export interface Envelope {
  /** The sender is undefined for the null sender. */
  from: EnvelopeAddress | undefined
  /** The list has each recipient once, and at least one. */
  to: readonly EnvelopeAddress[]
  body: '7BIT' | '8BITMIME'
  smtpUtf8: boolean
  session: SessionFacts
  /** The end of data was read at this time. */
  receivedAt: Date
}

export interface Policy {
  /** The server asks for each recipient. It refuses spellings that ask for relaying before. */
  recipient(address: EnvelopeAddress, session: SessionFacts): Verdict | Promise<Verdict>
}

/** With `mostBytes`, a message that is larger is not for this recipient. */
export type Verdict = 'accept' | { mostBytes: number } | Reply

/**
 * Takes over a message, octet by octet as it came, without the dots that the client added. A 2xx reply is a promise:
 * the message must be stored safely before it is given.
 */
export type Deliver = (envelope: Envelope, content: Buffer) => Promise<Reply>
