import type { TSchema } from 'typebox'
import type { ErrorCode } from '../core/errors.ts'
import { scopeCatalogue } from '../core/scopes.ts'
import { statusOf } from './errors.ts'
import type { JsonSchema } from '../shapes/json-schema.ts'
import { withNulls } from '../shapes/nulls.ts'
import { Components } from './openapi-components.ts'
import { refusalResponse } from './openapi-errors.ts'
import { successHeaders } from './openapi-headers.ts'
import { eventHeader, parametersOf } from './openapi-parameters.ts'
import { tagOf, tagsOf } from './openapi-tags.ts'
import { joinedWords, successSentence } from './openapi-words.ts'
import type { Route } from './route.ts'
import { ErrorShape, named } from '../shapes/shapes.ts'

type Json = Record<string, unknown>

/**
 * The OpenAPI 3.1 document of a route table and of the events that are told: nothing in it is written by hand a second
 * time.
 */
export function openApiDocument(
  routes: readonly Route[],
  version: string,
  { address = '', events = [] }: DocumentOptions = {},
): Json {
  const components = new Components()
  // Answers come first: where a request takes nulls besides, it is the request's shape that gets another name.
  components.lift([ErrorShape, routes.map(successes)])
  // A path that exists can be asked with a method that it does not have: no operation of its own can say so.
  components.lift(refusalResponse(statusOf.method_not_allowed))
  const written = (part: Json): Json => components.lift(part) as Json
  return {
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
    tags: tagsOf(routes.map(({ path }) => path)),
    paths: written(paths(routes)),
    webhooks: written(Object.fromEntries(events.map((event) => [event.kind, { post: telling(event) }]))),
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
      parameters: components.all('parameters'),
      headers: components.all('headers'),
      responses: components.all('responses'),
      schemas: components.all('schemas'),
    },
  }
}

interface DocumentOptions {
  /** The address of the installation; without it, the document refers to the address that it came from. */
  address?: string
  /** The events that it posts to webhooks. */
  events?: readonly DescribedEvent[]
}

/** A kind of event, as webhooks post it. */
export interface DescribedEvent {
  kind: string
  meaning: string
  /** What each header says, by its name. */
  headers: Readonly<Record<string, string>>
  body: TSchema
}

const telling = ({ kind, meaning, headers, body }: DescribedEvent): Json => ({
  operationId: `on${joinedWords(kind)}`,
  summary: meaning,
  security: [],
  parameters: Object.entries(headers).map(([name, description]) => eventHeader(name, description)),
  requestBody: {
    required: true,
    content: { 'application/json': { schema: named(`${joinedWords(kind)}Event`, body) } },
  },
  responses: {
    '2XX': { description: 'Acknowledged; what the answer says does not matter.' },
    '410': { description: 'Not wanted any more: the endpoint is disabled.' },
    default: { description: 'Not acknowledged: the event comes again. `Retry-After` is respected.' },
  },
})

function paths(routes: readonly Route[]): Json {
  const byPath: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    byPath[path] = { ...byPath[path], [route.method.toLowerCase()]: operation(route) }
  }
  return byPath
}

function operation(route: Route): Json {
  const parameters = parametersOf(route)
  const codes = errorCodesOf(route)
  return {
    operationId: route.id,
    summary: route.summary,
    tags: [tagOf(route.path)],
    ...(route.scope === null ? { security: [] } : { security: [{ key: [] }], 'x-required-scope': route.scope }),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(route),
    responses: { ...successes(route), ...failures(codes) },
    'x-error-codes': codes,
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

const successes = (route: Route): Json =>
  Object.fromEntries(
    Object.entries(route.reply).map(([status, schema]) => [
      status,
      {
        description: descriptionOf(route, schema, status),
        headers: successHeaders(route),
        content: contentOf(route, schema),
      },
    ]),
  )

function descriptionOf({ downloads, streams }: Route, schema: TSchema, status: string): string {
  if (streams) return 'Events, until one side ends the stream.'
  return downloads.length > 0 ? 'The file.' : successSentence(schema, status)
}

/** Of a stream the shape is that of one event; OpenAPI 3.1 has no word for many of them. */
function contentOf({ downloads, streams }: Route, schema: TSchema): Json {
  if (downloads.length > 0) return textOf(downloads)
  return streams ? { 'text/event-stream': { schema } } : { 'application/json': { schema } }
}

const failures = (codes: readonly ErrorCode[]): Json =>
  Object.fromEntries(codes.map((code) => [statusOf[code], refusalResponse(statusOf[code])]))

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
  if (route.isForPersons) add('person_required')
  if (route.needsConfirmation) add('confirmation_required')
  if (route.leaves !== false) add('may_not_send')
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
