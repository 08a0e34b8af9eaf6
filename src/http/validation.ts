import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { Settings } from 'typebox/system'
import type { Problem } from '../core/errors.ts'
import { isStorable, UNSTORABLE } from './body.ts'

export interface Checked {
  value: unknown
  problems: Problem[]
}

export type Check = (value: unknown) => Checked

export function bodyCheck(schema: TSchema | undefined, isOptional = false): Check {
  if (schema === undefined) return noBody
  const validator = validatorOf(schema)
  return (value) => {
    if (value === undefined) {
      return { value, problems: isOptional ? [] : [{ path: '/', message: 'needs a JSON body' }] }
    }
    return { value, problems: validator.Check(value) ? [] : describeAll(validator.Errors(value), '') }
  }
}

/** Query parameters arrive as text; numbers and booleans are read from it before they are checked. */
export function queryCheck(schema: TSchema | undefined): Check {
  const validator = validatorOf(schema ?? { type: 'object', additionalProperties: false })
  return (given) => {
    const value = fromText(given as Record<string, unknown>, schema)
    const unstorable = Object.entries(given as Record<string, unknown>)
      .filter(([name, text]) => ![name, text].flat().every((part) => isStorable(String(part))))
      .map(([name]) => ({ path: `/query/${name}`, message: UNSTORABLE }))
    const findings = validator.Check(value) ? [] : describeAll(validator.Errors(value), '/query')
    return { value, problems: [...unstorable, ...findings] }
  }
}

/** TypeBox stops at eight problems; whoever sends a batch wants to hear of all of them, within reason. */
function validatorOf(schema: TSchema) {
  Settings.Set({ maxErrors: 1_000 })
  return Compile(schema)
}

/**
 * Reads a number or boolean only where the text is exactly one. TypeBox would also convert, but turns `1.5` into the
 * integer 1 and takes one of two values that were given for the same name.
 */
function fromText(given: Record<string, unknown>, schema: TSchema | undefined): Record<string, unknown> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string }> }
  const maps = Object.keys(properties).filter((name) => properties[name]?.type === 'object')
  return Object.fromEntries(
    maps.reduce(gathered, Object.entries(given)).map(([name, text]) => {
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
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { value, problems: [{ path: '/', message: 'takes no body' }] }
  }
  return {
    value: undefined,
    problems: Object.keys(value).map((field) => ({ path: `/${field}`, message: 'is not known here' })),
  }
}

interface Finding {
  keyword: string
  schemaPath: string
  instancePath: string
  params: unknown
  message: string
}

function describeAll(findings: readonly Finding[], prefix: string): Problem[] {
  const found = withoutOtherShapes(findings).flatMap((finding) =>
    describe(finding).map(({ path, message }) => ({ path: `${prefix}${path}`, message })),
  )
  const seen = new Set<string>()
  return found.filter(({ path, message }) => !seen.has(`${path} ${message}`) && seen.add(`${path} ${message}`))
}

/**
 * Where a value may have one of several shapes, only the one of its own type tells what is wrong with it; of objects
 * that say by their `type` which of them they are, only that one.
 */
const withoutOtherShapes = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ keyword }) => keyword === 'anyOf').reduce(chooseShape, findings)

function chooseShape(findings: readonly Finding[], choice: Finding): readonly Finding[] {
  const shapes = `${choice.schemaPath}/anyOf/`
  const isWithin = ({ schemaPath, instancePath }: Finding): boolean =>
    schemaPath.startsWith(shapes) && `${instancePath}/`.startsWith(`${choice.instancePath}/`)
  const wrongType = (found: readonly Finding[]): Finding | undefined =>
    found.find(({ keyword, instancePath }) => keyword === 'type' && instancePath === choice.instancePath)
  const byShape = Map.groupBy(
    findings.filter(isWithin),
    ({ schemaPath }) => schemaPath.slice(shapes.length).split('/')[0],
  )
  const wrongs = [...byShape.values()]
  const others = findings.filter((finding) => finding !== choice && !isWithin(finding))
  const words = wrongs.flatMap((found) => otherWord(found, choice))
  if (words.length > 1 && words.length === wrongs.length) return [...others, unknownWord(choice, words)]
  const isChosen = (found: readonly Finding[]) =>
    wrongType(found) === undefined && otherWord(found, choice).length === 0
  const chosen = wrongs.filter(isChosen).flat()
  const types = wrongs.map((found) => (wrongType(found)?.params as { type?: string } | undefined)?.type)
  const none = { ...choice, message: `must be ${types.join(' or ')}` }
  return [...others, ...(chosen.length > 0 ? chosen : [none])]
}

/** The `type` that a shape would have, where the value has another one. */
const otherWord = (found: readonly Finding[], { instancePath }: Finding): unknown[] =>
  found
    .filter((finding) => finding.keyword === 'const' && finding.instancePath === `${instancePath}/type`)
    .map(({ params }) => (params as { allowedValue?: unknown }).allowedValue)

const unknownWord = (choice: Finding, allowedValues: readonly unknown[]): Finding => ({
  ...choice,
  keyword: 'enum',
  instancePath: `${choice.instancePath}/type`,
  params: { allowedValues },
})

function describe({ keyword, instancePath, params, message }: Finding): Problem[] {
  const detail = params as {
    requiredProperties?: string[]
    additionalProperties?: string[]
    limit?: number
    allowedValues?: unknown[]
  }
  switch (keyword) {
    case 'required':
      return (detail.requiredProperties ?? []).map((name) => ({
        path: `${instancePath}/${name}`,
        message: 'is required',
      }))
    case 'additionalProperties':
      return (detail.additionalProperties ?? []).map((name) => ({
        path: `${instancePath}/${name}`,
        message: 'is not known here',
      }))
    case 'boolean': // Says again, without a reason, what additionalProperties says.
      return []
    case 'enum':
      return [{ path: instancePath || '/', message: `must be one of ${(detail.allowedValues ?? []).join(', ')}` }]
    case 'pattern':
      return [{ path: instancePath || '/', message: 'does not have the expected form' }]
    default:
      return [{ path: instancePath || '/', message }]
  }
}
