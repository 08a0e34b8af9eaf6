import { statSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Type, type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { describedApi, describedRoutes } from '../../src/app/describe.ts'
import { errorCatalogue, type ErrorCode } from '../../src/core/errors.ts'
import { eventCatalogue, type EventKind } from '../../src/events/kinds.ts'
import { errorCodesOf, openApiDocument } from '../../src/http/openapi.ts'
import type { Route } from '../../src/http/route.ts'
import { named } from '../../src/shapes/shapes.ts'
import { world } from '../support/world.ts'
import { operationsOf, resolved, targetOf, type Document } from './document.ts'
import { idOf } from './operation-ids.ts'
import { contractStatuses } from './statuses.ts'

const document = JSON.parse(JSON.stringify(describedApi())) as Document
const followed = resolved(document)
const operations = operationsOf(followed)

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...structuredClone(document) })
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(document.openapi).toMatch(/^3\.1\./)
})

/** Every object of the document with its place in it; what is only an example is left out. */
function* nodesIn(node: unknown, place = '#'): Generator<[place: string, node: Record<string, unknown>]> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield [place, node as Record<string, unknown>]
  for (const [key, value] of Object.entries(node)) if (key !== 'examples') yield* nodesIn(value, `${place}/${key}`)
}

test('every object has a name: nothing is described where it is used', () => {
  const unnamed = [...nodesIn(document)]
    .filter(([place, { properties }]) => typeof properties === 'object' && !place.endsWith('/properties'))
    .map(([place]) => place)
    .filter((place) => !/^#\/components\/schemas\/\w+(\/allOf\/1)?$/.test(place))
  expect(unnamed).toEqual([])
  for (const { id, operation } of operationsOf(document)) {
    const contents = [operation.requestBody, ...Object.values(operation.responses)].map((each) => each?.content ?? {})
    for (const { 'application/json': json } of contents) {
      const shapes = json === undefined ? [] : ((json.schema['anyOf'] ?? [json.schema]) as object[])
      // One of the two ways to send a batch is a bare array.
      for (const shape of shapes.filter((each) => !('items' in each))) expect(shape, id).toHaveProperty('$ref')
    }
  }
})

test('every reference leads somewhere, and whatever has a name is used', () => {
  const references = [...nodesIn(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
  expect(references.filter((reference) => targetOf(document, reference) === undefined)).toEqual([])
  const { securitySchemes: _, ...sections } = document.components as unknown as Record<string, object>
  const names = Object.entries(sections).flatMap(([section, all]) =>
    Object.keys(all).map((name) => `#/components/${section}/${name}`),
  )
  // No operation is answered with it: it is what a method without an operation is answered with.
  expect(names.filter((name) => !references.includes(name))).toEqual(['#/components/responses/MethodNotAllowed'])
})

test('two different shapes cannot have one name', () => {
  const [first, second] = describedRoutes()
  const withReply = (base: Route, reply: TSchema): Route => ({ ...base, reply: { 200: reply } })
  const number = named('Thing', Type.Object({ size: Type.Integer() }))
  const word = named('Thing', Type.Object({ size: Type.String() }))
  expect(() => openApiDocument([withReply(first!, number), withReply(second!, number)], '1')).not.toThrow()
  expect(() => openApiDocument([withReply(first!, number), withReply(second!, word)], '1')).toThrow('Thing')
})

test('every enumeration says of which type its values are', () => {
  const untyped = [...nodesIn(document)].filter(([, { enum: values, type }]) => Array.isArray(values) && !type)
  expect(untyped.map(([place]) => place)).toEqual([])
})

test('every operation belongs to one part of the document, which says what it is about', () => {
  const described = document.tags.map(({ name, description }) => [name, description?.endsWith('.')])
  expect(described).toEqual([...new Set(document.tags.map(({ name }) => name))].map((name) => [name, true]))
  expect([...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted()).toEqual(
    document.tags.map(({ name }) => name).toSorted(),
  )
  const tagOf = (wanted: string) => operations.find(({ id }) => id === wanted)?.operation.tags
  expect(tagOf('sendEmail')).toEqual(tagOf('listEmails'))
  expect(tagOf('listContacts')).toEqual(['contacts'])
})

test('the file is small enough to be read by programs and people', () => {
  const { size } = statSync(new URL('../../openapi.json', import.meta.url))
  expect(size).toBeLessThan(600_000)
})

test('what the server hands out is this document', async () => {
  const { api } = await world()
  const served = await api.with(undefined).get('/openapi.json')
  expect(served.status).toBe(200)
  expect(served.headers.get('content-type')).toMatch(/^application\/json/)
  // All but where this installation is reached.
  const servers = [{ url: `${api.url.replace('127.0.0.1', 'localhost')}/api/v1` }]
  expect(served.body).toEqual({ ...document, servers })
})

test('it describes every route and nothing else', () => {
  const described = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  expect(described.toSorted()).toEqual(
    describedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
})

test('every operation has a name of its own, made by the rule or in the list of others, and a summary', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
  expect(Object.fromEntries(operations.map(({ method, path, id }) => [`${method} ${path}`, id]))).toEqual(
    Object.fromEntries(operations.map(({ method, path }) => [`${method} ${path}`, idOf(method, path)])),
  )
  for (const { id, operation } of operations) {
    expect(id).toMatch(/^[a-z][A-Za-z]+$/)
    expect(operation.summary, id).toMatch(/^[A-Z].+\.$/)
  }
})

test('every operation but health names the scope it requires, and asks for a key', () => {
  for (const { method, path, operation } of operations) {
    const route = describedRoutes().find(
      (candidate) => candidate.method === method && candidate.path === path.replaceAll(/\{(\w+)\}/g, ':$1'),
    )
    if (path === '/health') {
      expect(operation).not.toHaveProperty('x-required-scope')
      expect(operation.security).toEqual([])
    } else {
      expect(operation['x-required-scope'], path).toBe(route?.scope)
      expect(operation.security).toEqual([{ key: [] }])
    }
  }
})

test('every operation documents each refusal that its route can answer with, under the right status', () => {
  for (const route of describedRoutes()) {
    const { codes } = operations.find(
      ({ method, path }) => method === route.method && path.replaceAll(/\{(\w+)\}/g, ':$1') === route.path,
    )!
    const documented = Object.entries(codes).flatMap(([status, list]) => list.map((code) => [code, Number(status)]))
    expect(documented.map(([code]) => code).toSorted(), route.path).toEqual(errorCodesOf(route).toSorted())
    for (const [code, status] of documented) expect(contractStatuses[code as ErrorCode], String(code)).toBe(status)
  }
})

test('what the shell can refuse is documented wherever it can happen', () => {
  for (const { method, path, codes, operation } of operations) {
    const all = Object.values(codes).flat()
    const expected: ErrorCode[] = ['validation_error', 'internal_error', 'unavailable']
    if (path !== '/health') expected.push('unauthorized', 'insufficient_scope', 'rate_limited', 'project_archived')
    if (path !== '/health') expected.push('project_not_allowed', 'not_found')
    if (method !== 'GET') expected.push('invalid_json', 'payload_too_large')
    expect(all, `${method} ${path}`).toEqual(expect.arrayContaining(expected))
    const successes = Object.entries(operation.responses).filter(([status]) => status < '300')
    expect(successes).not.toEqual([])
    for (const [, { description }] of successes) expect(description, path).toMatch(/^[A-Z].+ .+\.$/)
  }
})

test('the text of each refusal is the sentence of the catalogue', () => {
  for (const { codes, operation } of operations) {
    for (const [status, list] of Object.entries(codes)) {
      for (const code of list)
        expect(operation.responses[status]?.description).toContain(errorCatalogue[code as ErrorCode])
    }
  }
})

test('every kind of event is a webhook of the document, with the headers and the body that are posted', () => {
  expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventCatalogue))
  for (const [kind, { post }] of Object.entries(followed.webhooks)) {
    expect(post.summary).toBe(eventCatalogue[kind as EventKind].meaning)
    expect(post.parameters?.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['x-service-event', 'x-service-signature', 'webhook-id', 'webhook-signature']),
    )
    const body = post.requestBody?.content?.['application/json']?.schema
    expect(body?.['properties']).toMatchObject({ type: { const: kind }, messageId: {}, recipient: {}, timestamp: {} })
  }
})

test('every answer names the headers that it has', () => {
  const headersOf = (response: { headers?: object } | undefined): string[] => Object.keys(response?.headers ?? {})
  for (const { id, operation } of operations) {
    const { responses } = operation
    for (const [status, response] of Object.entries(responses)) {
      expect(headersOf(response), `${id} ${status}`).toContain('X-Request-Id')
      expect(headersOf(response).includes('Retry-After'), `${id} ${status}`).toBe(['429', '503'].includes(status))
      expect(headersOf(response).includes('WWW-Authenticate'), `${id} ${status}`).toBe(status === '401')
    }
    if (operation.security.length > 0) expect(headersOf(responses['429'])).toContain('RateLimit-Reset')
  }
  const send = operations.find(({ id }) => id === 'sendEmail')?.operation.responses['202']
  expect(headersOf(send)).toEqual(expect.arrayContaining(['RateLimit-Remaining', 'Idempotency-Replayed']))
  expect(document.components.responses['MethodNotAllowed']).toHaveProperty('headers.Allow')
})

test('the limits of a send are in the document', () => {
  const { body } = operations.find(({ id }) => id === 'sendEmail')!
  const { to, cc, bcc } = body!['properties'] as Record<string, { anyOf: { maxItems?: number }[] }>
  for (const field of [to, cc, bcc]) expect(field?.anyOf[1]?.maxItems).toBe(50)
})

test('addresses, hosts, URLs and times say what they are, in what is sent and in what is answered', () => {
  const text = JSON.stringify(document)
  for (const format of ['idn-email', 'hostname', 'idn-hostname', 'uri', 'date-time']) {
    expect(text).toContain(`"format":"${format}"`)
  }
  expect(text).not.toContain('x-format')
  const bodyOf = (id: string) => operations.find((each) => each.id === id)!.body!['properties']
  expect(bodyOf('addSuppression')).toMatchObject({ email: { format: 'idn-email' } })
  expect(bodyOf('createDomain')).toMatchObject({ name: { format: 'idn-hostname' } })
  expect(bodyOf('createWebhook')).toMatchObject({ url: { format: 'uri' } })
})

test('a format only describes: what was understood without it still is', async () => {
  const { projectApi } = await world()
  for (const email of ['jörg@example.com', 'bob@bücher.example']) {
    expect((await projectApi.post('suppressions', { email })).status, email).toBe(201)
  }
})
