import { DomainError, invalid } from '../core/errors.ts'
import { Findings, pathTo } from './problems.ts'

const MAX_DEPTH = 20
/** A full batch has a third of this. Each costs a hundred times its two bytes once it is read, and is looked at often. */
const MAX_VALUES = 100_000
/** An object may have this many fields: the shapes look at each of them, and most allow a few dozen. */
const MAX_FIELDS = 10_000

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Undefined for an empty body: whether one is needed is the route's matter. */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  if (hasTooManyValues(bytes)) throw tooMany('', MAX_VALUES, 'values, those inside others included')
  const value = read(textOf(bytes))
  const found = new Findings()
  inspect(value, '', 0, found)
  if (found.problems.length > 0) throw invalid(found.problems)
  return value
}

const tooMany = (path: string, most: number, what: string): DomainError =>
  invalid([{ path: path || '/', message: `must not have more than ${most.toLocaleString('en')} ${what}` }])

function textOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalidJson('The body is not valid UTF-8: write it in that encoding.')
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // Only the place is taken from what the engine says: the rest quotes the body.
    const [, line, column] = /\(line (\d+) column (\d+)\)$/.exec(String(error)) ?? []
    const place = line === undefined ? '' : `, beginning with line ${line}, column ${column}`
    throw invalidJson(
      `The body is not valid JSON${place}. Names and text stand in double quotes, no comma stands before } or ], and ` +
        'every { and [ is closed.',
    )
  }
}

/** Counts the marks between values, before any value is made of them. */
function hasTooManyValues(bytes: Buffer): boolean {
  let values = 1
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at)
    else if ((byte === COMMA || byte === BRACKET || byte === BRACE) && ++values > MAX_VALUES) return true
  }
  return false
}

const [QUOTE, COMMA, BRACKET, BRACE, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c]

/** The position of the quotation mark that closes the one at `start`. */
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
function inspect(value: unknown, path: string, depth: number, found: Findings): void {
  if (typeof value === 'string' && !isStorable(value)) found.add(path, UNSTORABLE)
  if (typeof value !== 'object' || value === null) return
  if (depth === MAX_DEPTH) throw invalidJson(`The body is nested deeper than ${MAX_DEPTH} levels.`)
  const fields = Object.entries(value)
  if (fields.length > MAX_FIELDS && !Array.isArray(value)) {
    throw tooMany(path, MAX_FIELDS, 'fields')
  }
  for (const [key, item] of fields) {
    if (found.isFull) return
    if (key === '__proto__') throw invalidJson('The body has a field named __proto__: leave it out.')
    if (!isStorable(key)) found.add(path, `has a field whose name ${UNSTORABLE}`)
    inspect(item, pathTo(path, key), depth + 1, found)
  }
}

export const UNSTORABLE = 'contains a NUL character or half a surrogate pair'

export const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

const invalidJson = (sentence: string): DomainError => new DomainError('invalid_json', sentence)
