/** The trace field that a receiving server puts in front of a message: from whom it came, how, to which server, when. */
import { isIPv6 } from 'node:net'
import { separated, wordsHeader } from '../headers.ts'

/** How a message came in, as it is stored with it. */
export interface Passage {
  /** Of the client; behind a load balancer, of the client behind it. */
  address: string
  /** What the client called itself: nothing of it was checked. */
  helo: string
  /** As registered for the word behind `with` (RFC 3848, RFC 6531): `SMTP`, `ESMTPS`, `UTF8SMTPS` … */
  protocol: string
  /** `TLSv1.3 TLS_AES_256_GCM_SHA384` */
  tls: string | null
  /** What the server was called; absent in messages from before there was a trace field. */
  by?: string
  /** Only where nobody else got the message: whoever sees the field must not learn of another recipient by it. */
  for?: string | null
}

/**
 * RFC 5321 §4.4, with its line end; empty where the server is not known. It is made when somebody reads the message: the
 * bytes are shared by all recipients, and the id is not.
 */
export function traceField({ helo, address, by, protocol, for: recipient }: Passage, id: string, at: Date): string {
  if (by === undefined) return ''
  const to = typeof recipient === 'string' && isPlain(recipient) ? [`for <${recipient}>`] : []
  const clauses = [`from ${safeName(helo)}`, `(${literal(address)})`, `by ${by}`, `with ${protocol}`, `id ${id}`, ...to]
  const date = at.toUTCString().replace('GMT', '+0000')
  return wordsHeader('Received', separated([clauses, [date]], ';')).line
}

/** The same without the name and the folding. */
export const traceValue = (field: string): string => field.replace(/^Received: /, '').replaceAll('\r\n', '')

/** A client may call itself anything printable: what would read as another clause, a comment or a date is taken out. */
const safeName = (helo: string): string => helo.replaceAll(/[^a-z\d.:_[\]-]/gi, '?')

const literal = (address: string): string => (isIPv6(address) ? `[IPv6:${address}]` : `[${address}]`)

const isPlain = (recipient: string): boolean => /^[\w!#$%&'*+/=?^`{|}~.-]+@[\w.-]+$/.test(recipient)
