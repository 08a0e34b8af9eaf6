import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { Problem } from '../core/errors.ts'
import { isStorable, UNSTORABLE } from './json.ts'
import { isObject, type JsonSchema } from './json-schema.ts'
import { withoutNulls } from './nulls.ts'
import { Findings, pathTo, problemsIn } from './problems.ts'

export interface Checked {
  /** Only to be used where there are no problems: then it has the shape that was asked for. */
  value: unknown
  problems: Problem[]
}

export type Check = (value: unknown) => Checked

export function bodyCheck(schema: TSchema | undefined, isOptional = false): Check {
  if (schema === undefined) return noBody
  const check = shapeCheck(schema)
  return (value) => {
    if (value !== undefined) return check(value)
    return { value, problems: isOptional ? [] : [{ path: '/', message: NO_BODY }] }
  }
}

const NO_BODY = 'needs a JSON body, and this request has none or an empty one'

const compiled = new WeakMap<TSchema, Validator>()

/** A schema is compiled once, when it is first needed: most processes serve few of all routes. */
function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema)
  compiled.set(schema, validator)
  return validator
}

/** Only the compiled check decides whether a value passes; a value that fails always gets at least one problem. */
function shapeCheck(schema: TSchema): Check {
  return (sent) => {
    const validator = validatorOf(schema)
    if (validator.Check(sent)) return { value: sent, problems: [] }
    const value = withoutNulls(schema as JsonSchema, sent)
    const passes = value !== sent && validator.Check(value)
    return { value, problems: passes ? [] : problemsIn(schema as JsonSchema, value) }
  }
}

/** Query parameters arrive as text; numbers and booleans are read from it before they are checked. */
export function queryCheck(schema: TSchema = { type: 'object', additionalProperties: false } as TSchema): Check {
  return (sent) => {
    const given = Object.entries(sent as Record<string, string | string[]>)
    const value = fromText(given, schema)
    const unstorable = new Findings()
    for (const [name, text] of given) {
      if (![name, text].flat().every(isStorable)) unstorable.add(pathTo('/query', name), UNSTORABLE)
    }
    const misshapen = validatorOf(schema).Check(value) ? [] : problemsIn(schema as JsonSchema, value, '/query')
    return { value, problems: [...unstorable.problems, ...misshapen] }
  }
}

/**
 * Reads a number or boolean only where the text is exactly one. TypeBox would also convert, but turns `1.5` into the
 * integer 1 and takes one of two values that were given for the same name.
 */
function fromText(given: [string, unknown][], schema: TSchema): Record<string, unknown> {
  const { properties = {} } = schema as JsonSchema
  const maps = Object.keys(properties).filter((name) => properties[name]?.type === 'object')
  return Object.fromEntries(
    maps.reduce(gathered, given).map(([name, text]) => {
      const type = properties[name]?.type
      if (type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) return [name, Number(text)]
      if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
      return [name, text]
    }),
  )
}

/** `map[a]=x&map[b]=y` is one map, the style that OpenAPI calls deepObject. One without brackets is none, and stays. */
function gathered(entries: [string, unknown][], name: string): [string, unknown][] {
  if (entries.some(([each]) => each === name)) return entries
  const isPart = ([each]: [string, unknown]): boolean => each.startsWith(`${name}[`) && each.endsWith(']')
  const parts = entries.filter(isPart).map(([each, text]) => [each.slice(name.length + 1, -1), text])
  if (parts.length === 0) return entries
  return [...entries.filter((each) => !isPart(each)), [name, Object.fromEntries(parts)]]
}

/** A call that takes no body may still carry an empty object: many clients always send one. */
const noBody: Check = (value) => {
  if (value === undefined) return { value, problems: [] }
  if (!isObject(value)) return { value, problems: [{ path: '/', message: 'takes no body' }] }
  const isEmpty = Object.keys(value).length === 0
  const nothing = { type: 'object', additionalProperties: false }
  return { value: undefined, problems: isEmpty ? [] : problemsIn(nothing, value) }
}
