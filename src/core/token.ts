import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto'

/**
 * Short signed tokens for what leaves us and has to come back unforged: return paths, unsubscribe and tracking links.
 * They are not secret, they only cannot be made or altered by anybody else.
 *
 *   1 byte    version of this layout
 *   the rest  payload
 *   16 bytes  HMAC-SHA256, cut to 128 bits, over purpose, version and payload
 *
 * in lower-case base32, which survives every mail server that changes the case of a local part. With the 17 bytes that
 * name a recipient a token has 55 characters: with a word before it, it fits the 64 that a local part may have (RFC 5321
 * §4.5.3.1.1). A token made for one purpose is not valid for another, even with the same key.
 */
const VERSION = 1
const MAC_BYTES = 16

/**
 * The first key signs; any of them is believed, so that a new key does not break what is already out there. Objects,
 * not bytes: an HMAC with a key in bytes takes four times as long, and every mail has two.
 */
export type TokenKeys = readonly [current: KeyObject, ...earlier: KeyObject[]]

export const tokenKeys = ([current, ...earlier]: readonly [Buffer, ...Buffer[]]): TokenKeys => [
  createSecretKey(current),
  ...earlier.map((key) => createSecretKey(key)),
]

export function signToken([key]: TokenKeys, purpose: string, payload: Buffer): string {
  const signed = Buffer.concat([Buffer.of(VERSION), payload])
  return encode(Buffer.concat([signed, mac(key, purpose, signed)]))
}

/** Returns the payload; undefined for a token that `signToken` with this purpose and one of these keys did not make. */
export function readToken(keys: TokenKeys, purpose: string, token: string): Buffer | undefined {
  const bytes = decode(token)
  if (bytes === undefined || bytes.length < 1 + MAC_BYTES || bytes[0] !== VERSION) return undefined
  const signed = bytes.subarray(0, -MAC_BYTES)
  const given = bytes.subarray(-MAC_BYTES)
  return keys.some((key) => timingSafeEqual(mac(key, purpose, signed), given)) ? signed.subarray(1) : undefined
}

/** The length of the purpose goes first: `ab` before `c…` is not `a` before `bc…`. */
const mac = (key: KeyObject, purpose: string, signed: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(`${Buffer.byteLength(purpose)}:${purpose}:`)
    .update(signed)
    .digest()
    .subarray(0, MAC_BYTES)

/** The alphabet is Crockford's, as in ids: it has no i, l, o and u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function encode(bytes: Buffer): string {
  let text = ''
  let [bits, count] = [0, 0]
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    for (count += 8; count >= 5;) {
      count -= 5
      text += alphabet[(bits >> count) & 31]
    }
  }
  return count === 0 ? text : text + alphabet[(bits << (5 - count)) & 31]
}

/** Undefined unless it is what `encode` writes: every payload has one spelling. */
function decode(text: string): Buffer | undefined {
  const bytes: number[] = []
  let [bits, count] = [0, 0]
  for (const character of text) {
    const value = alphabet.indexOf(character)
    if (value < 0) return undefined
    bits = ((bits << 5) | value) & 0xfff
    count += 5
    if (count >= 8) {
      count -= 8
      bytes.push((bits >> count) & 0xff)
    }
  }
  const decoded = Buffer.from(bytes)
  return encode(decoded) === text ? decoded : undefined
}
