/** The headers of our answers, as the OpenAPI document has them: said once, and named where they come. */
import { component } from './openapi-components.ts'
import type { Route } from './route.ts'
import { IdOf } from '../shapes/shapes.ts'

type Json = Record<string, unknown>

const seconds = { type: 'integer', minimum: 0 }

const known = {
  'X-Request-Id': { description: 'Names this request; quote it when you ask about it.', schema: IdOf('req') },
  'RateLimit-Limit': {
    description: 'How many requests the key may make at once. Every answer to a valid key has it.',
    schema: seconds,
  },
  'RateLimit-Remaining': { description: 'How many of them are left.', schema: seconds },
  'RateLimit-Reset': {
    description: 'Seconds until all of them are there again; in a 429 the same as `Retry-After`.',
    schema: seconds,
  },
  'Retry-After': { description: 'Seconds to wait. Who waits so long is served.', schema: { ...seconds, minimum: 1 } },
  'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string', const: 'Bearer' } },
  Allow: { description: 'The methods that the path has.', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: 'There when this is the answer to an earlier request with the same key.',
    schema: { type: 'string', const: 'true' },
  },
} as const satisfies Record<string, Json>

type Header = keyof typeof known

const rates: readonly Header[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

export function successHeaders({ context, honoursIdempotencyKey, ownIdempotencyHeader, headers: own }: Route): Json {
  const isRepeatable = honoursIdempotencyKey || ownIdempotencyHeader !== undefined
  return {
    ...headers(
      'X-Request-Id',
      ...(context === 'none' ? [] : rates),
      ...(isRepeatable ? (['Idempotency-Replayed'] as const) : []),
    ),
    ...Object.fromEntries(
      Object.entries(own).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
    ),
  }
}

/** A request without a valid key, or for a path that does not exist, has no allowance. */
export function refusalHeaders(status: number): Json {
  const names: Header[] = ['X-Request-Id']
  if (status !== 401 && status !== 405) names.push(...rates)
  if (status === 401) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  if (status === 429 || status === 503) names.push('Retry-After')
  return headers(...names)
}

const headers = (...names: Header[]): Json =>
  Object.fromEntries(names.map((name) => [name, component('headers', name, known[name])]))
