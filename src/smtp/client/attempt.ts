/** The SMTP client takes a Mail and returns an Attempt; this file has the types of both. */
import type { Reply } from '../../mail/replies/reply.ts'
import type { Transcript } from './transcript.ts'

/**
 * One message to one recipient. A transaction never has two recipients, so that each can have its own return path. When
 * a host is lost before the final dot, the client asks for content and permission again for the next host.
 */
export interface Mail {
  /** The envelope sender is empty for the null sender. Its domain is written in A-labels, as in `to`. */
  from: string
  to: string
  /** The content has this many octets; the client compares them with the limit that the server announces (SIZE). */
  size: number
  /** The content has an octet above 127. */
  eightBit: boolean
  /**
   * The client asks for the content once the server has accepted the recipient, so that waiting mail takes no memory.
   * Lines end in CRLF.
   */
  content(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /**
   * The client asks for permission when everything but the last block is sent. After true it sends the final dot in the
   * same turn of the event loop; after false it drops the connection, and the recipient gets nothing.
   */
  beforeDot(): Promise<boolean>
  /** A person waits for this mail: it goes before mail that is not urgent and has not waited for long. */
  isUrgent?: boolean
  /** Aborting returns a mail that is before its final dot; the result is `unknown` for one behind it. */
  signal?: AbortSignal
}

/** The stage tells how far a session got. Once the final dot is sent (`dot`), the mail cannot be taken back. */
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
  /** `beforeDot` returned false. */
  | { kind: 'withheld' }
  /** The mail was not tried, for a reason outside of it: the caller queues it again without counting an attempt. */
  | { kind: 'returned'; reason: string; afterMs?: number }

/** The peer is the server that we talked to. */
export interface Peer {
  host: string
  address: string
  source: string | undefined
  /** The protocol is `TLSv1.3` or older; it is undefined for a connection in plain text. */
  tls: string | undefined
}

export interface Attempt {
  result: Result
  peer: Peer | undefined
  milliseconds: number
  /** What was said to that peer, if anything was: the opening of the session first. */
  transcripts?: readonly Transcript[]
}

/** All times are in milliseconds. */
export interface Timeouts {
  connect: number
  tls: number
  greeting: number
  /** EHLO, AUTH, MAIL, RCPT, DATA and RSET share this time-out. */
  command: number
  dataBlock: number
  finalDot: number
}

/**
 * RFC 5321 §4.5.3.2 sets these, except for connecting. A shorter wait after the final dot makes duplicates: the server
 * may still accept the mail.
 */
export const usualTimeouts: Timeouts = {
  connect: 30_000,
  tls: 30_000,
  greeting: 60_000,
  command: 300_000,
  dataBlock: 180_000,
  finalDot: 600_000,
}
