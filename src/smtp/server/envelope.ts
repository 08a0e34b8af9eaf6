/** What the policy and the delivery get to see of a session. */
import type { Reply } from '../../mail/replies/reply.ts'
import type { EnvelopeAddress } from './path.ts'
import type { TlsFacts } from './wire.ts'

export interface SessionFacts {
  client: { address: string; port: number }
  /** What the client calls itself; nothing of it is checked. */
  helo: string
  isExtended: boolean
  tls: TlsFacts | undefined
}

export interface Envelope {
  /** Undefined for the null sender. */
  from: EnvelopeAddress | undefined
  /** Each once, at least one. */
  to: readonly EnvelopeAddress[]
  body: '7BIT' | '8BITMIME'
  smtpUtf8: boolean
  session: SessionFacts
  /** When the end of data was read. */
  receivedAt: Date
}

export interface Policy {
  /** Asked for every recipient; what asks for relaying by its spelling does not get here. */
  recipient(address: EnvelopeAddress, session: SessionFacts): Verdict | Promise<Verdict>
}

/** With `mostBytes`, a message that is larger is not for this recipient. */
export type Verdict = 'accept' | { mostBytes: number } | Reply

/**
 * Takes charge of a message, octet by octet as it came, without the dots that were added. A reply of 2xx is a promise:
 * it must not be given before the message is where it cannot be lost.
 */
export type Deliver = (envelope: Envelope, content: Buffer) => Promise<Reply>
