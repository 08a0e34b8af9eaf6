/** The parameters of an operation. What many operations take has a name in the OpenAPI document. */
import type { TSchema } from 'typebox'
import { idPattern, idPrefixes } from '../core/ids.ts'
import { referencePattern } from '../core/mail-reference.ts'
import { IDEMPOTENCY_HEADER } from './idempotency.ts'
import { component } from './openapi-components.ts'
import { joinedWords } from './openapi-words.ts'
import { PROJECT_HEADER } from './project-context.ts'
import type { Route } from './route.ts'
import { listQuery } from '../shapes/shapes.ts'

type Json = Record<string, unknown>

export const parametersOf = (route: Route): Json[] => [...inPath(route), ...inQuery(route), ...inHeaders(route)]

const inPath = ({ params }: Route): Json[] =>
  Object.entries(params).map(([name, kind]) => ({ name, in: 'path', required: true, ...paramShape(kind) }))

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

function inQuery({ query }: Route): Json[] {
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, TSchema>
    required?: readonly string[]
  }
  return Object.entries(properties).map(([name, schema]) => {
    const parameter = {
      name,
      in: 'query',
      ...(required.includes(name) && { required: true }),
      ...styleOf(schema),
      schema,
    }
    return schema === listed[name] ? component('parameters', joinedWords(name), parameter) : parameter
  })
}

const listed: Readonly<Record<string, TSchema>> = listQuery

/** A map in a query is written `name[key]=value`. */
const styleOf = (schema: TSchema): Json =>
  'type' in schema && schema.type === 'object' ? { style: 'deepObject', explode: true } : {}

function inHeaders(route: Route): Json[] {
  const found: Json[] = []
  if (route.context !== 'none') found.push(projectHeader(route))
  if (route.honoursIdempotencyKey) found.push(idempotencyHeader(IDEMPOTENCY_HEADER, {}))
  if (route.ownIdempotencyHeader !== undefined) {
    found.push(idempotencyHeader(route.ownIdempotencyHeader.header, { required: true }))
  }
  return found
}

const idempotencyHeader = (name: string, more: Json): Json =>
  component('parameters', joinedWords(name), {
    name,
    in: 'header',
    ...more,
    schema: { type: 'string', pattern: '^[ -~]{1,256}$', examples: ['welcome-ada-1'] },
    description: 'Repeating the same request with the same key answers the first one again.',
  })

function projectHeader({ context, honoursIdempotencyKey }: Route): Json {
  const header = (name: string, description: string): Json =>
    component('parameters', name, {
      name: PROJECT_HEADER,
      in: 'header',
      schema: { type: 'string', pattern: idPattern('prj') },
      description,
    })
  if (context === 'project') return header('ProjectId', 'Needed with a workspace key: the project the call is about.')
  return context === 'sender' && honoursIdempotencyKey
    ? header(
        'SenderProjectId',
        "Needed with a workspace key for the sandbox sender; else a guard: the sender domain's project.",
      )
    : header('ProjectGuard', 'Optional guard: the project the call is about.')
}

/** A header that comes with every event. */
export const eventHeader = (name: string, description: string): Json =>
  component('parameters', joinedWords(name), {
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description,
  })
