import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { idPattern } from '../../src/core/ids.ts'
import type { Route } from '../../src/http/route.ts'
import type { Schema } from './document.ts'
import type { IdPrefix } from '../../src/core/ids.ts'
import { world } from '../support/world.ts'
import { call, idParamsOf, nameOf, prefixOf } from './requests.ts'
import { makeAll, makers, neighbourhood } from './tenants.ts'

/** A batch may hold emails of several projects. */
const isLocal = (route: Route): boolean =>
  (route.context === 'project' || route.context === 'sender') && route.path !== '/email/batch'

/** What a route shows: the thing itself, or the things of a page. */
function viewsIn(schema: Schema): Schema[] {
  const { properties = {} } = schema as { properties?: Record<string, Schema> }
  const data = properties['data'] as { items?: Schema } | undefined
  return data?.items ? [data.items] : [schema]
}

const propertiesOf = (schema: Schema): Record<string, { pattern?: string }> =>
  ((schema as { properties?: object }).properties ?? {}) as Record<string, { pattern?: string }>

/** Whatever has an id of its own; an answer that only says that something is gone shows nothing. */
const views = describedRoutes()
  .filter(isLocal)
  .flatMap((route) =>
    Object.values(route.reply).flatMap((schema) =>
      viewsIn(JSON.parse(JSON.stringify(schema)) as Schema).map((view) => ({ name: nameOf(route), view })),
    ),
  )
  .filter(({ view }) => 'id' in propertiesOf(view) && !('deleted' in propertiesOf(view)))

test('everything that belongs to a project says to which', () => {
  expect(views.length).toBeGreaterThan(60)
  const silent = views.filter(({ view }) => propertiesOf(view)['projectId']?.pattern !== idPattern('prj'))
  expect([...new Set(silent.map(({ name }) => name))]).toEqual([])
})

test('and says the right one, in every list and of every thing', async () => {
  const { own, workspaceKey } = await neighbourhood(await world())
  const made = await makeAll(Object.keys(makers) as IdPrefix[], own)
  const headers = { 'x-service-project-id': own.projectId! }
  const reads = describedRoutes().filter((route) => isLocal(route) && route.method === 'GET')
  const seen = new Set<string>()
  for (const route of reads.filter(({ downloads }) => downloads.length === 0)) {
    const params = Object.fromEntries(idParamsOf(route).map((name) => [name, made[prefixOf(route, name)]!]))
    const { status, body } = await call(workspaceKey, route, { params, headers })
    if (status !== 200) continue
    for (const one of Array.isArray(body['data']) ? (body['data'] as Record<string, unknown>[]) : [body]) {
      if (!('id' in one)) continue
      expect(one['projectId'], nameOf(route)).toBe(own.projectId)
      seen.add(nameOf(route))
    }
  }
  expect(seen.size).toBeGreaterThan(40)
})
