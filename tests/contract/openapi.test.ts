import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { describedApi, describedRoutes } from '../../src/app/describe.ts'
import { errorCatalogue, type ErrorCode } from '../../src/core/errors.ts'
import { errorCodesOf } from '../../src/http/openapi.ts'
import { world } from '../support/world.ts'
import { operationsOf, type Document } from './document.ts'
import { contractStatuses } from './statuses.ts'

const document = JSON.parse(JSON.stringify(describedApi())) as Document
const operations = operationsOf(document)

test('the document is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate({ ...structuredClone(document) })
  expect(result.errors ?? []).toEqual([])
  expect(result.valid).toBe(true)
  expect(document.openapi).toMatch(/^3\.1\./)
})

test('what the server hands out is this document', async () => {
  const { api } = await world()
  const served = await api.with(undefined).get('/openapi.json')
  expect(served.status).toBe(200)
  expect(served.headers.get('content-type')).toMatch(/^application\/json/)
  expect(served.body).toEqual(document)
})

test('it describes every route and nothing else', () => {
  const described = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
  expect(described.toSorted()).toEqual(
    describedRoutes()
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  )
})

test('every operation has a name of its own and a summary', () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length)
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
    const { codes } = operationsOf(document).find(
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
    expect(Object.keys(operation.responses).filter((status) => status < '300')).not.toEqual([])
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
