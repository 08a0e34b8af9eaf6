/** What goes in at one end of the SMTP client and comes out at the other. */
import type { Reply } from '../../mail/replies/reply.ts'

/**
 * One message to one recipient: a transaction never has more, so that every return path can be its own. When a host is
 * lost before the dot, content and permission are asked for again with the next.
 */
export interface Mail {
  /** Envelope sender, empty for the null sender. The domain in A-labels, as in `to`. */
  from: string
  to: string
  /** Octets of the content; what a server's limit is compared with. */
  size: number
  /** Whether there is an octet above 127 in the content. */
  eightBit: boolean
  /** Asked for once the recipient is accepted, so that what waits costs no memory. Lines end in CRLF. */
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /**
   * Asked when everything but the last block is on its way. Only after a yes the final dot is sent, in the same turn
   * of the event loop; after a no the connection is dropped, and the recipient gets nothing.
   */
  beforeDot(): Promise<boolean>
  /** Somebody waits for it: it goes before what is not urgent and has not waited for long. */
  isUrgent?: boolean
  /** Gives up: what is before the final dot comes back undelivered, what is after it is unknown. */
  signal?: AbortSignal
}

/** How far a conversation got. `dot` is the point of no return. */
export type Stage = 'dns' | 'connect' | 'greeting' | 'ehlo' | 'tls' | 'auth' | 'mail' | 'rcpt' | 'data' | 'body' | 'dot'

export type Result =
  | { kind: 'accepted'; reply: Reply }
  | { kind: 'refused'; stage: Stage; reply: Reply }
  /** We did not offer it: they cannot take it, or we may not go there. The reply is our own. */
  | { kind: 'declined'; reply: Reply }
  /** The connection failed before the final dot, on every host that could be tried. Nothing was delivered. */
  | { kind: 'lost'; stage: Stage; reason: string; timedOut: boolean }
  /** The final dot went out and no reply came back. It may or may not have been delivered. */
  | { kind: 'unknown'; reason: string }
  /** `beforeDot` said no. */
  | { kind: 'withheld' }
  /** Not tried at all, through no fault of its own: it goes back without costing an attempt. */
  | { kind: 'returned'; reason: string; afterMs?: number }

/** Whom we talked to. */
export interface Peer {
  host: string
  address: string
  source: string | undefined
  /** `TLSv1.3`; undefined in plain text. */
  tls: string | undefined
}

export interface Attempt {
  result: Result
  peer: Peer | undefined
  milliseconds: number
}

/** In milliseconds. */
export interface Timeouts {
  connect: number
  tls: number
  greeting: number
  /** EHLO, AUTH, MAIL, RCPT, DATA, RSET. */
  command: number
  dataBlock: number
  finalDot: number
}

/** RFC 5321 §4.5.3.2, but for connecting. Less for the final dot makes duplicates: the server may still say yes. */
export const usualTimeouts: Timeouts = {
  connect: 30_000,
  tls: 30_000,
  greeting: 60_000,
  command: 300_000,
  dataBlock: 180_000,
  finalDot: 600_000,
}
