import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import type { IdPrefix } from '../../src/core/ids.ts'
import type { Route } from '../../src/http/route.ts'
import type { Client, Reply } from '../support/client.ts'
import { lastingDump } from '../support/dump.ts'
import { world, type World } from '../support/world.ts'
import {
  call,
  idFieldsOf,
  idParamsOf,
  leastBodyOf,
  nameOf,
  nestedIds,
  neverExisted,
  prefixOf,
  whatIsTold,
} from './requests.ts'
import { askersOf, type AskerName } from './askers.ts'
import { makeAll, makers, neighbourhood, type Made, type Neighbourhood, type Owner } from './tenants.ts'

/** Every place times every id; on a busy machine that takes its time. */
const PATIENCE_MS = 400_000

const guarded = describedRoutes().filter(({ context }) => context !== 'none')

/** A place in a request where an id can stand. */
interface Place {
  route: Route
  where: string
  prefix: IdPrefix
  /** What has to be made for the place: the thing itself and what it lies in. */
  chain: readonly IdPrefix[]
  send(
    client: Client,
    id: string,
    rest: Readonly<Record<string, string>>,
    headers: Record<string, string>,
  ): Promise<Reply>
}

const paths: Place[] = guarded.flatMap((route) =>
  idParamsOf(route).map((param, i, all) => ({
    route,
    where: `:${param}`,
    prefix: prefixOf(route, param),
    chain: all.slice(0, i + 1).map((name) => prefixOf(route, name)),
    send: (client, id, rest, headers) =>
      call(client, route, { params: { ...rest, [param]: id }, headers, body: bodyOf(route, rest) }),
  })),
)

const bodies: Place[] = guarded.flatMap((route) =>
  idFieldsOf(route.body).map(({ path, prefix }) => ({
    route,
    where: `body ${path.join('.')}`,
    prefix,
    chain: [prefix],
    send: (client, id, rest, headers) =>
      call(client, route, { params: rest, headers, body: withValue(fullBodyOf(route, rest), path, id) }),
  })),
)

/** The ids that a body cannot do without. */
const neededIn = (route: Route) =>
  idFieldsOf(route.body).filter(({ path }) => {
    const value = path.reduce<unknown>((here, name) => (here as Record<string, unknown>)?.[name], leastBodyOf(route))
    return value !== undefined
  })

/** The least body, with ids of our own where it needs some. */
const bodyOf = (route: Route, ids: Readonly<Record<string, string>>): unknown =>
  neededIn(route).reduce((body, { path }) => withValue(body, path, ids[path.join('.')]), leastBodyOf(route))

const fullBodyOf = (route: Route, ids: Readonly<Record<string, string>>): unknown => {
  const nested = nestedIds[nameOf(route)]
  return nested === undefined ? bodyOf(route, ids) : { ...(bodyOf(route, ids) as object), ...nested }
}

function withValue(body: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const here = body as Record<string, unknown> | undefined
  const inner = rest.length === 0 ? value : withValue(here?.[name], rest, value)
  return Array.isArray(body) ? body.with(Number(name), inner) : { ...here, [name]: inner }
}

/** A time that a route cannot do without. */
const neededQueryOf = ({ query }: Route): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }).filter(([name]) =>
      (query as { required?: readonly string[] } | undefined)?.required?.includes(name),
    ),
  )

const queries: Place[] = guarded.flatMap((route) =>
  idFieldsOf(route.query).map(({ path, prefix }) => ({
    route,
    where: `query ${path.join('.')}`,
    prefix,
    chain: [prefix],
    send: (client, id, params, headers) =>
      call(client, route, { params, headers, query: { ...neededQueryOf(route), [path.join('.')]: id } }),
  })),
)

const inHeader: Place[] = guarded.map((route) => ({
  route,
  where: 'header',
  prefix: 'prj',
  chain: ['prj'],
  send: (client, id, params, headers) =>
    call(client, route, { params, headers: { ...headers, 'x-service-project-id': id }, body: bodyOf(route, params) }),
}))

const title = ({ route, where }: Place) => `${nameOf(route)}, ${where}`

test('ids are looked for where they are', () => {
  expect(paths.map(title)).toEqual(expect.arrayContaining(['DELETE /projects/:id, :id', 'GET /api-keys/:id, :id']))
  expect(bodies.map(title)).toContain('POST /api-keys, body projectId')
  expect(bodies.map(title)).toContain('POST /email/batch, body emails.0.templateId')
})

const callers: [AskerName, string][] = [
  ['workspace key', "another workspace's things"],
  ['owner', "another workspace's things"],
  ['bound key', 'everything outside its project'],
  ['admin of one project', 'everything outside that project'],
  ['viewer of one project', 'everything outside that project'],
]

test.each(callers)(
  'the %s is told of %s what it is told of things that never were',
  async (name) => {
    const here = await world()
    const hood = await neighbourhood(here)
    await expectNoTrace(here, hood, [...paths, ...bodies, ...queries, ...inHeader], name)
  },
  PATIENCE_MS,
)

test.each(['workspace key', 'owner'] as const)(
  'the same calls of the %s with ids of our own are heard',
  async (name) => {
    const here = await world({ env: { WEBHOOK_ENDPOINTS_PER_PROJECT: '100' } })
    const hood = await neighbourhood(here)
    const asker = (await askersOf(here, hood))[name]
    const places = [...paths, ...bodies, ...queries, ...inHeader].filter(({ route }) => asker.opens(route))
    // Mail of a project is not the operator's, whoever asks.
    for (const place of places.filter(({ route }) => route.path !== '/operator/mailbox/:id')) {
      const made = await makeAll([...new Set([...prefixesIn(place.route), ...place.chain])], hood.own)
      const own = place.where === 'header' ? hood.own.projectId! : made[place.prefix]!
      const reply = await place.send(asker.client, own, paramsOf(place.route, made), asker.context(place.route))
      expect([401, 403, 404, 500], `${title(place)}: ${reply.text}`).not.toContain(reply.status)
    }
  },
  PATIENCE_MS,
)

