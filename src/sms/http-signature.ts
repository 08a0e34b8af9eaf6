import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * The signature of a callback: the address as the provider knows it, then every parameter's name and value, sorted by
 * name (Twilio, "Validating Signatures"). SHA-1 is the provider's choice; within an HMAC it still holds.
 */
export function signatureOf(authToken: string, publicUrl: string, parameters: URLSearchParams): string {
  // The names are read in one pass: looking up the values of each name takes seconds for 64 KiB of names, and the
  // caller is not authenticated yet.
  const values = new Map<string, Set<string>>()
  for (const [name, value] of parameters) {
    const known = values.get(name)
    if (known === undefined) values.set(name, new Set([value]))
    else known.add(value)
  }
  const names = [...values.keys()].toSorted()
  const written = names.map((name) => [...(values.get(name) ?? [])].toSorted().map((value) => name + value))
  return createHmac('sha1', authToken)
    .update([publicUrl, ...written.flat()].join(''), 'utf8')
    .digest('base64')
}

/** Compares in constant time: the time of a refusal must not tell how much of the signature was right. */
export function isSigned(
  signature: string,
  authToken: string,
  publicUrl: string,
  parameters: URLSearchParams,
): boolean {
  const expected = Buffer.from(signatureOf(authToken, publicUrl, parameters))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
