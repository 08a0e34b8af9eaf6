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

interface OperationObject {
  operationId: string
  summary: string
  security: unknown[]
  parameters?: Parameter[]
  requestBody?: Content & { required?: boolean }
  responses: Record<string, Content & { description: string; headers?: object }>
  'x-required-scope'?: string
}

export interface Document {
  openapi: string
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: { schemas: Record<string, Schema>; responses: Record<string, object> }
}

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
          .map(([status, response]) => [status, codesIn(response.content?.['application/json']?.schema ?? {})]),
      ),
    })),
  )

/** A refusal is the common shape narrowed to the codes of its status. */
const codesIn = (schema: Schema): string[] =>
  ((schema['allOf'] ?? []) as { properties?: { code?: { enum?: string[] } } }[]).flatMap(
    ({ properties }) => properties?.code?.enum ?? [],
  )
