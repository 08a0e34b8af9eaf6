/** Makes the trace field that a receiving server puts in front of a message (`Received`). */
import { isIPv6 } from 'node:net'
import { separated, wordsHeader } from '../headers.ts'

/** The way by which a message came in, as it is stored with it. */
export interface InboundTransport {
  /** The client has this address; behind a load balancer it is that of the client behind it. */
  address: string
  /** The client gave this name in EHLO; it is not verified. */
  helo: string
  /** The protocol is a word registered for `with` (RFC 3848, RFC 6531): `SMTP`, `ESMTPS`, `UTF8SMTPS` … */
  protocol: string
  /** The value is written as `TLSv1.3 TLS_AES_256_GCM_SHA384`. */
  tls: string | null
  /** The server gave this name; it is absent in messages from before there was a trace field. */
  by?: string
  /** The recipient is given only when it was the only one: the field must not show it to another recipient. */
  for?: string | null
}

/**
 * RFC 5321 §4.4, with its line end; empty where the server is not known. It is made when the message is read: all
 * recipients share the stored bytes, but not the id.
 */
export function traceField(
  { helo, address, by, protocol, for: recipient }: InboundTransport,
  id: string,
  at: Date,
): string {
  if (by === undefined) return ''
  const to = typeof recipient === 'string' && isPlain(recipient) ? [`for <${recipient}>`] : []
  const clauses = [`from ${safeName(helo)}`, `(${literal(address)})`, `by ${by}`, `with ${protocol}`, `id ${id}`, ...to]
  const date = at.toUTCString().replace('GMT', '+0000')
  return wordsHeader('Received', separated([clauses, [date]], ';')).line
}

/** Returns the field without its name and folding. */
export const traceValue = (field: string): string => field.replace(/^Received: /, '').replaceAll('\r\n', '')

/** A client may call itself anything printable: what would read as another clause, a comment or a date is taken out. */
const safeName = (helo: string): string => helo.replaceAll(/[^a-z\d.:_[\]-]/gi, '?')

const literal = (address: string): string => (isIPv6(address) ? `[IPv6:${address}]` : `[${address}]`)

const isPlain = (recipient: string): boolean => /^[\w!#$%&'*+/=?^`{|}~.-]+@[\w.-]+$/.test(recipient)
