import type { TSchema } from 'typebox'
import { errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { idPattern, idPrefixes } from '../core/ids.ts'
import { referencePattern } from '../core/mail-reference.ts'
import { scopeCatalogue } from '../core/scopes.ts'
import { statusOf } from './errors.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import type { JsonSchema } from './json-schema.ts'
import { withNulls } from './nulls.ts'
import { PROJECT_HEADER } from './project-context.ts'
import { headerComponents, headersOf } from './openapi-headers.ts'
import type { Route } from './route.ts'
import { ANNOTATION, ErrorShape } from './shapes.ts'

type Json = Record<string, unknown>

/**
 * The OpenAPI 3.1 document of a route table and of the events that are told: nothing in it is written by hand a second
 * time.
 */
export function openApiDocument(
  routes: readonly Route[],
  version: string,
  { address = '', events = [] }: Surroundings = {},
): Json {
  return withFormats({
    openapi: '3.1.0',
    info: {
      title: 'Posthouse',
      version,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Transactional email, consent-based marketing, receiving and webhooks. Every call needs an API key as a ' +
        'bearer token, except the health probe. Errors always have the shape `{error, code, requestId}`; branch on `code`. ' +
        'In a body, null for a field that may be left out means that it is left out, unless the field gives null a ' +
        'meaning of its own.',
    },
    servers: [{ url: `${address}/api/v1` }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths: paths(routes),
    webhooks: Object.fromEntries(events.map((event) => [event.kind, { post: telling(event) }])),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: Object.entries(scopeCatalogue)
            .map(([s, g]) => `- \`${s}\`: ${g}`)
            .join('\n'),
        },
      },
      schemas: { Error: ErrorShape },
      headers: headerComponents,
      responses: { MethodNotAllowed: methodNotAllowed },
    },
  }) as Json
}

interface Surroundings {
  /** Where the installation is reached; without it, the document speaks of wherever it was found. */
  address?: string
  /** What it tells others of. */
  events?: readonly DescribedEvent[]
}

/** A kind of event, as it is posted to those who want to hear of it. */
export interface DescribedEvent {
  kind: string
  meaning: string
  /** By name, what each header says. */
  headers: Readonly<Record<string, string>>
  body: TSchema
}

const telling = ({ kind, meaning, headers, body }: DescribedEvent): Json => ({
  operationId: `on${operationWords(kind)}`,
  summary: meaning,
  security: [],
  parameters: Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description,
  })),
  requestBody: { required: true, content: { 'application/json': { schema: body } } },
  responses: {
    '2XX': { description: 'Acknowledged; what the answer says does not matter.' },
    '410': { description: 'Not wanted any more: the endpoint is disabled.' },
    default: { description: 'Not acknowledged: the event comes again. `Retry-After` is respected.' },
  },
})

/** Of a path that exists, asked with a method that it does not have: no operation of its own can say so. */
const methodNotAllowed = {
  description: `\`method_not_allowed\`: ${errorCatalogue.method_not_allowed}`,
  headers: { Allow: { $ref: '#/components/headers/Allow' } },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
}

/** In the document the annotation has its usual name. */
function withFormats(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withFormats)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key === ANNOTATION ? 'format' : key, withFormats(value)]),
  )
}

function paths(routes: readonly Route[]): Json {
  const byPath: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    byPath[path] = { ...byPath[path], [route.method.toLowerCase()]: operation(route) }
  }
  return byPath
}

function operation(route: Route): Json {
  return {
    operationId: operationId(route),
    summary: route.summary,
    tags: [tagOf(route)],
    ...(route.scope === null ? { security: [] } : { security: [{ key: [] }], 'x-required-scope': route.scope }),
    ...parameters(route),
    ...requestBody(route),
    responses: { ...successes(route), ...failures(route) },
  }
}

function requestBody({ body, bodyIsOptional, uploads }: Route): Json {
  if (uploads.length > 0) return { requestBody: { required: true, content: textOf(uploads) } }
  if (body === undefined) return {}
  const schema = withNulls(body as JsonSchema)
  return { requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema } } } }
}

const textOf = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]))

