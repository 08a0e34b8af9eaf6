/** Messages that handsets send: what their octets say, and how parts become one text again. */
import type { Concat, InboundAlphabet, InboundPart } from './carrier.ts'
import { fromSeptets } from './gsm.ts'

/** Parts wait this long for those that are missing; then the message consists of what there is. */
export const REASSEMBLY_MS = 10 * 60_000

export interface Assembled {
  text: string
  firstPart: string
  /** False when parts are missing whose time is up. */
  complete: boolean
}

/**
 * The message that some parts are, once nothing more is expected. Parts come in any order and more than once; of two
 * with the same place the first counts.
 */
export function assembled(parts: readonly InboundPart[], waitedMs: number): Assembled | undefined {
  const [any] = parts
  if (any === undefined) return undefined
  const total = any.concat?.total ?? 1
  const places = new Map<number, InboundPart>()
  for (const part of parts) {
    const seq = part.concat?.seq ?? 1
    if (seq >= 1 && seq <= total && !places.has(seq)) places.set(seq, part)
  }
  const complete = places.size === total
  if (!complete && waitedMs < REASSEMBLY_MS) return undefined
  const inOrder = [...places].toSorted(([a], [b]) => a - b).map(([, part]) => part)
  return { text: joined(inOrder), firstPart: places.get(1)?.text ?? '', complete }
}

/** Neighbours of one alphabet are joined before they are read: a character may lie across the seam. */
function joined(parts: readonly InboundPart[]): string {
  const runs: { alphabet: InboundAlphabet; payloads: Uint8Array[] }[] = []
  for (const { alphabet, payload } of parts) {
    const last = runs.at(-1)
    if (last?.alphabet === alphabet) last.payloads.push(payload)
    else runs.push({ alphabet, payloads: [payload] })
  }
  return runs.map(({ alphabet, payloads }) => decoded(Buffer.concat(payloads), alphabet)).join('')
}

/** Decodes any octets to a text that is well-formed and has no characters that PostgreSQL does not store. */
export function decoded(payload: Uint8Array, alphabet: InboundAlphabet): string {
  return read(payload, alphabet).toWellFormed().replaceAll('\0', '')
}

function read(payload: Uint8Array, alphabet: InboundAlphabet): string {
  switch (alphabet) {
    case 'gsm7':
      return fromSeptets(payload)
    case 'ucs2':
      // Half a character at the end is none. A copy, because swapping happens in place.
      return Buffer.from(payload.subarray(0, payload.length & ~1))
        .swap16()
        .toString('utf16le')
    case 'latin1':
      return Buffer.from(payload).toString('latin1')
    case 'utf8':
      return Buffer.from(payload).toString('utf8')
    case 'binary':
      return ''
  }
}

/** The header of a part and what follows it, or undefined where the octets are no header. 3GPP TS 23.040 §9.2.3.24. */
export function withoutHeader(octets: Uint8Array): { concat: Concat | undefined; payload: Uint8Array } | undefined {
  const length = octets[0]
  if (length === undefined || 1 + length > octets.length) return undefined
  const header = octets.subarray(1, 1 + length)
  return { concat: concatIn(header), payload: octets.subarray(1 + length) }
}

const REFERENCE_8_BITS = 0x00
const REFERENCE_16_BITS = 0x08

function concatIn(header: Uint8Array): Concat | undefined {
  let found: Concat | undefined
  for (let at = 0; at + 2 <= header.length;) {
    const [element, length = 0] = header.subarray(at, at + 2)
    const data = header.subarray(at + 2, at + 2 + length)
    // Each element is two octets at least, so this ends.
    at += 2 + length
    if (data.length < length) break
    const [a = 0, b = 0, c = 0, d = 0] = data
    if (element === REFERENCE_8_BITS && length === 3) found = concat(a, b, c)
    if (element === REFERENCE_16_BITS && length === 4) found = concat(a * 256 + b, c, d)
  }
  return found
}

/** §9.2.3.24.1: with a total or a place that cannot be, the element is ignored. A reference of 0 is like any other. */
export const concat = (ref: number, total: number, seq: number): Concat | undefined =>
  total >= 1 && seq >= 1 && seq <= total ? { ref, total, seq } : undefined
