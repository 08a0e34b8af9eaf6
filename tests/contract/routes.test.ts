import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { scopes } from '../../src/core/scopes.ts'
import { builtGroups, ours, ourScopes, specification, type GroupName, type Row } from './specification.ts'

const line = ([method, path, scope]: Row) => `${method} ${path} (${scope ?? 'open'})`
const groups = Object.entries(specification) as [GroupName, readonly Row[]][]
const routes = describedRoutes().map(({ method, path, scope }) => line([method, path, scope]))

test.each(builtGroups)('%s has every row of the specification, with exactly its scope', (group) => {
  expect(routes).toEqual(expect.arrayContaining(specification[group].map(line)))
})

test('there is no route beside the rows of built groups and the ones that we list as ours', () => {
  const allowed = new Set([
    ...groups.filter(([group]) => builtGroups.includes(group)).flatMap(([, rows]) => rows.map(line)),
    ...ours.filter(([group]) => builtGroups.includes(group)).map(([, ...row]) => line(row)),
  ])
  expect(routes.filter((route) => !allowed.has(route))).toEqual([])
})

test('a group that is not built has no route at all: half a resource is none', () => {
  const unbuilt = groups.filter(([group]) => !builtGroups.includes(group)).flatMap(([, rows]) => rows)
  const paths = new Set(unbuilt.map(([method, path]) => `${method} ${path}`))
  expect(routes.filter((route) => paths.has(route.replace(/ \(.*$/, '')))).toEqual([])
})

test('no route is declared twice, and routes come in the order of the specification', () => {
  expect(new Set(routes).size).toBe(routes.length)
  const order = groups.flatMap(([, rows]) => rows.map(line))
  const specified = routes.filter((route) => order.includes(route))
  expect(specified).toEqual(specified.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
})

test('the scopes are those of the specification, and behind them those that we list as ours', () => {
  const required = new Set(groups.flatMap(([, rows]) => rows.map(([, , scope]) => scope)).filter((s) => s !== null))
  expect([...scopes].toSorted()).toEqual([...required, ...ourScopes].toSorted())
  expect(scopes.slice(-ourScopes.length)).toEqual(ourScopes)
})

test('only the health probe is open', () => {
  expect(
    describedRoutes()
      .filter(({ scope, context }) => scope === null || context === 'none')
      .map(({ method, path }) => `${method} ${path}`),
  ).toEqual(['GET /health'])
})
