import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { scopes } from '../../src/core/scopes.ts'
import { addressParts, foundKinds, type FoundKind } from '../../src/resources/search/kinds.ts'
import type { Client, Reply } from '../support/client.ts'
import { signIn } from '../support/people.ts'
import { some } from '../support/runs.ts'
import { world, type World } from '../support/world.ts'
import { holders } from './roles.ts'
import { makeAll, neighbourhood, type Made } from './tenants.ts'

const prefixes = 'prj key per dom em bat tpl aud con tag brd aut sup whk whd rdm rcv sms'.split(' ') as (keyof Made)[]

/** For each kind the thing that was made of it, and the route that reads it: what it finds is what the search may find. */
const readers: Readonly<Record<Exclude<FoundKind, 'run'>, { prefix: keyof Made; route: string }>> = {
  project: { prefix: 'prj', route: 'GET /projects/:prj' },
  key: { prefix: 'key', route: 'GET /api-keys/:key' },
  person: { prefix: 'per', route: 'GET /people/:per' },
  domain: { prefix: 'dom', route: 'GET /domains/:dom' },
  email: { prefix: 'em', route: 'GET /emails/:em' },
  batch: { prefix: 'bat', route: 'GET /emails?batchId=:bat' },
  template: { prefix: 'tpl', route: 'GET /templates/:tpl' },
  audience: { prefix: 'aud', route: 'GET /audiences/:aud' },
  contact: { prefix: 'con', route: 'GET /audiences/:aud/contacts/:con' },
  tag: { prefix: 'tag', route: 'GET /contact-tags?limit=100' },
  broadcast: { prefix: 'brd', route: 'GET /broadcasts/:brd' },
  automation: { prefix: 'aut', route: 'GET /automations/:aut' },
  suppression: { prefix: 'sup', route: 'GET /suppressions?limit=100' },
  webhook: { prefix: 'whk', route: 'GET /webhooks/:whk' },
  delivery: { prefix: 'whd', route: 'GET /webhooks/:whk/deliveries/:whd' },
  receiving_domain: { prefix: 'rdm', route: 'GET /receiving/domains/:rdm' },
  received: { prefix: 'rcv', route: 'GET /receiving/emails/:rcv' },
  sms: { prefix: 'sms', route: 'GET /sms/messages?limit=100' },
}

const kinds = Object.keys(readers) as (keyof typeof readers)[]

const filledIn = (route: string, things: Made): string =>
  route.replace('GET /', '').replaceAll(/:([a-z]+)/g, (_, prefix: keyof Made) => things[prefix] ?? '')

/** Whether the caller gets to see the thing by its own route, in the project that it belongs to. */
async function reads(client: Client, kind: keyof typeof readers, things: Made, projectId: string): Promise<boolean> {
  const { prefix, route } = readers[kind]
  const isOfWorkspace = ['project', 'key', 'person'].includes(kind)
  const headers = isOfWorkspace ? {} : { 'x-service-project-id': projectId }
  const { status, text } = await client.get(filledIn(route, things), { headers })
  // A batch has no route of its own: its emails name it.
  return status === 200 && text.includes(things[prefix]!)
}

async function finds(client: Client, id: string): Promise<boolean> {
  const reply: Reply<{ data: { id: string }[] }> = await client.get(`search?q=${id}`)
  return reply.status === 200 && reply.body.data.some((hit) => hit.id === id)
}

interface Asker {
  what: string
  client: Client
}

/** A key for each scope and the one that searches, a key with that one alone, and somebody with each role. */
async function askersOf(here: World, projectId: string): Promise<Asker[]> {
  const keys = await Promise.all(
    scopes.flatMap((scope) =>
      [undefined, projectId].map(async (project) => ({
        what: `a key with ${scope} of ${project === undefined ? 'the workspace' : 'the project'}`,
        client: await here.clientWith({
          scopes: ['stats:read', ...(scope === 'stats:read' ? [] : [scope])],
          ...(project === undefined ? {} : { projectId: project }),
        }),
      })),
    ),
  )
  const people = await Promise.all(
    holders(projectId).map(async ({ role, project, what }) => ({
      what,
      client: (await signIn(here, { role, project })).client.in(undefined),
    })),
  )
  return [...keys, ...people]
}

