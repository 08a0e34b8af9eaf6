import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { acceptsNull, type JsonSchema } from '../../src/shapes/json-schema.ts'
import { bodyCheck } from '../../src/shapes/validation.ts'
import { mailStep, newAutomation } from '../support/automations.ts'
import { accepted, created, tenants, world } from '../support/world.ts'
import { withValue } from './limits.ts'
import { call, leastBodyOf, nameOf, simulated } from './requests.ts'

const tenant = tenants()

interface Field {
  path: string[]
  isRequired: boolean
  takesNull: boolean
}

/** Every field of a shape, also those inside others and of the items of lists. */
function fieldsOf({ properties = {}, required = [], items, anyOf = [] }: JsonSchema, path: string[] = []): Field[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      { path: [...path, name], isRequired: required.includes(name), takesNull: acceptsNull(field) },
      ...fieldsOf(field, [...path, name]),
    ]),
    ...(items === undefined ? [] : fieldsOf(items, [...path, '0'])),
    ...anyOf.slice(0, 1).flatMap((one) => fieldsOf(one, path)),
  ]
}

const routes = describedRoutes().filter(({ body }) => body !== undefined)
const fields = routes.flatMap((route) =>
  fieldsOf(route.body as JsonSchema).map((field) => ({
    route,
    name: `${nameOf(route)} ${field.path.join('/')}`,
    field,
  })),
)

/** The body with the field as null, and the same body without it. */
function pairOf({ route, field: { path } }: (typeof fields)[number]): [unknown, unknown] {
  const withNull = withValue(leastBodyOf(route), path, null)
  const without = structuredClone(withNull)
  const holder = path.slice(0, -1).reduce<unknown>((here, name) => (here as Record<string, unknown>)[name], without)
  delete (holder as Record<string, unknown>)[path.at(-1)!]
  return [withNull, without]
}

test('null for a field that may be left out is the same as leaving it out, in every body', () => {
  const optional = fields.filter(({ field }) => !field.isRequired && !field.takesNull)
  expect(optional.length).toBeGreaterThan(100)
  for (const each of optional) {
    const check = bodyCheck(each.route.body)
    const [withNull, without] = pairOf(each)
    expect(check(withNull), each.name).toEqual(check(without))
  }
})

test('where a shape takes null, null is what the service gets', () => {
  const meant = fields.filter(
    ({ field, route }) => field.takesNull && bodyCheck(route.body)(leastBodyOf(route)).problems.length === 0,
  )
  expect(meant.length).toBeGreaterThan(50)
  for (const { route, field, name } of meant.filter(({ field: { path } }) => path.length === 1)) {
    const body = withValue(leastBodyOf(route), field.path, null)
    expect(bodyCheck(route.body)(body).value, name).toHaveProperty(field.path, null)
  }
})

test('null for a required field is refused by its name', () => {
  const required = fields.filter(({ field }) => field.isRequired && !field.takesNull)
  expect(required.length).toBeGreaterThan(30)
  for (const { route, field, name } of required) {
    const { problems } = bodyCheck(route.body)(withValue(leastBodyOf(route), field.path, null))
    expect(
      problems.map(({ path }) => path),
      name,
    ).toContain(`/${field.path.join('/')}`)
  }
})

test('no call is refused for fields that are null', async () => {
  const { projectApi } = await tenant()
  for (const route of routes) {
    const least = leastBodyOf(route) as Record<string, unknown>
    const empty = fieldsOf(route.body as JsonSchema).filter(
      ({ path }) => path.length === 1 && !Object.hasOwn(least, path[0]!),
    )
    const body = { ...Object.fromEntries(empty.map(({ path }) => [path[0]!, null])), ...least }
    const reply = await call(projectApi, route, { body })
    const { details = [] } = reply.body as { details?: { path: string }[] }
    const blamed = details.map(({ path }) => path.split('/')[1]!)
    expect(
      blamed.filter((name) => !(name in least)),
      `${nameOf(route)}: ${reply.text}`,
    ).toEqual([])
  }
})

test('a send with nulls is the same payload as one without, also to its idempotency key', async () => {
  const { projectApi } = await tenant()
  const key = { 'idempotency-key': 'once' }
  const nulls = { cc: null, sendAt: null, tracking: { opens: true, clicks: null }, attachments: null }
  const first = accepted(await projectApi.post<{ id: string }>('email/send', { ...simulated, ...nulls }, key))
  const again = await projectApi.post('email/send', { ...simulated, tracking: { opens: true } }, key)
  expect(again).toMatchObject({ status: 202, body: { id: first.id } })
  expect(again.headers.get('idempotency-replayed')).toBe('true')
})

test('null changes nothing where nothing is changed, and what it means elsewhere', async () => {
  const { api, projectId } = await world()
  await api.patch(`projects/${projectId}`, { name: 'Ours', quota: { emailsPerDay: 5, emailsPerMonth: 50 } })
  const changed = await api.patch(`projects/${projectId}`, { name: null, status: null, quota: { emailsPerDay: null } })
  expect(changed.body).toMatchObject({
    name: 'Ours',
    status: 'active',
    quota: { emailsPerDay: null, emailsPerMonth: 50 },
  })
})

test('in the branches of an automation and in the rows of an import null is nothing too', async () => {
  const { projectApi } = await tenant()
  const { id: audienceId } = created(await projectApi.post<{ id: string }>('audiences', { name: 'readers' }))
  const mail = { ...mailStep('Hello'), text: null, templateId: null }
  const inner = { type: 'condition', id: null, if: { field: 'email', operator: 'exists' }, else: [mail] }
  const outer = { ...inner, else: [inner] }
  const trigger = { type: 'audience', audienceId }
  const { steps } = await newAutomation(projectApi, { trigger, steps: [outer] })
  expect(steps).toMatchObject([{ else: [{ else: [mailStep('Hello')] }] }])
  expect(JSON.stringify(steps)).not.toContain('null')
  const line = `{"email":"ann@example.com","tags":null,"consent":{"source":"form","ip":null}}\n`
  const headers = { 'content-type': 'application/x-ndjson' }
  const path = `audiences/${audienceId}/contacts/import`
  expect((await projectApi.request('POST', path, { body: line, headers })).status).toBe(202)
})
