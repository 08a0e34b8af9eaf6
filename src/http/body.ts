import { DomainError, invalid, type Problem } from '../core/errors.ts'

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
  const problems: Problem[] = []
  inspect(value, '', 0, problems)
  if (problems.length > 0) throw invalid(problems)
  return value
}

/**
 * What no field of any resource may be: nested so deep that code behind this point runs out of stack, named
 * `__proto__`, or holding text that PostgreSQL cannot store (NUL) or UTF-8 cannot write (half a surrogate pair).
 */
function inspect(value: unknown, path: string, depth: number, problems: Problem[]): void {
  if (typeof value === 'string' && !isStorable(value)) problems.push({ path: path || '/', message: UNSTORABLE })
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST) throw invalidJson(`The body is nested deeper than ${DEEPEST} levels.`)
  for (const [key, item] of Object.entries(value)) {
    if (key === '__proto__') throw invalidJson('The body has a field named __proto__.')
    if (!isStorable(key)) problems.push({ path: path || '/', message: `has a field whose name ${UNSTORABLE}` })
    inspect(item, `${path}/${key}`, depth + 1, problems)
  }
}

export const UNSTORABLE = 'contains a NUL character or half a surrogate pair'

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const invalidJson = (sentence: string): DomainError => new DomainError('invalid_json', sentence)
