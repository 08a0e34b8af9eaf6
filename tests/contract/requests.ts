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
    encodeURIComponent(params?.[name] ?? (isId(route, name) ? neverExisted(prefixOf(route, name)) : textFor(name))),
  )
  const asked = { ...leastQueries[nameOf(route)], ...query }
  const search = Object.keys(asked).length === 0 ? '' : `?${new URLSearchParams(asked)}`
  const sent = body ?? leastBodyOf(route)
  const type = route.uploads.length > 0 ? { 'content-type': route.uploads[0]! } : {}
  return client.request(route.method, `${path.slice(1)}${search}`, {
    headers: { ...type, ...ownKey(route), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
}

/** Parameters of a query that a call cannot do without. */
const leastQueries: Readonly<Record<string, Readonly<Record<string, string>>>> = { 'GET /search': { q: 'least' } }

/** The texts in a path that are no ids: an address, and a month of the wallet. */
const textFor = (param: string): string =>
  param === 'email' ? 'least@example.com' : new Date().toISOString().slice(0, 7)

/** Parameters that take an id or something else besides (a contact's address), and what the id names then. */
const idsInText: Readonly<Record<string, IdPrefix>> = { contactId: 'con' }

/** Whether a parameter takes an id at all: a month has a name that everybody knows. */
const isId = ({ params }: Route, param: string): boolean => params[param] !== 'text' || param in idsInText

export const idParamsOf = (route: Route): string[] => Object.keys(route.params).filter((param) => isId(route, param))

/** Of a call that cannot do without a key of its own: another one each time. */
const ownKey = ({ ownIdempotencyHeader: own }: Route): Record<string, string> =>
  own === undefined ? {} : { [own.header]: newId<'req'>() }

export function prefixOf(route: Route, param: string): IdPrefix {
  const kind = route.params[param]
  const prefix = kind === 'text' ? idsInText[param] : kind === 'message' ? 'em' : kind
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

const automation = {
  trigger: { type: 'audience', audienceId: neverExisted('aud') },
  sender: { from: simulated.from },
  steps: [{ type: 'email', subject: 'Least', text: 'Least.' }],
}

/** Where required fields alone are not enough for a call to pass. */
const bodies: Readonly<Record<string, unknown>> = {
  'POST /api-keys': { name: 'least', scopes: ['api-keys:write'] },
  'POST /people/invitations': { email: 'least@example.com', role: 'viewer' },
  'POST /email/send': simulated,
  'POST /email/batch': { emails: [simulated] },
  'POST /emails/:id/reschedule': { sendAt: new Date(Date.now() + 7_200_000).toISOString() },
  'POST /webhooks': { url: 'https://192.31.7.1/hook' },
  'POST /audiences/:id/contacts': { email: 'least@example.com' },
  'POST /audiences/:id/contacts/import': 'email\nleast@example.com\n',
  'POST /contact-tags/:id/contacts': { email: 'least@example.com' },
  'DELETE /contact-tags/:id/contacts': { email: 'least@example.com' },
  'POST /broadcasts': { audienceId: neverExisted('aud'), from: simulated.from, subject: 'Least', text: 'Least.' },
  'POST /broadcasts/:id/schedule': { sendAt: new Date(Date.now() + 7_200_000).toISOString() },
  'POST /broadcasts/:id/test': { to: simulated.to },
  'POST /automations': { name: 'least', ...automation },
  'PATCH /automations/:id': automation,
  'POST /automations/:id/simulate': { contactId: neverExisted('con') },
  'POST /suppressions': { email: 'least@example.com' },
  'POST /sms/messages': { to: '+12025550100', category: 'transactional', body: 'Least.' },
  'POST /sms/senders': { type: 'long_code', address: '+14155550123', country: 'US' },
  'POST /sms/consents': {
    phone: '+12025550100',
    programId: neverExisted('smspg'),
    type: 'express',
    action: 'granted',
    method: 'api',
    capturedAt: '2026-01-01T00:00:00Z',
  },
  'POST /sms/suppressions': { phone: '+12025550198' },
  'DELETE /suppressions': { email: 'least@example.com' },
}

/** Bodies with the ids that no call needs, where they stand deeper than one level. */
export const nestedIds: Readonly<Record<string, object>> = {
  'PATCH /people/:id': { projects: [{ projectId: neverExisted('prj'), role: 'viewer' }] },
  'POST /people/invitations': { projects: [{ projectId: neverExisted('prj'), role: 'viewer' }] },
}

export function leastBodyOf(route: Route): unknown {
  if (route.uploads.length > 0) return bodies[nameOf(route)]
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
    if (name.endsWith('Id') && !namesOfOthers.has(name))
      throw new Error(`${name} looks like an id but does not say of what: use IdInput`)
    return idFieldsOf(schema).map((inner) => ({ ...inner, path: [name, ...inner.path] }))
  })
}

/**
 * Ids that are not ours: parts of a message or proof of a consent, in the words of their authors. And ids that only narrow a
 * list of the caller's own: nothing is looked up by them.
 */
const namesOfOthers = new Set([
  'contentId',
  'formId',
  'agentId',
  'keywordMessageId',
  'doubleOptInMessageId',
  'messageId',
  'requestId',
])
