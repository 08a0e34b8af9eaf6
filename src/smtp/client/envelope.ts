import { ownReply, type Reply } from '../../mail/replies/reply.ts'
import type { Mail } from './attempt.ts'
import type { Capabilities } from './capabilities.ts'

/** `MAIL FROM` with the parameters that this message needs and this server knows. */
export function mailCommand({ from, to, size, eightBit }: Mail, offered: Capabilities): string {
  const needsUtf8 = isInternational(from) || isInternational(to)
  return [
    `MAIL FROM:<${from}>`,
    ...(offered.hasSize ? [`SIZE=${size}`] : []),
    ...((eightBit || needsUtf8) && offered.eightBit ? ['BODY=8BITMIME'] : []),
    ...(needsUtf8 ? ['SMTPUTF8'] : []),
  ]
    .join(' ')
    .concat('\r\n')
}

export const rcptCommand = ({ to }: Mail): string => `RCPT TO:<${to}>\r\n`

/** Returns the reason why this message cannot be offered to this server; undefined when it can. */
export function unfit({ from, to, size, eightBit }: Mail, offered: Capabilities): Reply | undefined {
  if (from !== '' && !isSafeAddress(from)) return ownReply(553, '5.1.7', 'the sender is not an address')
  if (!isSafeAddress(to)) return ownReply(553, '5.1.3', 'the recipient is not an address')
  // RFC 6531 §3.1: such an address may only be sent to a server that offers SMTPUTF8.
  if ((isInternational(from) || isInternational(to)) && !offered.smtpUtf8) {
    return ownReply(553, '5.6.7', 'the server takes no addresses beyond ASCII (SMTPUTF8)')
  }
  // RFC 6152 §3: such content may only be sent to a server that offers 8BITMIME.
  if (eightBit && !offered.eightBit) return ownReply(554, '5.6.3', 'the server takes no 8-bit content')
  // RFC 1870 §6: the server would refuse a message above its limit.
  if (offered.size !== undefined && size > offered.size) {
    return ownReply(552, '5.3.4', `the message has ${size} octets, the server takes ${offered.size}`)
  }
  return undefined
}

/**
 * The last check before an address is written. It passes only characters that mean nothing to SMTP, so that no address
 * can end its line or its brackets. It does not check where dots stand: some mailboxes break that rule.
 */
export function isSafeAddress(address: string): boolean {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at + 1)]
  return (
    at > 0 &&
    Buffer.byteLength(local) <= 64 &&
    Buffer.byteLength(address) <= 254 &&
    (atom.test(local) || quoted.test(local)) &&
    address.isWellFormed() &&
    (hostName.test(domain) || literal.test(domain))
  )
}

/** RFC 5322 atext, and letters beyond ASCII (RFC 6532), which are neither control characters nor white space. */
const atom = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]|[^\p{ASCII}\p{C}\p{Z}])+$/u
const quoted = /^"(?:[ !#-[\]-~]|\\[ -~]|[^\p{ASCII}\p{C}\p{Z}])*"$/u
const hostName = /^[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?$/
const literal = /^\[[A-Za-z0-9.:]+\]$/

const isInternational = (address: string): boolean => /\P{ASCII}/u.test(address)
