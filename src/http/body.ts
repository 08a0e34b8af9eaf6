import { DomainError } from '../core/errors.ts'

const DEEPEST = 20

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Undefined for an empty body: whether one is needed is the route's matter. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw invalidJson('The body is not valid JSON in UTF-8.')
  }
  refuseHostile(value, 0)
  return value
}

/** Depth is bounded so that nothing behind this point can run out of stack; `__proto__` is nobody's field name. */
function refuseHostile(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST) throw invalidJson(`The body is nested deeper than ${DEEPEST} levels.`)
  if (Object.hasOwn(value, '__proto__')) throw invalidJson('The body has a field named __proto__.')
  for (const item of Object.values(value)) refuseHostile(item, depth + 1)
}

const invalidJson = (sentence: string): DomainError => new DomainError('invalid_json', sentence)
