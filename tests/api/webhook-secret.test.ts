import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { secretsOf } from '../../src/resources/webhooks/store/endpoints.ts'
import { present } from '../../src/resources/webhooks/store/health.ts'
import { sql } from '../../src/storage/sql.ts'
import { signIn } from '../support/people.ts'
import type { Endpoint } from '../support/webhooks.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

interface Shown {
  secret: string
  since: string
  previous: { since: string; validUntil: string }[]
}

const url = 'https://192.31.7.1/hook'

test('a person sees the secret of an endpoint at any time, with those that still sign beside it', async () => {
  const here = await tenant()
  const { projectApi, projectId, db } = here
  const { client, personId } = await signIn(here, { role: 'developer', project: projectId })
  const hook = created(await projectApi.post<Endpoint>('webhooks', { url }))
  const first = await client.post<Shown>(`webhooks/${hook.id}/secret`)
  expect(first.status, first.text).toBe(200)
  expect(first.headers.get('cache-control')).toBe('no-store')
  expect(first.body).toEqual({ secret: hook.secret, since: expect.any(String), previous: [] })
  const rotated = (await projectApi.post<Endpoint>(`webhooks/${hook.id}/rotate-secret`)).body
  const { body } = await client.post<Shown>(`webhooks/${hook.id}/secret`)
  expect(body.secret).toBe(rotated.secret)
  expect(body.previous).toEqual([{ since: first.body.since, validUntil: expect.any(String) }])
  expect(Date.parse(body.previous[0]!.validUntil) - Date.now()).toBeGreaterThan(23 * 3_600_000)
  const log = await db.all(sql<{ action: string; person: string | null }>`
    select action, person_id as person from audit_log where subject = ${hook.id} order by id`)
  expect(log.map(({ action }) => action)).toEqual([
    'webhook.created',
    'webhook.secret_shown',
    'webhook.secret_rotated',
    'webhook.secret_shown',
  ])
  expect(log.map(({ person }) => person)).toEqual([null, personId, null, personId])
})

test("an endpoint of another project is answered like one that never was, and nobody's secret is shown", async () => {
  const here = await world()
  const other = await here.newProject('other')
  const hook = created(await here.api.post<Endpoint>('webhooks', { url }, { 'x-service-project-id': other }))
  const { client } = await signIn(here, { role: 'owner' })
  const reply = await client.in(here.projectId).post(`webhooks/${hook.id}/secret`)
  expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('the secrets of an endpoint and what waits for it are found in its own project alone', async () => {
  const { db, projectApi, projectId, newProject } = await world()
  const hook = created(await projectApi.post<Endpoint>('webhooks', { url }))
  expect((await projectApi.post(`webhooks/${hook.id}/test`)).status).toBe(202)
  const endpoint = decodeId('whk', hook.id)!
  const foundIn = async (project: string) => {
    const id = decodeId('prj', project)!
    const secrets = await db.transaction((tx) => secretsOf(tx, id, endpoint))
    return { secrets: secrets.length, pending: (await present(db, id, endpoint)).pending }
  }
  expect(await foundIn(projectId)).toEqual({ secrets: 1, pending: 1 })
  expect(await foundIn(await newProject('other'))).toEqual({ secrets: 0, pending: 0 })
})
