/** Codes of an authenticator, as RFC 6238 has them: HMAC-SHA-1, 30 seconds, 6 digits. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
/** RFC 4226 §4 asks for 128 bits, and recommends as many as the hash has. */
const SECRET_BYTES = 20
/** A clock may be off by one step, and a person needs time to type. */
const MAX_STEPS_OFF = 1

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The step whose code this is; undefined when it is that of none that counts now. */
export function stepOf(secret: Buffer, code: string, now: Date): number | undefined {
  const present = Math.floor(now.getTime() / 1_000 / STEP_SECONDS)
  const steps = Array.from({ length: 2 * MAX_STEPS_OFF + 1 }, (_, i) => present - MAX_STEPS_OFF + i)
  return steps.findLast((step) => isSame(totpCode(secret, step), code))
}

/** RFC 4226 §5.3: the last four bits say where in the HMAC the number stands. */
function totpCode(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS
  return String(number).padStart(DIGITS, '0')
}

const isSame = (expected: string, given: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))

/** What authenticators read as a QR code. */
export function totpUri(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

/** RFC 4648 §6, without padding: what people type where there is no camera. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}
