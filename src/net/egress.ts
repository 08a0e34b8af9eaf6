/**
 * Decides where we may connect. Addresses come from outside (the MX of a recipient, the URL of a webhook), so
 * everything but the public internet is refused: services in our own network would trust us.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { contains, unmapped, type Address, type Network } from './networks.ts'

export interface Egress {
  /** Networks that are let through although they are not public. */
  allow: readonly Network[]
  /** This machine has these addresses, public ones too: services that listen here may trust clients from here. */
  own: readonly string[]
}

/**
 * For an address in its usual spelling, as DNS answers and sockets have it; a name is never allowed. An IPv6 address
 * that carries an IPv4 address is judged by both, because it may end up at either. What an operator lists is meant as
 * it is written: `127.0.0.0/8` does not open the tunnels that lead there.
 */
export function mayConnect(address: string, { allow, own }: Egress): boolean {
  const canonical = canonicalAddress(address)
  if (canonical === undefined) return false
  if (within(allow, canonical)) return true
  const ours = new Set(own.map((one) => canonicalAddress(one)?.toString()))
  return [canonical, ...embeddedIn(canonical)].every((one) => isPublic(one) && !ours.has(one.toString()))
}

/** Undefined for anything that is no address. */
function canonicalAddress(address: string): Address | undefined {
  // The parser takes `127.1`, `0x7f000001` and `017700000001` too; no socket or DNS answer has those forms.
  if (isIP(address) === 0) return undefined
  return unmapped(ipaddr.parse(withoutDots(address.replace(/%.*$/, ''))))
}

/** The parser takes `::8.8.8.8` for the mapped form `::ffff:8.8.8.8`. To a socket it is `::808:808`. */
const withoutDots = (address: string): string =>
  address.replace(/:(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_quad, a, b, c, d) => {
    const group = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16)
    return `:${group(a, b)}:${group(c, d)}`
  })

const networks = (list: string): Network[] => list.split(/\s+/).map((cidr) => ipaddr.parseCIDR(cidr))

/**
 * The IANA registry of special-purpose IPv4 addresses, those that are not globally reachable; and 168.63.129.16, where
 * Azure answers every machine of its customers itself, with that machine's secrets.
 */
const specialIPv4 = networks(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
   192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
   168.63.129.16/32`,
)

/** IPv6 addresses are public in this range (RFC 4291 §2.4), and behind the translator's prefix (RFC 6052). */
const publicIPv6 = networks('2000::/3 64:ff9b::/96')
/** Protocol assignments with Teredo, documentation twice, and 6to4, which has no use any more (RFC 7526). */
const specialIPv6 = networks('2001::/23 2001:db8::/32 2002::/16 3fff::/20')

const within = (list: readonly Network[], address: Address): boolean =>
  list.some((network) => contains(network, address))

const isPublic = (address: Address): boolean =>
  address instanceof ipaddr.IPv4
    ? !within(specialIPv4, address)
    : within(publicIPv6, address) && !within(specialIPv6, address)

/**
 * The IPv4 addresses that a translator or a tunnel would make of an IPv6 address: NAT64 (RFC 6052), SIIT (RFC 2765),
 * IPv4-compatible (RFC 4291 §2.5.5.1), 6to4 (RFC 3056), Teredo (RFC 4380: server, and client inverted) and ISATAP
 * (RFC 5214), which works below every prefix.
 */
function embeddedIn(address: Address): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return []
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = address.parts
  const lastHalf = ipv4(g, h)
  if (a === 0x64 && b === 0xff9b) return [lastHalf]
  if (a === 0 && b === 0 && c === 0 && d === 0 && (e === 0 || e === 0xffff) && f === 0) return [lastHalf]
  if (a === 0x2002) return [ipv4(b, c)]
  if (a === 0x2001 && b === 0) return [ipv4(c, d), ipv4(g ^ 0xffff, h ^ 0xffff)]
  if ((e & 0xfdff) === 0 && f === 0x5efe) return [lastHalf]
  return []
}

const ipv4 = (high: number, low: number): ipaddr.IPv4 => new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff])
