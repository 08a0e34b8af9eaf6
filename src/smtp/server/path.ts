/**
 * Parses the addresses of an envelope (RFC 5321 §4.1.2). They are written in angle brackets, may have a route, a quoted
 * local part, or an IP address instead of a domain.
 */
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import type { Address } from '../../mail/address.ts'
import { parseMailHost } from '../../mail/domain-name.ts'
import { refused, understood, type Parsed } from '../../mail/parsed.ts'

/**
 * `local` has no quotation marks, so that two spellings of a mailbox are one; `email` has them where it needs them.
 * `domain` may be an address in square brackets.
 */
export type EnvelopeAddress = Omit<Address, 'name'>

export interface Path {
  /** The address is undefined for `<>`. */
  address: EnvelopeAddress | undefined
  /** The path names a relay: `<@relay.example:ann@example.com>`. */
  hasRoute: boolean
  /** The rest is the text behind the address. */
  rest: string
}

/**
 * The limit includes the angle brackets. The local part may be longer than 64 octets: senders encode recipients in it.
 */
const MAX_PATH_LENGTH = 256

/** `<Postmaster>` exists on every server (RFC 5321 §4.5.1) and is the only address without a domain. */
export function parsePath(text: string, hostname: string): Parsed<Path> {
  const postmaster = /^<(postmaster)>/i.exec(text)
  if (postmaster) return path(postmaster[0], false, addressOf(postmaster[1] ?? '', hostname), text)
  if (text.startsWith('<>')) return path('<>', false, undefined, text)
  const found = inBrackets.exec(text) ?? withoutBrackets.exec(text)
  if (found === null) return refused('is not an address in angle brackets')
  const [whole] = found
  const { route, quoted, bare = '', domain = '' } = found.groups ?? {}
  if (Buffer.byteLength(whole) > MAX_PATH_LENGTH) return refused(`is longer than ${MAX_PATH_LENGTH} octets`)
  const local = quoted === undefined ? bare : quoted.replaceAll(/\\(.)/gu, '$1')
  if (quoted === undefined && /^\.|\.\.|\.$/.test(bare)) return refused('has a misplaced dot')
  const host = domain.startsWith('[') ? parseLiteral(domain.slice(1, -1)) : parseName(domain)
  return host.ok ? path(whole, route !== undefined, addressOf(local, host.value), text) : host
}

/** Control characters do not get as far as here. */
const inBrackets =
  /^<(?<route>@[^:<>@\s]+(?:,@[^:<>@\s]+)*:)?(?:"(?<quoted>(?:[^"\\]|\\.)+)"|(?<bare>[^\s"<>()[\]\\,;:@]+))@(?<domain>\[[^[\]<>\s]+\]|[^\s"<>()[\]\\,;:@]+)>/u

/** Some clients leave the brackets out. That is understood where it can mean one thing only: a plain address. */
const withoutBrackets = /^(?<bare>[^\s"<>()[\]\\,;:@]+)@(?<domain>[^\s"<>()[\]\\,;:@]+)(?= |$)/u

const path = (whole: string, hasRoute: boolean, address: EnvelopeAddress | undefined, text: string): Parsed<Path> =>
  understood({ address, hasRoute, rest: text.slice(whole.length) })

function addressOf(local: string, domain: string): EnvelopeAddress {
  const isPlain = /^[^\s"<>()[\]\\,;:@]+$/u.test(local) && !/^\.|\.\.|\.$/.test(local)
  const written = isPlain ? local : `"${local.replaceAll(/["\\]/g, String.raw`\$&`)}"`
  return { local, domain, email: `${written}@${domain}`, needsSmtpUtf8: !/^[ -~]*$/.test(local) }
}

/** RFC 5321 §4.1.3 defines address literals. */
function parseLiteral(literal: string): Parsed<string> {
  if (isIPv4(literal)) return understood(`[${literal}]`)
  const [, address = ''] = /^IPv6:([\da-f:.]+)$/i.exec(literal) ?? []
  if (isIPv6(address)) return understood(`[IPv6:${ipaddr.IPv6.parse(address).toString()}]`)
  return refused('has something in square brackets that is no IP address')
}

/**
 * Accepts more than `parseMailHost`: some senders use hosts whose names have an underscore or no dot. The policy
 * decides whether mail for a name is accepted.
 */
function parseName(name: string): Parsed<string> {
  if (!/^[ -~]*$/.test(name)) return parseMailHost(name)
  return hostName.test(name) && name.length <= 253 ? understood(name.toLowerCase()) : refused('has no valid domain')
}

const hostName = /^(?!.*\.[\d.]*$)[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?(?:\.[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?)*$/i

/**
 * Finds spellings that once asked a server to relay (`ann%example.com@here`, `example.com!ann@here`,
 * `"ann@example.com"@here`, routes), and look-alikes that become the same under NFKC. No real mailbox is named like
 * that.
 */
export const asksForRelay = ({ address, hasRoute }: Path): boolean =>
  hasRoute || /[%!@]/.test(address?.local.normalize('NFKC') ?? '')