function parameters(route: Route): Json {
  const path = Object.entries(route.params).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    ...paramShape(kind),
  }))
  const { properties = {} } = (route.query ?? {}) as { properties?: Record<string, TSchema & { description?: string }> }
  const query = Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', ...styleOf(schema), schema }))
  const all = [...path, ...query, ...headers(route)]
  return all.length === 0 ? {} : { parameters: all }
}

function paramShape(kind: Route['params'][string]): Json {
  switch (kind) {
    case 'text':
      return { schema: { type: 'string' } }
    case 'message':
      return {
        schema: { type: 'string', pattern: referencePattern },
        description: 'Id of the email, or the `messageId` that a webhook told of one of its recipients.',
      }
    default:
      return { schema: { type: 'string', pattern: idPattern(kind) }, description: `Id of the ${idPrefixes[kind]}.` }
  }
}

/** A map in a query is written `name[key]=value`. */
const styleOf = (schema: TSchema): Json =>
  'type' in schema && schema.type === 'object' ? { style: 'deepObject', explode: true } : {}

function headers(route: Route): Json[] {
  const found: Json[] = []
  if (route.context !== 'none') {
    found.push({
      name: PROJECT_HEADER,
      in: 'header',
      schema: { type: 'string', pattern: idPattern('prj') },
      description: projectHeaderText(route),
    })
  }
  if (route.honoursIdempotencyKey) {
    found.push(idempotencyHeader(IDEMPOTENCY_HEADER, {}))
  }
  if (route.ownIdempotencyHeader !== undefined) {
    found.push(idempotencyHeader(route.ownIdempotencyHeader.header, { required: true }))
  }
  return found
}

const idempotencyHeader = (name: string, more: Json): Json => ({
  name,
  in: 'header',
  ...more,
  schema: { type: 'string', pattern: '^[ -~]{1,256}$', examples: ['welcome-ada-1'] },
  description: 'Repeating the same request with the same key answers the first one again.',
})

function projectHeaderText({ context, honoursIdempotencyKey }: Route): string {
  if (context === 'project') return 'Needed with a workspace key: the project the call is about.'
  return context === 'sender' && honoursIdempotencyKey
    ? "Needed with a workspace key for the sandbox sender; else a guard: the sender domain's project."
    : 'Optional guard: the project the call is about.'
}

const successes = (route: Route): Json =>
  Object.fromEntries(
    Object.entries(route.reply).map(([status, schema]) => [
      status,
      {
        description: 'Success.',
        ...headersOf(route, Number(status)),
        content: route.downloads.length > 0 ? textOf(route.downloads) : { 'application/json': { schema } },
      },
    ]),
  )

function failures(route: Route): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of errorCodesOf(route)) byStatus.set(statusOf[code], [...(byStatus.get(statusOf[code]) ?? []), code])
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code]}`).join('\n\n'),
        ...headersOf(route, status),
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }] },
          },
        },
      },
    ]),
  )
}

/** Every refusal that a route can answer with: those its service declares and those of the shell around it. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors)
  const add = (...more: ErrorCode[]): void => more.forEach((code) => codes.add(code))
  add(
    'validation_error',
    'invalid_json',
    'payload_too_large',
    'unsupported_media_type',
    'internal_error',
    'unavailable',
  )
  if (route.context !== 'none') {
    add('unauthorized', 'insufficient_scope', 'rate_limited', 'project_not_allowed', 'not_found', 'project_archived')
  }
  if (route.context === 'project' || route.context === 'sender') add('project_required')
  if (route.honoursIdempotencyKey) add('idempotency_mismatch')
  if (route.gate !== undefined) add(route.gate.code)
  if (route.ownIdempotencyHeader !== undefined) {
    add('idempotency_mismatch', route.ownIdempotencyHeader.missing, route.ownIdempotencyHeader.malformed)
  }
  if (route.method === 'GET')
    for (const code of ['invalid_json', 'payload_too_large', 'unsupported_media_type'] as const) codes.delete(code)
  return [...codes].toSorted((a, b) => statusOf[a] - statusOf[b])
}

const tagOf = (route: Route): string => route.path.split('/')[1] ?? ''

/** `POST /broadcasts/:id/schedule` → `postBroadcastsIdSchedule`. */
const operationId = (route: Route): string => route.method.toLowerCase() + operationWords(route.path)

const operationWords = (name: string): string =>
  name
    .split(/[/:.-]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')
