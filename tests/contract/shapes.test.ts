import { expect, onTestFinished, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import type { JsonSchema } from '../../src/shapes/json-schema.ts'
import type { Route } from '../../src/http/route.ts'
import type { Reply } from '../support/client.ts'
import { lastingDump } from '../support/dump.ts'
import { world } from '../support/world.ts'
import { askersOf } from './askers.ts'
import { excessesOf, excessOfAll, unknownFields, withValue } from './limits.ts'
import { call, idParamsOf, leastBodyOf, nameOf, prefixOf } from './requests.ts'
import { makeAll, neighbourhood } from './tenants.ts'

/** Not much larger than what anybody reads, whatever was sent. */
const MAX_ANSWER_BYTES = 200_000
const PATIENCE_MS = 300_000

const routes = describedRoutes()
const withBody = routes.filter(({ method, uploads }) => method !== 'GET' && uploads.length === 0)
const shapeOf = ({ body }: Route): JsonSchema => (body ?? { type: 'object', additionalProperties: false }) as JsonSchema

test(
  'a body with fields that nobody knows is refused, however many they are and wherever they stand',
  async () => {
    const refused = await watched()
    const crowds = [1_000, 100_000].map((count) => ({ count, text: JSON.stringify(unknownFields(count)).slice(1) }))
    for (const route of withBody) {
      const least = leastBodyOf(route) ?? {}
      for (const given of [least, excessOfAll(shapeOf(route))]) {
        const opening = JSON.stringify({ ...(given as object), _: 0 }).slice(0, -1)
        for (const { count, text } of crowds) await refused(route, { body: `${opening},${text}` }, `${count} unknown`)
      }
      const inside = excessesOf(shapeOf(route)).filter(({ keyword, path }) => keyword === 'unknown' && path.length > 0)
      for (const { path } of inside)
        await refused(route, { body: withValue(least, path, unknownFields(1_000)) }, `unknown in ${path.join('/')}`)
    }
  },
  PATIENCE_MS,
)

test(
  'so is a query with parameters that nobody knows, and one that is wrong',
  async () => {
    const refused = await watched()
    for (const route of routes) {
      const shape = (route.query ?? {}) as JsonSchema
      // All of a query is text: there is none of another type.
      const wrong = excessesOf(shape).filter(({ path, keyword }) => path.length === 1 && keyword !== 'type')
      for (const { path, keyword, value } of wrong) {
        const { details = [] } = await refused(route, { query: { [path[0]!]: String(value) } }, `${path[0]} ${keyword}`)
        expect(details.map((problem) => problem.path)).toContain(`/query/${path[0]}`)
      }
      const many = Object.fromEntries(Object.keys(shape.properties ?? {}).map((name) => [name, '1000000']))
      // The larger number is as many as fit into the 16 KiB that a request line and its headers may have together.
      for (const count of [1_000, 2_500]) {
        const unknown = Object.fromEntries(Object.keys(unknownFields(count)).map((name) => [name, '']))
        for (const query of [unknown, { ...many, ...unknown }]) await refused(route, { query }, `${count} unknown`)
      }
    }
  },
  PATIENCE_MS,
)

test(
  'whatever a shape forbids is refused, each by itself and by its name, and all of it at once',
  async () => {
    const refused = await watched()
    const unnamed: string[] = []
    for (const route of withBody.filter(({ body }) => body !== undefined)) {
      await refused(route, { body: excessOfAll(shapeOf(route)) }, 'all at once')
      for (const { path, keyword, value } of excessesOf(shapeOf(route))) {
        const place = `/${path.join('/')}`
        const body = withValue(leastBodyOf(route), path, value)
        const { details = [] } = await refused(route, { body }, `${place} ${keyword}`)
        // A batch that is a bare list is read as one with a name.
        if (!details.some((problem) => problem.path.includes(place)))
          unnamed.push(`${nameOf(route)} ${place} ${keyword}`)
      }
    }
    expect(unnamed).toEqual([])
  },
  PATIENCE_MS,
)

test('no shape looks away from a field because of its name', () => {
  const open: string[] = []
  const look = (schema: JsonSchema, place: string): void => {
    const { properties = {}, patternProperties, items, anyOf = [], additionalProperties } = schema
    const takesAnything = Object.values(patternProperties ?? {}).some((value) => Object.keys(value).length === 0)
    const takesAnyName = Object.keys(patternProperties ?? {}).some((form) => new RegExp(form, 'u').test('a\nb'))
    const isClosed = additionalProperties === false || additionalProperties === true || takesAnyName || takesAnything
    if ([schema.type].flat().includes('object') && !isClosed) open.push(place)
    for (const [name, field] of Object.entries(properties)) look(field, `${place}/${name}`)
    for (const inner of [...Object.values(patternProperties ?? {}), ...anyOf, ...(items === undefined ? [] : [items])])
      look(inner, place)
  }
  for (const route of routes)
    for (const shape of [route.body, route.query]) look((shape ?? {}) as JsonSchema, nameOf(route))
  expect(open).toEqual([])
})

test('a batch of many thousand emails is refused, in either of its forms', async () => {
  const refused = await watched()
  const batch = routes.find((route) => nameOf(route) === 'POST /email/batch')!
  const emails = Array.from({ length: 15_000 }, () => ({ from: 'a', to: 'b' }))
  for (const body of [{ emails }, { emails, ...unknownFields(1_000) }, emails]) await refused(batch, { body }, 'many')
})

interface Refusal {
  code: string
  details?: { path: string; message: string }[]
}

/** Makes calls that must be refused for their shape. All that a path names is there; in the end nothing has changed. */
async function watched() {
  const here = await world()
  const hood = await neighbourhood(here)
  const { own, projectKey } = hood
  const { owner } = await askersOf(here, hood)
  const prefixes = routes.flatMap((route) => idParamsOf(route).map((param) => prefixOf(route, param)))
  const made = await makeAll([...new Set(prefixes)], own)
  const before = await lastingDump(here.db)
  onTestFinished(async () => expect(await lastingDump(here.db)).toEqual(before))
  return async (route: Route, filling: Parameters<typeof call>[2], what: string): Promise<Refusal> => {
    const params = Object.fromEntries(idParamsOf(route).map((param) => [param, made[prefixOf(route, param)] ?? '']))
    const sent = { params, ...filling, ...(route.isForPersons && { headers: owner.context(route) }) }
    const caller = route.isForPersons ? owner.client : projectKey
    const { status, body, text } = (await call(caller, route, sent)) as unknown as Reply<Refusal>
    const story = `${nameOf(route)}, ${what}: ${status} ${text.slice(0, 500)}`
    if (status !== 413) expect([status, body.code], story).toEqual([400, 'validation_error'])
    expect(text.length, story).toBeLessThan(MAX_ANSWER_BYTES)
    // That something is wrong is not enough: what it is must be said.
    for (const { message } of body.details ?? []) expect(message, story).not.toContain('/docs')
    return body
  }
}
