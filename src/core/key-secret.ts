import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * A key is `ph_live_`, 32 random characters and 6 of their checksum. The checksum lets us refuse a mistyped or invented
 * key without asking the database, and lets secret scanners recognise a leaked one with certainty.
 */
const PREFIX = 'ph_live_'
const RANDOM_LENGTH = 32
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^ph_live_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

export const keySecretPrefix = PREFIX

export function newKeySecret(pick: (below: number) => number = randomInt): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => base62[pick(base62.length)]).join('')
  return `${PREFIX}${random}${checksum(random)}`
}

export function isWellFormedKeySecret(secret: string): boolean {
  const [, random, sum] = form.exec(secret) ?? []
  return random !== undefined && checksum(random) === sum
}

/** 190 bits of randomness need no slow hash; a slow one would only let attackers keep us busy. */
export const hashKeySecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/**
 * A key in the wrong place, as the name of a field, is not repeated: answers end up in logs that others read. Nor is the
 * key that a webhook is signed with, whose strokes become `~1` in the path of a field.
 */
export const withoutKeySecrets = (text: string): string =>
  text.replaceAll(/ph_live_[0-9A-Za-z]+/g, `${PREFIX}…`).replaceAll(/whsec_[0-9A-Za-z+/=~]+/g, 'whsec_…')

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = `${base62[rest % 62]}${text}`
    rest = Math.floor(rest / 62)
  }
  return text
}
