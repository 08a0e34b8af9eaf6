/** Puts texts into every field of the contract that takes them, by the route table: a new route is in it by itself. */
import { describedRoutes } from '../../../src/app/describe.ts'
import type { IdPrefix } from '../../../src/core/ids.ts'
import type { Route } from '../../../src/http/route.ts'
import type { JsonSchema } from '../../../src/shapes/json-schema.ts'
import { withValue } from '../../contract/limits.ts'
import { call, idFieldsOf, idParamsOf, leastBodyOf, nameOf, prefixOf, simulated } from '../../contract/requests.ts'
import { makeAll, type Made, type Owner } from '../../contract/tenants.ts'

type Shape = JsonSchema & { description?: string; 'x-format'?: string }

interface TextField {
  path: string[]
  /** A value of the field that holds the text. */
  holding(text: string): string
  /** What must stand beside it, in the objects around it. */
  beside: { path: string[]; value: unknown }[]
}

const AT_A_TIME = 8

/** Everything that creates or changes something. */
const writing = describedRoutes().filter(
  ({ method, body, context, isForPersons, reads }) =>
    (method === 'POST' || method === 'PATCH') && body !== undefined && context !== 'none' && !isForPersons && !reads,
)

/** Which fields have taken which of the texts, by `POST /webhooks description`. */
export async function spread(owner: Owner, texts: readonly string[]): Promise<Map<string, Set<string>>> {
  const taken = new Map<string, Set<string>>()
  for (const route of writing) {
    const fields = textsIn(JSON.parse(JSON.stringify(route.body)) as JsonSchema)
    for (const { path } of fields) taken.set(titleOf(route, path), new Set())
    for (let i = 0; i < texts.length; i += AT_A_TIME) {
      await Promise.all(
        texts.slice(i, i + AT_A_TIME).map(async (text) => {
          for (const { path } of await put(owner, route, fields, text)) taken.get(titleOf(route, path))?.add(text)
        }),
      )
    }
  }
  return taken
}

const titleOf = (route: Route, path: readonly string[]): string => `${nameOf(route)} ${path.join('.')}`

/** Calls the route with the text in all fields at once; those that refuse it are left as they were. */
async function put(owner: Owner, route: Route, fields: readonly TextField[], text: string): Promise<TextField[]> {
  const ids = idFieldsOf(route.body).filter(({ path }) => valueAt(leastBodyOf(route), path) !== undefined)
  const prefixes = [...idParamsOf(route).map((name) => prefixOf(route, name)), ...ids.map(({ prefix }) => prefix)]
  const made = await makeAll([...new Set<IdPrefix>(prefixes)], owner)
  const least = ids.reduce((body, { path, prefix }) => withValue(body, path, made[prefix]), leastBodyOf(route))
  // A tag, for example, has a name that no other has.
  const own = route.method === 'PATCH' ? `${text}.` : text
  let left = fields
  while (left.length > 0) {
    const around = left.flatMap(({ beside }) => beside).reduce(withMissing, least)
    const body = left.reduce((whole, { path, holding }) => withValue(whole, path, holding(own)), around)
    const filling = { params: paramsOf(route, made), body, headers: headersOf(owner, route) }
    const reply = await call(owner.client, route, filling)
    if (reply.status < 300) return [...left]
    if (reply.status >= 500) throw new Error(`${nameOf(route)} answered ${reply.status} to ${JSON.stringify(body)}`)
    const refused = ((reply.body['details'] ?? []) as { path: string }[]).map(({ path }) => `${path}/`)
    const isRefused = ({ path }: TextField): boolean => {
      const place = `/${path.join('/')}/`
      return refused.some((one) => one !== '//' && (one.startsWith(place) || place.startsWith(one)))
    }
    const rest = left.filter((field) => !isRefused(field))
    // A refusal that names none of them is about all of them.
    left = rest.length === left.length ? [] : rest
  }
  return []
}

const withMissing = (body: unknown, { path, value }: { path: string[]; value: unknown }): unknown =>
  valueAt(body, path) === undefined ? withValue(body, path, value) : body

const paramsOf = (route: Route, made: Made): Record<string, string> =>
  Object.fromEntries(idParamsOf(route).map((name) => [name, made[prefixOf(route, name)] ?? '']))

const headersOf = ({ projectId }: Owner, { context }: Route): Record<string, string> =>
  context === 'workspace' || projectId === undefined ? {} : { 'x-service-project-id': projectId }

const valueAt = (body: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((here, name) => (here as Record<string, unknown> | undefined)?.[name], body)

/** The fields of a shape that hold a text of somebody's own; of several shapes the first one that has some. */
function textsIn(schema: JsonSchema, path: string[] = [], beside: TextField['beside'] = []): TextField[] {
  const {
    anyOf,
    properties = {},
    patternProperties = {},
    required = [],
    items,
    type,
    description = '',
  } = schema as Shape
  if (anyOf !== undefined) {
    const choices = anyOf.map((one) => textsIn(one, path, beside))
    return choices.find((found) => found.length > 0) ?? []
  }
  const isText = [type].flat().includes('string') && schema.enum === undefined && !('const' in schema)
  if (isText) return isOwn(schema) ? [{ path, holding: holderOf(description, path), beside }] : []
  const needed = required.map((name) => ({ path: [...path, name], value: plainValue(name, properties[name] ?? {}) }))
  const within = path.length === 0 ? [] : [...beside, ...needed.filter(({ value }) => value !== undefined)]
  return [
    ...Object.entries(properties).flatMap(([name, field]) => textsIn(field, [...path, name], within)),
    ...Object.values(patternProperties).flatMap((field) => textsIn(field, [...path, 'name'], within)),
    ...(items === undefined ? [] : textsIn(items, [...path, '0'], within)),
  ]
}

/** Values of fields that are written as others prescribe, by what their descriptions say or by their names. */
const plainValues: readonly [form: RegExp, value: string][] = [
  [/^The bytes, in base64/, 'bWFkZQ=='],
  [/^ISO 3166/, 'US'],
  [/^ISO 8601/, new Date().toISOString()],
  [/^A phone number/, '+12025550100'],
  [/^A mailbox/, simulated.to],
  [/^An email address|^email$/, 'least@example.com'],
  [/^A web page/, 'https://example.com/'],
  [/^start$/, '08:00'],
  [/^end$/, '21:00'],
  [/^postalCode$/, '10001'],
]

function plainValue(name: string, schema: Shape): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (![schema.type].flat().includes('string')) return undefined
  return plainValues.find(([form]) => form.test(schema.description ?? '') || form.test(name))?.[1] ?? 'least'
}

/** Ids, times, numbers of phones and bytes are written as others prescribe. */
const isOwn = ({ description = '', pattern = '', 'x-format': format }: Shape): boolean =>
  !/^An id that starts|^The bytes, in base64|^A phone number|^E\.164/.test(description) &&
  !/^\^\w+_\[/.test(pattern) &&
  format !== 'date-time'

function holderOf(description: string, path: readonly string[]): TextField['holding'] {
  if (description.startsWith('A mailbox')) {
    const address = path.includes('from') ? simulated.from : simulated.to
    return (text) => `"${text.replaceAll(/[\\"]/g, '\\$&')}" <${address}>`
  }
  if (description.startsWith('An https URL')) return (text) => `https://192.31.7.1/?${text}`
  return (text) => text
}
