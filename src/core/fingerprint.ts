import { createHash } from 'node:crypto'

/** Two payloads with the same content have the same fingerprint. */
export const fingerprintOf = (body: unknown): Buffer => createHash('sha256').update(canonicalJson(body)).digest()

/** Returns the same text for the same value: the order of keys and white space do not make another request. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
