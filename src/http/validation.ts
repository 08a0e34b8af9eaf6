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
    const value = validator.Convert({ ...(given as object) })
    const unstorable = Object.entries(given as Record<string, unknown>)
      .filter(([name, text]) => ![name, text].flat().every((part) => isStorable(String(part))))
      .map(([name]) => ({ path: `/query/${name}`, message: UNSTORABLE }))
    const findings = validator.Check(value) ? [] : describeAll(validator.Errors(value), '/query')
    return { value, problems: [...unstorable, ...findings] }
  }
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
