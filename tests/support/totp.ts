import { createHmac } from 'node:crypto'

export const stepAt = (ms: number): number => Math.floor(ms / 30_000)

/** The code that an authenticator shows now. */
export const totpNow = (secret: string): string => totpOf(secret, stepAt(Date.now()))

/** The code that an authenticator shows in this step, written down a second time from RFC 6238. */
export function totpOf(secret: string, step: number): string {
  const bits = [...secret]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.from(step.toString(16).padStart(16, '0'), 'hex')
  const mac = createHmac('sha1', key).update(counter).digest()
  const start = mac[19]! % 16
  const number = Number.parseInt(mac.subarray(start, start + 4).toString('hex'), 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}
