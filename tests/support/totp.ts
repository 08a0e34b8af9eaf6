import { createHmac } from 'node:crypto'

export const stepAt = (ms: number): number => Math.floor(ms / 30_000)

/** The code that an authenticator shows now. */
export const totpNow = (secret: string): string => totpOf(secret, stepAt(Date.now()))

/** The code that an authenticator shows in this step, written down a second time from RFC 6238. */
export function totpOf(secret: string, step: number): string {
  const counter = Buffer.from(step.toString(16).padStart(16, '0'), 'hex')
  const mac = createHmac('sha1', base32Bytes(secret)).update(counter).digest()
  const start = mac[19]! % 16
  const number = Number.parseInt(mac.subarray(start, start + 4).toString('hex'), 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

/** Takes capitals, small letters and hyphens. Returns no bytes for a text that is not base32. */
export function base32Bytes(text: string): Buffer {
  const letters = [...text.toUpperCase().replaceAll('-', '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter),
  )
  if (letters.includes(-1)) return Buffer.alloc(0)
  const bits = letters.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
