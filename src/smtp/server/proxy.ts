/**
 * Reads the PROXY protocol, versions 1 and 2, by which a load balancer names the client. The listener trusts it only
 * from networks that the operator has named, because any client can write such a line.
 */
import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

export type ProxyHeader =
  /** The header is not complete yet. */
  | { kind: 'partial' }
  | { kind: 'malformed' }
  /** The balancer speaks for itself (a health check), or for a connection without IP addresses. */
  | { kind: 'own'; length: number }
  | { kind: 'client'; address: string; port: number; length: number }

const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const MAX_LINE_LENGTH = 107
/** The limit is far above the addresses and their extensions. */
const MAX_BINARY_LENGTH = 4_096

export function readProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsAlike(bytes, signature)) return bytes.length < 16 ? { kind: 'partial' } : readBinary(bytes)
  return startsAlike(bytes, Buffer.from('PROXY ')) ? readLine(bytes) : { kind: 'malformed' }
}

/** Compares as many octets as both have. */
const startsAlike = (bytes: Buffer, wanted: Buffer): boolean => {
  const length = Math.min(bytes.length, wanted.length)
  return bytes.subarray(0, length).equals(wanted.subarray(0, length))
}

function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.indexOf('\r\n')
  if (end === -1) return { kind: bytes.length < MAX_LINE_LENGTH ? 'partial' : 'malformed' }
  const length = end + 2
  if (length > MAX_LINE_LENGTH) return { kind: 'malformed' }
  const [, family, source = '', destination = '', sourcePort, destinationPort, ...more] = bytes
    .toString('latin1', 0, end)
    .split(' ')
  if (family === 'UNKNOWN') return { kind: 'own', length }
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : () => false
  const port = portOf(sourcePort)
  const isWhole = isAddress(source) && isAddress(destination) && portOf(destinationPort) !== undefined
  if (!isWhole || port === undefined || more.length > 0) return { kind: 'malformed' }
  return { kind: 'client', address: source, port, length }
}

const portOf = (text = ''): number | undefined =>
  /^(0|[1-9]\d{0,4})$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined

function readBinary(bytes: Buffer): ProxyHeader {
  const version = bytes.readUInt8(12) >> 4
  const command = bytes.readUInt8(12) & 0xf
  const family = bytes.readUInt8(13)
  const length = 16 + bytes.readUInt16BE(14)
  if (version !== 2 || command > 1 || length > MAX_BINARY_LENGTH) return { kind: 'malformed' }
  if (bytes.length < length) return { kind: 'partial' }
  // With LOCAL, or a family without IP addresses, the peer itself is the client.
  if (command === 0 || (family !== 0x11 && family !== 0x21)) return { kind: 'own', length }
  const octets = family === 0x11 ? 4 : 16
  if (length < 16 + 2 * octets + 4) return { kind: 'malformed' }
  const address = ipaddr.fromByteArray([...bytes.subarray(16, 16 + octets)]).toString()
  return { kind: 'client', address, port: bytes.readUInt16BE(16 + 2 * octets), length }
}
