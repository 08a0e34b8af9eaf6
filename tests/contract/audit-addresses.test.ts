import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { recordAudit } from '../../src/events/audit.ts'
import type { Route } from '../../src/http/route.ts'
import { sql } from '../../src/storage/sql.ts'
import { leastWork } from '../support/eventually.ts'
import { world, type World } from '../support/world.ts'
import { call, idFieldsOf, idParamsOf, leastBodyOf, nameOf, prefixOf } from './requests.ts'
import { makeAll, neighbourhood } from './tenants.ts'

/** What callers write in their own words may name somebody. */
const words = ['name', 'note', 'description', 'filename']
const named = 'asked by Ann <ann@person.example>, ann@person.example'

const changing = describedRoutes().filter(({ context, method }) => context !== 'none' && method !== 'GET')

/** The least body, with an address wherever there is room for words, and ids of things that exist. */
function bodyOf(route: Route, made: Readonly<Record<string, string>>): unknown {
  const body = leastBodyOf(route)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const { properties = {} } = route.body as { properties?: Record<string, { type?: string; enum?: unknown }> }
  const filled: Record<string, unknown> = { ...body }
  for (const name of words) {
    const isText = properties[name]?.type === 'string' && properties[name].enum === undefined
    if (isText && nameOf(route) !== 'POST /domains') filled[name] = named
  }
  for (const { path, prefix } of idFieldsOf(route.body)) {
    const [field = '', ...deeper] = path
    if (deeper.length === 0 && field in filled && made[prefix] !== undefined) filled[field] = made[prefix]
  }
  return filled
}

const logged = (db: World['db']) =>
  db.all(sql<{ action: string; entry: string }>`
    select action, concat(subject, ' ', details) as entry from audit_log order by id`)

test("whatever is changed by whichever route, the audit log has nobody's address", { timeout: 240_000 }, async () => {
  const here = await world()
  const { own } = await neighbourhood(here)
  for (const route of changing) {
    const ids = idFieldsOf(route.body).map(({ prefix }) => prefix)
    const params = idParamsOf(route)
    const made = (await makeAll([...params.map((param) => prefixOf(route, param)), ...ids], own)) as Record<
      string,
      string
    >
    const headers = { 'x-service-project-id': own.projectId! }
    const filled = Object.fromEntries(params.map((param) => [param, made[prefixOf(route, param)]!]))
    await call(own.client, route, { params: filled, headers, body: bodyOf(route, made) })
  }
  const entries = await logged(here.db)
  expect(new Set(entries.map(({ action }) => action)).size).toBeGreaterThan(30)
  expect(entries.filter(({ entry }) => entry.includes('[address]')).length).toBeGreaterThan(5)
  expect(entries.filter(({ entry }) => /@|%40/.test(entry))).toEqual([])
})

test('a long word without an address costs no more than many short ones', async () => {
  const { db, services } = await world()
  const workspaceId = (await services.projects.workspace())!
  const entry = { workspaceId, projectId: null, action: 'project.updated', subject: 'x' } as const
  const costOf = (name: string): Promise<number> =>
    leastWork(0, () => db.transaction((tx) => recordAudit(tx, { type: 'operator' }, { ...entry, details: { name } })))
  const short = await costOf('word '.repeat(8_000))
  expect(await costOf('x'.repeat(40_000))).toBeLessThan(20 * short)
})

test('entries from before lose their addresses when the database is migrated, and nothing else', async () => {
  const { db, projectId } = await world()
  const about = { reason: 'manual', note: 'Ann <ann@person.example> rang', confirmedOptIn: true }
  const cases: [action: string, before: object, after: object][] = [
    ['suppression.removed', { ...about, email: 'ann@person.example' }, { ...about, note: 'Ann [address] rang' }],
    ['audience.created', { name: 'for bob@person.example' }, { name: 'for [address]' }],
    ['template.updated', { version: 3, names: ['x'] }, { version: 3, names: ['x'] }],
  ]
  for (const [action, before] of cases) {
    await db.run(sql`
      insert into audit_log (id, workspace_id, actor, action, subject, details)
      select gen_random_uuid(), workspace_id, 'operator', ${action}, ${projectId}, ${JSON.stringify(before)}
        from projects limit 1`)
  }
  const migration = readFileSync('src/storage/migrations/0025_received_mail_and_addresses.sql', 'utf8')
  await db.withClient((client) => client.query(migration.slice(migration.indexOf('alter table audit_log'))))
  for (const [action, , after] of cases) {
    const rows = await db.all(sql`select details from audit_log where action = ${action} and actor = 'operator'`)
    expect(rows, action).toContainEqual({ details: after })
  }
  await expect(db.run(sql`delete from audit_log`)).rejects.toThrow('append-only')
})
