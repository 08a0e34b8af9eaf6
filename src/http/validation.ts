import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Problem } from '../core/errors.ts'
import { isStorable, UNSTORABLE } from './body.ts'

export interface Checked {
  value: unknown
  problems: Problem[]
}

export type Check = (value: unknown) => Checked

export function bodyCheck(schema: TSchema | undefined): Check {
  if (schema === undefined) return noBody
  const validator = Compile(schema)
  return (value) => {
    if (value === undefined) return { value, problems: [{ path: '/', message: 'needs a JSON body' }] }
    return { value, problems: validator.Check(value) ? [] : describeAll(validator.Errors(value), '') }
  }
}

/** Query parameters arrive as text; numbers and booleans are read from it before they are checked. */
export function queryCheck(schema: TSchema | undefined): Check {
  const validator = Compile(schema ?? { type: 'object', additionalProperties: false })
  return (given) => {
    const value = fromText(given as Record<string, unknown>, schema)
    const unstorable = Object.entries(given as Record<string, unknown>)
      .filter(([name, text]) => ![name, text].flat().every((part) => isStorable(String(part))))
      .map(([name]) => ({ path: `/query/${name}`, message: UNSTORABLE }))
    const findings = validator.Check(value) ? [] : describeAll(validator.Errors(value), '/query')
    return { value, problems: [...unstorable, ...findings] }
  }
}

/**
 * Reads a number or boolean only where the text is exactly one. TypeBox would also convert, but turns `1.5` into the
 * integer 1 and takes one of two values that were given for the same name.
 */
function fromText(given: Record<string, unknown>, schema: TSchema | undefined): Record<string, unknown> {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { type?: string }> }
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const type = properties[name]?.type
      if (type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) return [name, Number(text)]
      if (type === 'boolean' && (text === 'true' || text === 'false')) return [name, text === 'true']
      return [name, text]
    }),
  )
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
  instancePath: string
  params: unknown
  message: string
}

function describeAll(findings: readonly Finding[], prefix: string): Problem[] {
  const found = findings.flatMap((finding) =>
    describe(finding).map(({ path, message }) => ({ path: `${prefix}${path}`, message })),
  )
  const seen = new Set<string>()
  return found.filter(({ path, message }) => !seen.has(`${path} ${message}`) && seen.add(`${path} ${message}`))
}

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
