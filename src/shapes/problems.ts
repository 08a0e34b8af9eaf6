/**
 * Says in words what is wrong with a value that failed the check of its shape. The verdict is the check's: this only
 * explains it, keys before values, and stops when enough is explained.
 */
import type { Problem } from '../core/errors.ts'
import {
  fitsType,
  isObject,
  isOfType,
  meantShape,
  SAYING,
  schemaOfField,
  tellingField,
  typesOf,
  type JsonSchema,
} from './json-schema.ts'

/** Bounds on the answer: how many problems it lists, and how much of the names that the caller sent it repeats. */
const MAX_PROBLEMS = 1_000
const MAX_PATH_CHARACTERS = 20_000
const MAX_UNKNOWN_NAMED = 100
const MAX_NAME_LENGTH = 200

/** Collects the problems of one request, up to the bounds above. */
export class Findings {
  readonly #problems: Problem[] = []
  #characters = 0

  get isFull(): boolean {
    return this.#problems.length >= MAX_PROBLEMS || this.#characters >= MAX_PATH_CHARACTERS
  }

  add(path: string, message: string): void {
    if (this.isFull) return
    this.#characters += path.length
    this.#problems.push({ path: path || '/', message })
  }

  get problems(): Problem[] {
    return this.isFull
      ? [...this.#problems, { path: '/', message: 'has more problems than are listed' }]
      : this.#problems
  }
}

/** The path of a field or item below a path. */
export const pathTo = (path: string, name: string | number): string => {
  const text = String(name)
  return `${path}/${text.length > MAX_NAME_LENGTH ? `${text.slice(0, MAX_NAME_LENGTH)}…` : text}`
}

/** Never empty: the compiled check has already refused the value. */
export function problemsIn(schema: JsonSchema, value: unknown, path = ''): Problem[] {
  const findings = new Findings()
  look(schema, value, path, findings)
  const { problems } = findings
  return problems.length > 0 ? problems : [{ path: path || '/', message: 'does not have the shape that /docs shows' }]
}

function look(schema: JsonSchema, value: unknown, path: string, found: Findings): void {
  if (found.isFull) return
  if (isInQuery(path) && Array.isArray(value)) return found.add(path, 'must be given only once')
  if (schema.anyOf !== undefined) return lookAtChoice(schema.anyOf, value, path, found)
  if (schema.enum !== undefined || 'const' in schema) {
    const words = schema.enum ?? [schema.const]
    if (!words.includes(value)) found.add(path, oneOf(words))
  } else if (!fitsType(schema, value)) found.add(path, otherType(schema, value, path))
  else if (typeof value === 'string') lookAtText(schema, value, path, found)
  else if (typeof value === 'number') lookAtNumber(schema, value, path, found)
  else if (Array.isArray(value)) lookAtList(schema, value, path, found)
  else if (isObject(value)) lookAtObject(schema, value, path, found)
}

function lookAtChoice(shapes: readonly JsonSchema[], value: unknown, path: string, found: Findings): void {
  const fitting = shapes.filter((shape) => fitsType(shape, value))
  const meant = meantShape(shapes, value)
  if (meant !== undefined) return look(meant, value, path, found)
  const telling = tellingField(fitting)
  if (telling === undefined) return found.add(path, otherType({ type: shapes.flatMap(typesOf) }, value, path))
  const words = fitting.map(({ properties }) => properties?.[telling]?.const)
  found.add(pathTo(path, telling), oneOf(words))
}

const oneOf = (words: readonly unknown[]): string =>
  words.length === 1 ? `must be ${String(words[0])}` : `must be one of ${words.join(', ')}`

const isInQuery = (path: string): boolean => path.startsWith('/query/')

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function otherType(schema: JsonSchema, value: unknown, path: string): string {
  const wanted = `must be ${typesOf(schema)
    .map((type) => typeWords[type] ?? type)
    .join(' or ')}`
  // Every query parameter arrives as text, so "not a string" would not help the caller.
  if (isInQuery(path)) return wanted
  const given = Object.keys(typeWords).find((type) => isOfType(value, type)) ?? ''
  const said = schema[SAYING] === undefined ? '' : `; it ${sayingOf(schema, '')}`
  return `${wanted}, not ${given === 'boolean' ? String(value) : typeWords[given === 'integer' ? 'number' : given]}${said}`
}

function lookAtText(schema: JsonSchema, text: string, path: string, found: Findings): void {
  const { minLength = 0, maxLength = Infinity, pattern } = schema
  if (text === '' && minLength > 0) return found.add(path, 'must not be empty')
  if (isLongerThan(text, maxLength)) found.add(path, `must not be longer than ${counted(maxLength, 'character')}`)
  if (!isLongerThan(text, minLength - 1)) found.add(path, `must have at least ${counted(minLength, 'character')}`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(text)) found.add(path, sayingOf(schema, text))
}

const sayingOf = ({ [SAYING]: saying = 'does not have the form that /docs shows' }: JsonSchema, text: string): string =>
  typeof saying === 'string' ? saying : saying(text)

/** By code points, as JSON Schema counts; a text that is much too long is not counted. */
function isLongerThan(text: string, most: number): boolean {
  if (text.length <= most || text.length > 2 * most) return text.length > most
  let count = 0
  for (const _ of text) count++
  return count > most
}

const counted = (n: number, word: string): string => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`

function lookAtNumber(schema: JsonSchema, value: number, path: string, found: Findings): void {
  const { minimum: least = -Infinity, maximum: most = Infinity, exclusiveMinimum: above = -Infinity } = schema
  if (value <= above) found.add(path, `must be more than ${above}`)
  if (value >= least && value <= most) return
  if (least !== -Infinity && most < Number.MAX_SAFE_INTEGER) found.add(path, `must be from ${least} to ${most}`)
  else found.add(path, value < least ? `must be at least ${least}` : `must be at most ${most}`)
}

function lookAtList(schema: JsonSchema, list: readonly unknown[], path: string, found: Findings): void {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false, items } = schema
  if (list.length < minItems) found.add(path, `must have at least ${counted(minItems, 'item')}`)
  if (list.length > maxItems)
    found.add(
      path,
      `must not have more than ${counted(maxItems, 'item')}; this has ${list.length.toLocaleString('en')}`,
    )
  const looked = list.slice(0, maxItems)
  if (uniqueItems && new Set(looked.map((item) => JSON.stringify(item))).size < looked.length)
    found.add(path, 'must not have the same item twice')
  if (items === undefined) return
  for (const [i, item] of looked.entries()) look(items, item, pathTo(path, i), found)
}

function lookAtObject(schema: JsonSchema, value: Record<string, unknown>, path: string, found: Findings): void {
  const { properties = {}, patternProperties, required = [], minProperties = 0, maxProperties = Infinity } = schema
  const names = Object.keys(value)
  if (names.length > maxProperties) {
    const count = names.length.toLocaleString('en')
    return found.add(path, `must not have more than ${counted(maxProperties, 'field')}; this has ${count}`)
  }
  lookAtNames(schema, names, path, found)
  for (const name of required) if (!Object.hasOwn(value, name)) found.add(pathTo(path, name), 'is required')
  if (names.length < minProperties) found.add(path, `must have at least ${counted(minProperties, 'field')}`)
  const inner = patternProperties === undefined ? Object.keys(properties) : names
  for (const name of inner) {
    const field = schemaOfField(schema, name)
    if (field !== undefined && Object.hasOwn(value, name)) look(field, value[name], pathTo(path, name), found)
  }
}

/** Each of them is looked at, the first are named, and all are counted. */
function lookAtNames(schema: JsonSchema, names: readonly string[], path: string, found: Findings): void {
  if (schema.additionalProperties !== false) return
  const unknown = names.filter((name) => schemaOfField(schema, name) === undefined)
  for (const name of unknown.slice(0, MAX_UNKNOWN_NAMED)) found.add(pathTo(path, name), unknownName(schema, name))
  const rest = unknown.length - MAX_UNKNOWN_NAMED
  if (rest > 0) found.add(path, `has ${counted(rest, 'more field')} that ${rest === 1 ? 'is' : 'are'} not known here`)
}

function unknownName(schema: JsonSchema, name: string): string {
  if (schema[SAYING] !== undefined) return sayingOf(schema, name)
  const meant = Object.keys(schema.properties ?? {}).find((known) => plain(known) === plain(name))
  return meant === undefined ? 'is not known here' : `is not known here; its name is ${meant}`
}

/** `reply_to`, `ReplyTo` and `reply-to` are meant for `replyTo`. */
const plain = (name: string): string => name.slice(0, MAX_NAME_LENGTH).replaceAll(/[_-]/g, '').toLowerCase()
