import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { scopes } from '../../src/core/scopes.ts'
import type { Route } from '../../src/http/route.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { letConfirmationLapse, signIn } from '../support/people.ts'
import { some } from '../support/runs.ts'
import type { Endpoint } from '../support/webhooks.ts'
import { created, tenants, world, type Tenant } from '../support/world.ts'
import { call, nameOf, prefixOf } from './requests.ts'
import { holders, refusalOf } from './roles.ts'

const tenant = tenants()

const SHOWING = 'POST /webhooks/:id/secret'
/** Where a new secret is made, it is in the answer. */
const making = new Set(['POST /webhooks', 'POST /webhooks/:id/rotate-secret'])

const guarded = describedRoutes().filter(({ scope }) => scope !== null)
const showing = guarded.find((route) => nameOf(route) === SHOWING)!
/** What takes the endpoint away comes last. */
const reading = guarded
  .filter((route) => !making.has(nameOf(route)))
  .toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'))

const newEndpoint = async ({ projectApi }: Tenant): Promise<Endpoint> =>
  created(await projectApi.post<Endpoint>('webhooks', { url: 'https://192.31.7.1/hook' }))

/** The call about this endpoint wherever a path names one, and about nothing else. */
const ask = (client: Client, route: Route, { id }: Endpoint, headers: Record<string, string> = {}) => {
  const about = Object.keys(route.params).filter(
    (name) => route.params[name] !== 'text' && prefixOf(route, name) === 'whk',
  )
  return call(client, route, { params: Object.fromEntries(about.map((name) => [name, id])), headers })
}

test('no route shows the secret of an endpoint to a key, whatever its scopes', async () => {
  const here = await world()
  const { projectId } = here
  const keys: [string, Client][] = [
    ['the workspace key', here.api],
    ['the key of the project', here.projectApi],
    ['every scope by name', await here.clientWith({ scopes, projectId })],
  ]
  for (const scope of scopes) keys.push([scope, await here.clientWith({ scopes: [scope], projectId })])
  for (const [what, client] of keys) {
    const endpoint = await newEndpoint(here)
    const isWide = what.startsWith('the ') || what.startsWith('every ')
    const opened = reading.filter(({ scope }) => isWide || scope === what)
    for (const route of isWide ? some(opened) : opened) {
      const headers = { 'x-service-project-id': projectId }
      const { text } = await ask(client, route, endpoint, route.context === 'workspace' ? {} : headers)
      expect(text, `${what}: ${nameOf(route)}`).not.toContain(endpoint.secret.slice('whsec_'.length))
    }
    const refused = await ask(client, showing, endpoint)
    expect(refused, what).toMatchObject({ status: 403, body: { code: 'person_required' } })
    await here.projectApi.delete(`webhooks/${endpoint.id}`)
  }
  expect(await here.db.all(sql`select id from audit_log where action = 'webhook.secret_shown'`)).toEqual([])
})

test('a person sees the secret if their role changes endpoints, after a confirmation, and it is written down', async () => {
  const here = await tenant()
  const { projectId, db } = here
  const endpoint = await newEndpoint(here)
  const entries = () =>
    db.all(sql<{ personId: string }>`
      select person_id as "personId" from audit_log
       where action = 'webhook.secret_shown' and subject = ${endpoint.id} order by id`)
  const shownTo: string[] = []
  for (const { role, project, what } of holders(projectId)) {
    const { client, personId } = await signIn(here, { role, project })
    const refusal = refusalOf(role, project === undefined, showing)
    const reply = await ask(client.in(projectId), showing, endpoint)
    if (refusal === undefined) {
      expect(reply, what).toMatchObject({ status: 200, body: { secret: endpoint.secret } })
      shownTo.push(personId)
    } else expect(reply, what).toMatchObject(refusal)
    await letConfirmationLapse(here, { personId })
    const later = await ask(client.in(projectId), showing, endpoint)
    const unconfirmed = { status: 403, body: { code: 'confirmation_required' } }
    expect(later, what).toMatchObject(refusal ?? unconfirmed)
    expect(later.text, what).not.toContain('whsec_')
    // Neither does any other route show it to them.
    for (const route of some(reading.filter(({ method }) => method === 'GET'))) {
      const { text } = await ask(client.in(projectId), route, endpoint)
      expect(text, `${what}: ${nameOf(route)}`).not.toContain(endpoint.secret.slice('whsec_'.length))
    }
  }
  expect((await entries()).map((entry) => entry.personId)).toEqual(shownTo)
  expect(shownTo.length).toBeGreaterThan(3)
})
