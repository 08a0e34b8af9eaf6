import { DomainError, invalid, type Problem } from '../core/errors.ts'

const DEEPEST = 20
/** A full batch has a third of this. Each costs a hundred times its two bytes once it is read, and is looked at often. */
const MOST_VALUES = 100_000
/** Of one object: the shapes look at each of them, and most allow a few dozen. */
const MOST_FIELDS = 10_000
/** Beyond these nobody reads on, and what somebody named his fields is repeated only so far. */
const MOST_PROBLEMS = 100
const MOST_PATHS = 20_000
const LONGEST_NAME = 1_000

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Undefined for an empty body: whether one is needed is the route's matter. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (hasTooManyValues(bytes)) throw invalidJson(`The body has more than ${MOST_VALUES} values.`)
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(bytes))
  } catch {
    throw invalidJson('The body is not valid JSON in UTF-8.')
  }
  const refusal = new Refusal()
  inspect(value, '', 0, refusal)
  if (refusal.problems.length > 0) throw invalid(refusal.problems)
  return value
}

/** Told by the marks between values, before anything is made of them. */
function hasTooManyValues(bytes: Buffer): boolean {
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > MOST_VALUES) return true
  }
  return false
}

const [QUOTE, COMMA, BRACKET, BRACE, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c]

/** Where the quotation mark is that closes the one at `start`. */
function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let before = end - 1
    while (bytes[before] === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end
  }
  return bytes.length
}

/**
 * What no field of any resource may be: nested so deep that code behind this point runs out of stack, named
 * `__proto__`, or holding text that PostgreSQL cannot store (NUL) or UTF-8 cannot write (half a surrogate pair).
 */
function inspect(value: unknown, path: string, depth: number, refusal: Refusal): void {
  if (typeof value === 'string' && !isStorable(value)) refusal.add(path, UNSTORABLE)
  if (typeof value !== 'object' || value === null) return
  if (depth === DEEPEST) throw invalidJson(`The body is nested deeper than ${DEEPEST} levels.`)
  const fields = Object.entries(value)
  if (fields.length > MOST_FIELDS && !Array.isArray(value)) {
    throw invalidJson(`The body has an object with more than ${MOST_FIELDS} fields.`)
  }
  for (const [key, item] of fields) {
    if (refusal.isLongEnough) return
    if (key === '__proto__') throw invalidJson('The body has a field named __proto__.')
    if (!isStorable(key)) refusal.add(path, `has a field whose name ${UNSTORABLE}`)
    inspect(item, `${path}/${key.slice(0, LONGEST_NAME)}`, depth + 1, refusal)
  }
}

class Refusal {
  readonly problems: Problem[] = []
  #paths = 0

  get isLongEnough(): boolean {
    return this.problems.length >= MOST_PROBLEMS || this.#paths >= MOST_PATHS
  }

  add(path: string, message: string): void {
    this.problems.push({ path: path || '/', message })
    this.#paths += path.length
  }
}

export const UNSTORABLE = 'contains a NUL character or half a surrogate pair'

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const invalidJson = (sentence: string): DomainError => new DomainError('invalid_json', sentence)
