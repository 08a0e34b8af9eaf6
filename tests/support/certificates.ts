/** X.509 certificates made on the spot: Node reads them but cannot write them, so the DER is put together here. */
import { generateKeyPairSync, randomBytes, sign, X509Certificate, type KeyObject } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  key: string
  cert: string
}

export interface Authority extends Certificate {
  issue(names: readonly string[], options?: { expired?: boolean }): Certificate
}

/** A certificate authority that nobody knows; a client under test is told about it. */
export function makeAuthority(name = 'Test Authority'): Authority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = certificate({
    subject: name,
    issuer: name,
    key: pair.publicKey,
    signer: pair.privateKey,
    authority: true,
  })
  return {
    ...pem(pair.privateKey, own),
    issue: (names, { expired = false } = {}) => {
      const leaf = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const subject = names[0] ?? 'nobody'
      const made = { subject, issuer: name, key: leaf.publicKey, signer: pair.privateKey, names, expired }
      return pem(leaf.privateKey, certificate(made))
    },
  }
}

export function selfSigned(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = names[0] ?? 'nobody'
  return pem(privateKey, certificate({ subject, issuer: subject, key: publicKey, signer: privateKey, names }))
}

interface Facts {
  subject: string
  issuer: string
  key: KeyObject
  signer: KeyObject
  names?: readonly string[]
  authority?: boolean
  expired?: boolean
}

const ECDSA_SHA256 = '1.2.840.10045.4.3.2'

function certificate({ subject, issuer, key, signer, names = [], authority = false, expired = false }: Facts): Buffer {
  const now = Date.now()
  const day = 86_400_000
  const end = expired ? now - day : now + 30 * day
  const facts = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    sequence(oid(ECDSA_SHA256)),
    distinguishedName(issuer),
    sequence(time(now - 10 * day), time(end)),
    distinguishedName(subject),
    key.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(basicConstraints(authority), ...(names.length > 0 ? [alternativeNames(names)] : []))),
  )
  return sequence(facts, sequence(oid(ECDSA_SHA256)), bitString(sign('sha256', facts, signer)))
}

const basicConstraints = (authority: boolean): Buffer =>
  sequence(oid('2.5.29.19'), der(0x01, Buffer.from([0xff])), octets(sequence(...(authority ? [yes] : []))))

const alternativeNames = (names: readonly string[]): Buffer =>
  sequence(
    oid('2.5.29.17'),
    octets(
      sequence(
        ...names.map((name) =>
          /^[\d.]+$/.test(name)
            ? der(0x87, Buffer.from(name.split('.').map(Number)))
            : der(0x82, Buffer.from(name, 'ascii')),
        ),
      ),
    ),
  )

const distinguishedName = (commonName: string): Buffer =>
  sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(commonName)))))

const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest.flatMap(base128)]
  return der(0x06, Buffer.from(bytes))
}

function base128(value: number): number[] {
  const digits = [value & 0x7f]
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
  return digits
}

const yes = Buffer.from([0x01, 0x01, 0xff])
const sequence = (...parts: Buffer[]): Buffer => der(0x30, Buffer.concat(parts))
const integer = (bytes: Buffer): Buffer => der(0x02, bytes)
const octets = (content: Buffer): Buffer => der(0x04, content)
const bitString = (content: Buffer): Buffer => der(0x03, Buffer.concat([Buffer.from([0]), content]))
const tagged = (number: number, content: Buffer): Buffer => der(0xa0 | number, content)

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const pem = (key: KeyObject, bytes: Buffer): Certificate => ({
  key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
  cert: new X509Certificate(bytes).toString(),
})
