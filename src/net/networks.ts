import ipaddr from 'ipaddr.js'

export type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = readonly [Address, number]

/** False if the text is not an IP address. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  if (networks.length === 0 || !ipaddr.isValid(address)) return false
  const ip = ipaddr.process(address)
  return networks.some((network) => contains(network, ip))
}

/** A network may be written in the mapped form as well: `::ffff:10.0.0.0/104` is `10.0.0.0/8`. */
export function contains([base, bits]: Network, address: Address): boolean {
  const plain = bits >= MAPPED_BITS ? unmapped(base) : base
  if (plain.kind() !== address.kind()) return false
  return address.match(plain, plain.kind() === base.kind() ? bits : bits - MAPPED_BITS)
}

const MAPPED_BITS = 96

/** An IPv4-mapped IPv6 address is the IPv4 address. */
export const unmapped = (address: Address): Address =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address

/** Where the names of an address stand in the DNS (RFC 1035 §3.5, RFC 3596 §2.5). The text must be an IP address. */
export function reverseName(address: string): string {
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return `${ip.octets.toReversed().join('.')}.in-addr.arpa`
  const digits = ip.parts.map((part) => part.toString(16).padStart(4, '0')).join('')
  return `${[...digits].toReversed().join('.')}.ip6.arpa`
}
