/** The trace field that a receiving server puts in front of a message: from whom it came, how, to which server, when. */
import { isIPv6 } from 'node:net'
import { separated, wordsHeader } from './headers.ts'

export interface Passage {
  /** What the client called itself: nothing of it was checked. */
  helo: string
  /** Where the client was. */
  address: string
  /** The server that took the message. */
  by: string
  /** As registered for the word behind `with` (RFC 3848, RFC 6531): `SMTP`, `ESMTPS`, `UTF8SMTPS` … */
  protocol: string
  id: string
  /** Only where nobody else got the message: whoever sees the field must not learn of another recipient by it. */
  recipient: string | undefined
  at: Date
}

/** RFC 5321 §4.4. With its line end. */
export function traceField({ helo, address, by, protocol, id, recipient, at }: Passage): string {
  const to = recipient !== undefined && isPlain(recipient) ? [`for <${recipient}>`] : []
  const clauses = [`from ${safeName(helo)}`, `(${literal(address)})`, `by ${by}`, `with ${protocol}`, `id ${id}`, ...to]
  const { line } = wordsHeader('Received', separated([clauses, [at.toUTCString().replace('GMT', '+0000')]], ';'))
  return line
}

/** The same without the name and the folding. */
export const traceValue = (field: string): string => field.replace(/^Received: /, '').replaceAll('\r\n', '')

/** A client may call itself anything printable: what would read as another clause, a comment or a date is taken out. */
const safeName = (helo: string): string => helo.replaceAll(/[^a-z\d.:_[\]-]/gi, '?')

const literal = (address: string): string => (isIPv6(address) ? `[IPv6:${address}]` : `[${address}]`)

const isPlain = (recipient: string): boolean => /^[\w!#$%&'*+/=?^`{|}~.-]+@[\w.-]+$/.test(recipient)