test('a search finds by its id what the route of its kind shows, and nothing else, for every scope and role', async () => {
  const here = await world()
  const hood = await neighbourhood(here)
  const owners = [hood.own, hood.sibling, hood.stranger]
  const things = await Promise.all(owners.map((owner) => makeAll(prefixes, owner)))
  const askers = await askersOf(here, hood.own.projectId!)
  const cases = askers.flatMap((asker) =>
    owners.flatMap((owner, i) => kinds.map((kind) => ({ ...asker, owner, kind, made: things[i]! }))),
  )
  let found = 0
  for (const { what, client, owner, kind, made } of some(cases)) {
    const isRead = await reads(client, kind, made, owner.projectId!)
    const isFound = await finds(client, made[readers[kind].prefix]!)
    expect(isFound, `${what}: a ${kind} of ${owner.name}`).toBe(isRead)
    found += Number(isFound)
  }
  // Somebody finds something, and most find little.
  expect(found).toBeGreaterThan(0)
}, 600_000)

test('an address shows the parts that the routes of each kind show, for every scope and role', async () => {
  const here = await world()
  const { projectId, projectApi } = here
  const email = 'delivered@simulator.posthouse.test'
  const audience = await projectApi.post<{ id: string }>('audiences', { name: 'Readers' })
  await projectApi.post(`audiences/${audience.body.id}/contacts`, { email })
  await projectApi.post('contact-tags', { name: 'vip' })
  await projectApi.post('email/send', { from: 'sandbox@sandbox.posthouse.test', to: email, subject: 'x', text: 'x' })
  await projectApi.post('suppressions', { email })
  const routes: Readonly<Record<string, string>> = {
    contacts: `audiences/${audience.body.id}/contacts`,
    tags: 'contact-tags',
    suppression: 'suppressions',
    emails: 'emails',
    received: 'receiving/emails',
    runs: 'automations',
  }
  for (const { what, client } of await askersOf(here, projectId)) {
    const headers = { 'x-service-project-id': projectId }
    const { status, body, text } = await client.get<Record<string, unknown> & { hidden: string[] }>(
      `addresses/${email}`,
      { headers },
    )
    expect(status, `${what}: ${text}`).toBe(200)
    for (const part of Object.keys(addressParts)) {
      const isRead = (await client.get(routes[part]!, { headers })).status === 200
      expect(!body.hidden.includes(part), `${what}: ${part}`).toBe(isRead)
    }
    const has = { contacts: body['contacts'], suppression: body['suppression'], emails: body['emails'] }
    const empty = { contacts: [], suppression: null, emails: { last: [], counts: {} } }
    for (const part of Object.keys(has) as (keyof typeof has)[]) {
      if (body.hidden.includes(part)) expect(has[part], `${what}: ${part}`).toEqual(empty[part])
      else expect(has[part], `${what}: ${part}`).not.toEqual(empty[part])
    }
  }
}, 300_000)

test('each kind has the scope of the route that reads it', () => {
  const routes = describedRoutes()
  const scopeOf = (text: string) => {
    const pattern = text
      .replace('GET ', '')
      .replace(/\?.*/, '')
      .replaceAll(/:[a-z]+/gi, ':')
    return routes.find(({ method, path }) => method === 'GET' && path.replaceAll(/:[a-z]+/gi, ':') === pattern)?.scope
  }
  for (const kind of kinds) expect(scopeOf(readers[kind].route), kind).toBe(foundKinds[kind])
  expect(scopeOf('GET /automations/:id/runs')).toBe(foundKinds.run)
})
