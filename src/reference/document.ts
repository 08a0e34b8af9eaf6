import { errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { isObject, type JsonSchema } from '../shapes/json-schema.ts'
import { orNull } from '../shapes/nulls.ts'
import { statusOf } from '../http/errors.ts'

/** As much of an OpenAPI document as the reference reads. */
export interface ApiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  /** In the order in which one reads them. */
  tags: { name: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: { Error: Schema }; securitySchemes: { key: { description: string } } }
}

/** The document with everything in the place where it is referred to. */
export function resolved(document: Record<string, unknown>): ApiDocument {
  const known = new Map<string, unknown>()
  const read = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(read)
    if (!isObject(node)) return node
    if (typeof node['$ref'] === 'string') return follow(node['$ref'])
    const [first, second, ...more] = Array.isArray(node['anyOf']) ? node['anyOf'] : []
    // A named shape or null is told like any other shape that may be null.
    if (first?.$ref !== undefined && second?.type === 'null' && more.length === 0)
      return orNull(read(first) as JsonSchema)
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, read(value)]))
  }
  const follow = (reference: string): unknown => {
    if (!known.has(reference)) known.set(reference, read(target(document, reference)))
    return known.get(reference)
  }
  // The document is untyped; here, and only here, it gets its shape.
  return read(document) as ApiDocument
}

const target = (document: Record<string, unknown>, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (isObject(node) ? node[key] : undefined), document)

/** An operation that knows where the document keeps it. */
export interface Operation extends DescribedOperation {
  method: string
  path: string
  url: string
  /** A time to schedule something for. */
  soon: string
}

interface DescribedOperation {
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  'x-required-scope'?: string
  'x-error-codes': ErrorCode[]
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }

export type Content = Record<string, { schema: Schema }>

export const JSON_TYPE = 'application/json'

/** As much of JSON Schema as our shapes use. */
export interface Schema extends Partial<Record<`${'min' | 'max'}${'Length' | 'Items' | 'imum'}`, number>> {
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  format?: string
  pattern?: string
}

/** Whether a shape is read by who sends it or by who gets it. */
export type Side = 'request' | 'response'

export const operationsOf = (paths: ApiDocument['paths'], base: string, soon: string): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) =>
      Object.assign({}, found, { method, path, url: base + path, soon }),
    ),
  )

export const isProjectLocal = (operation: Operation): boolean => operation['x-error-codes'].includes('project_required')

export interface Refusal {
  code: ErrorCode
  status: number
  meaning: string
}

export const refusalsOf = ({ 'x-error-codes': codes }: Operation): Refusal[] =>
  codes.map((code) => ({ code, status: statusOf[code], meaning: errorCatalogue[code] }))

export const isTime = ({ format, pattern = '' }: Schema): boolean =>
  format === 'date-time' || pattern.startsWith('^\\d{4}-')

/** `prj` for the id of a project; an id in a request has no pattern, only a sentence. */
export const idPrefix = ({ pattern = '', description = '' }: Schema): string | undefined =>
  (/^\^([a-z]+)_\[0-7\]/.exec(pattern) ?? /starts with `([a-z]+)_`/.exec(description))?.[1]
