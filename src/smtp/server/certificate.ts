/**
 * Makes a certificate for a server that was given none. Senders that do not know us verify nothing (RFC 7435), but
 * encrypt if they can. Node reads X.509 and cannot write it, so this file writes the DER (X.690).
 */
import { generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'

export interface Certificate {
  /** The key and the certificate are in PEM. */
  key: string
  cert: string
}

const YEAR_MS = 365.25 * 86_400_000
/** Clocks differ: a certificate from this very moment is from the future to some. */
const BEFORE_MS = 86_400_000

export function selfSignedCertificate(hostname: string, now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(hostname.slice(0, 64))))))
  const facts = sequence(
    tagged(0, integer(Buffer.from([2]))),
    // The serial number is positive and has 120 random bits.
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    sequence(oid(ECDSA_SHA256)),
    name,
    sequence(time(now - BEFORE_MS), time(now + 10 * YEAR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(noAuthority, alternativeName(hostname))),
  )
  const bytes = sequence(facts, sequence(oid(ECDSA_SHA256)), bitString(sign('sha256', facts, privateKey)))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: new X509Certificate(bytes).toString(),
  }
}

const ECDSA_SHA256 = [1, 2, 840, 10_045, 4, 3, 2]
const COMMON_NAME = [2, 5, 4, 3]
const BASIC_CONSTRAINTS = [2, 5, 29, 19]
const ALTERNATIVE_NAME = [2, 5, 29, 17]

const alternativeName = (hostname: string): Buffer =>
  sequence(oid(ALTERNATIVE_NAME), octets(sequence(der(0x82, Buffer.from(hostname, 'ascii')))))

const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`))

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

const integer = (bytes: Buffer): Buffer => der(0x02, bytes)
const octets = (content: Buffer): Buffer => der(0x04, content)
const bitString = (content: Buffer): Buffer => der(0x03, Buffer.concat([Buffer.from([0]), content]))
const tagged = (number: number, content: Buffer): Buffer => der(0xa0 | number, content)

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const noAuthority = sequence(oid(BASIC_CONSTRAINTS), octets(sequence()))