test(
  'no list shows anything of others, whoever asks',
  async () => {
    const here = await world()
    const hood = await neighbourhood(here)
    // What happened to an email is in no list.
    const prefixes = (Object.keys(makers) as IdPrefix[]).filter((prefix) => prefix !== 'evt')
    const own = await makeAll(prefixes, hood.own)
    const ids = new Map<Owner, string[]>()
    for (const owner of [hood.stranger, hood.sibling, hood.above])
      ids.set(owner, Object.values(await makeAll(prefixes, owner)))
    const lists = guarded.filter(({ reply }) => JSON.stringify(reply[200])?.includes('"nextCursor"'))
    for (const [name, asker] of Object.entries(await askersOf(here, hood))) {
      let seen = ''
      for (const route of lists.filter(asker.opens)) {
        const filled = { params: paramsOf(route, own), query: { limit: '100' }, headers: asker.context(route) }
        const { status, text } = await call(asker.client, route, filled)
        // People belong to no project, so a bound key finds none to look into.
        const isInPerson = idParamsOf(route).some((param) => prefixOf(route, param) === 'per')
        expect(status, `${name}: ${nameOf(route)}`).toBe(name === 'bound key' && isInPerson ? 404 : 200)
        const hidden = asker.foreign(route).flatMap((owner) => ids.get(owner)!)
        expect(
          hidden.filter((id) => text.includes(id)),
          `${name}: ${nameOf(route)}`,
        ).toEqual([])
        seen += text
      }
      if (asker.seesAll) for (const id of Object.values(own)) expect(seen, name).toContain(id)
    }
  },
  PATIENCE_MS,
)

/**
 * Sends each place every id that is none of the caller's business. All answers must be word for word that to an id
 * that never existed, and the database must look afterwards as if nobody had asked.
 */
async function expectNoTrace(
  here: World,
  hood: Neighbourhood,
  places: readonly Place[],
  name: AskerName,
): Promise<void> {
  const asker = (await askersOf(here, hood))[name]
  const asked: [Place, Record<string, string>, [string, string][]][] = []
  const makeOnce = remembering(makeAll)
  for (const place of places.filter(({ route }) => asker.opens(route))) {
    const ids: [string, string][] = Object.entries(malformed(place.prefix))
    for (const owner of asker.foreign(place.route, place.where)) {
      const { [place.prefix]: id } = await makeOnce(place.chain, owner)
      if (id !== undefined) ids.push([`an id of ${owner.name}`, id])
    }
    const wrongKind = await makeOnce([place.prefix === 'prj' ? 'key' : 'prj'], hood.own)
    ids.push(['an id of another kind', Object.values(wrongKind)[0]!])
    asked.push([place, await ownIds(place, hood, makeOnce), ids])
  }
  expect(asked.length).toBeGreaterThan(100)
  const before = await lastingDump(here.db)
  for (const [place, rest, ids] of asked) {
    const ask = (id: string) => place.send(asker.client, id, rest, asker.context(place.route))
    const reference = await ask(neverExisted(place.prefix))
    expect(reference, title(place)).toMatchObject(asker.refusal(place.prefix, place.where))
    for (const [what, id] of ids) {
      expect(whatIsTold(await ask(id)), `${title(place)}: ${what}, ${id}`).toEqual(whatIsTold(reference))
    }
  }
  expect(await lastingDump(here.db)).toEqual(before)
}

/** What nobody may touch is made once for all places: it is still the same when all have been asked. */
function remembering(make: typeof makeAll): typeof makeAll {
  const known = new Map<string, ReturnType<typeof makeAll>>()
  return (prefixes, owner) => {
    const name = `${owner.name} ${prefixes.join(' ')}`
    const made = known.get(name) ?? make(prefixes, owner)
    known.set(name, made)
    return made
  }
}

/** The other ids in the path and the body, all of them right: only the one in question is wrong. */
async function ownIds({ route }: Place, hood: Neighbourhood, make = makeAll): Promise<Record<string, string>> {
  return paramsOf(route, await make(prefixesIn(route), hood.own))
}

const prefixesIn = (route: Route): IdPrefix[] => [
  ...idParamsOf(route).map((name) => prefixOf(route, name)),
  ...neededIn(route).map(({ prefix }) => prefix),
]

const paramsOf = (route: Route, made: Made): Record<string, string> =>
  Object.fromEntries([
    ...idParamsOf(route).map((name) => [name, made[prefixOf(route, name)]!]),
    ...neededIn(route).map(({ path, prefix }) => [path.join('.'), made[prefix]!]),
  ])

function malformed(prefix: IdPrefix): Record<string, string> {
  const id = neverExisted(prefix)
  return {
    'a short id': id.slice(0, -1),
    'a long id': `${id}0`,
    'a recipient of nothing': `${id}.2`,
    'a very long id': `${prefix}_${'0'.repeat(3_000)}`,
    'an id in capitals': id.toUpperCase(),
    'an id beyond 128 bits': `${prefix}_8${id.slice(-25)}`,
    'a letter outside the alphabet': `${id.slice(0, -1)}u`,
    'a bare prefix': `${prefix}_`,
    'no prefix': id.slice(prefix.length + 1),
    'another prefix': `acc_${id.slice(prefix.length + 1)}`,
    'a UUID': '01890a5d-ac96-774b-bcce-b302099a8057',
    'a word': 'null',
    'a wildcard': '*',
    SQL: `' or '1'='1`,
  }
}
