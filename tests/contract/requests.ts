import { encodeId, newId, type IdPrefix } from '../../src/core/ids.ts'
import type { Route } from '../../src/http/route.ts'
import type { Client, Reply } from '../support/client.ts'
import type { Schema } from './document.ts'

interface Filling {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  body?: unknown
  headers?: Record<string, string>
}

export const nameOf = (route: Route): string => `${route.method} ${route.path}`

/** Calls a route. What is not given is filled with ids that name nothing and with the least body that is valid. */
export function call(client: Client, route: Route, { params, query, body, headers }: Filling = {}): Promise<Reply> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params?.[name] ?? neverExisted(prefixOf(route, name))),
  )
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
  const sent = body ?? leastBodyOf(route)
  return client.request(route.method, `${path.slice(1)}${search}`, {
    ...(headers && { headers }),
    ...(sent === undefined ? {} : { body: sent }),
  })
}

/** Parameters that take an id or something else besides (a contact's address), and what the id names then. */
const idsInText: Readonly<Record<string, IdPrefix>> = {}

export function prefixOf(route: Route, param: string): IdPrefix {
  const kind = route.params[param]
  const prefix = kind === 'text' ? idsInText[param] : kind
  if (prefix === undefined) throw new Error(`${nameOf(route)}: nobody said what :${param} names`)
  return prefix
}

export const neverExisted = <P extends IdPrefix>(prefix: P): string => encodeId(prefix, newId<P>())

/** What every installation can send. */
export const simulated = {
  from: 'sandbox@sandbox.posthouse.test',
  to: 'delivered@simulator.posthouse.test',
  subject: 'Least',
  text: 'Least.',
}

/** Where required fields alone are not enough for a call to pass. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /api-keys': { name: 'least', scopes: ['api-keys:write'] },
  'POST /email/send': simulated,
  'POST /email/batch': { emails: [simulated] },
  'POST /emails/:id/reschedule': { sendAt: new Date(Date.now() + 7_200_000).toISOString() },
  'POST /webhooks': { url: 'https://192.31.7.1/hook' },
  'POST /suppressions': { email: 'least@example.com' },
  'DELETE /suppressions': { email: 'least@example.com' },
}

export function leastBodyOf(route: Route): unknown {
  if (route.body === undefined) return undefined
  return bodies[nameOf(route)] ?? leastValue(JSON.parse(JSON.stringify(route.body)) as Schema)
}

function leastValue(schema: Schema): unknown {
  const {
    type,
    properties = {},
    required = [],
    anyOf,
  } = schema as {
    type?: string | string[]
    properties?: Record<string, Schema>
    required?: string[]
    anyOf?: Schema[]
  }
  if ('const' in schema) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['enum'][0]
  if (anyOf?.[0]) return leastValue(anyOf[0])
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, leastValue(properties[name] ?? {})]))
    case 'array':
      return Array.from({ length: Number(schema['minItems'] ?? 0) }, () =>
        leastValue((schema['items'] ?? {}) as Schema),
      )
    case 'integer':
    case 'number':
      return schema['minimum'] ?? 0
    case 'boolean':
      return false
    default:
      return 'x'.repeat(Number(schema['minLength'] ?? 1))
  }
}

/** All that a caller could learn from an answer, but for what is new in every one. */
export function whatIsTold({ status, headers, body }: Reply): unknown {
  const { requestId: _, ...said } = body
  const shown = [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  return { status, headers: Object.fromEntries(shown), body: said }
}

/** The fields of a body or query that hold ids of something else, found by the words that `IdInput` puts there. */
export function idFieldsOf(shape: unknown): { path: string[]; prefix: IdPrefix }[] {
  const {
    properties = {},
    items,
    anyOf,
  } = (shape ?? {}) as {
    properties?: Record<string, Schema>
    items?: Schema
    anyOf?: Schema[]
  }
  // Of several ways to write the same thing one is enough.
  if (anyOf) return idFieldsOf(anyOf[0])
  if (items) return idFieldsOf(items).map((inner) => ({ ...inner, path: ['0', ...inner.path] }))
  return Object.entries(properties).flatMap(([name, schema]) => {
    const [, prefix] = /^An id that starts with `(\w+)_`/.exec(String(schema['description'] ?? '')) ?? []
    if (prefix !== undefined) return [{ path: [name], prefix: prefix as IdPrefix }]
    // `contentId` names a part of the message itself, in the words of its author.
    if (name.endsWith('Id') && name !== 'contentId')
      throw new Error(`${name} looks like an id but does not say of what: use IdInput`)
    return idFieldsOf(schema).map((inner) => ({ ...inner, path: [name, ...inner.path] }))
  })
}
