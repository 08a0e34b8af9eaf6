/** The OpenAPI document as a reader of the wire sees it: nothing here knows our route table. */
export type Schema = { readonly [keyword: string]: unknown }

interface Content {
  content?: Record<string, { schema: Schema }>
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

interface Response extends Content {
  description: string
  headers?: object
  /** Of a refusal: all codes with its status. */
  'x-error-codes'?: string[]
}

interface OperationObject {
  operationId: string
  summary: string
  tags: string[]
  security: unknown[]
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Response>
  'x-required-scope'?: string
  'x-error-codes': string[]
}

export interface Document {
  openapi: string
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: { schemas: Record<string, Schema>; responses: Record<string, object> }
}

/** The document with everything in the place where it is referred to. */
export function resolved(document: Document): Document {
  const known = new Map<string, unknown>()
  const read = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(read)
    if (typeof node !== 'object' || node === null) return node
    if (!('$ref' in node)) return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, read(value)]))
    const reference = String(node.$ref)
    if (!known.has(reference)) known.set(reference, read(targetOf(document, reference)))
    return known.get(reference)
  }
  return read(document) as Document
}

/** Undefined when it leads nowhere. */
export const targetOf = (document: Document, reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)

export interface Operation {
  id: string
  method: string
  /** As in the document, with `{id}`. */
  path: string
  operation: OperationObject
  parameters: readonly Parameter[]
  body: Schema | undefined
  /** The content types of a body that is no JSON. */
  uploads: string[]
  /** Documented refusals by status. */
  codes: Record<string, string[]>
}

export const operationsOf = (document: Document): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content?.['application/json']?.schema,
      uploads: Object.keys(operation.requestBody?.content ?? {}).filter((type) => type !== 'application/json'),
      codes: Object.fromEntries(
        Object.entries(operation.responses)
          .filter(([status]) => status >= '400')
          .map(([status, response]) => [status, ownCodes(operation, response)]),
      ),
    })),
  )

/** Of all codes with this status, those of the operation. */
const ownCodes = (operation: OperationObject, response: Response): string[] =>
  (response['x-error-codes'] ?? []).filter((code) => operation['x-error-codes'].includes(code))
