import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { Audiences } from '../../src/resources/audiences/index.ts'
import { sql } from '../../src/storage/sql.ts'
import {
  addContact,
  contactsOf,
  countsOf,
  expectRefused,
  newAudience,
  newTag,
  recounted,
  runJobs,
  type Listed,
} from '../support/audiences.ts'
import { seedFor } from '../support/seed.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const missing = { status: 404, body: { code: 'not_found' } }

test('an audience is created, read, listed and changed', async () => {
  const { projectApi, projectId } = await tenant()
  const audience = created(await projectApi.post('audiences', { name: 'Readers', description: 'Who reads.' }))
  expect(audience).toEqual({
    id: expect.stringMatching(/^aud_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    name: 'Readers',
    description: 'Who reads.',
    counts: { total: 0, subscribed: 0, unsubscribed: 0 },
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  })
  const path = `audiences/${audience['id'] as string}`
  expect((await projectApi.get(path)).body).toEqual(audience)
  expect((await projectApi.get('audiences')).body).toEqual({ data: [audience], hasMore: false, nextCursor: null })
  const renamed = await projectApi.patch(path, { name: 'Subscribers' })
  expect(renamed).toMatchObject({ status: 200, body: { ...audience, name: 'Subscribers' } })
  expect((await projectApi.patch(path, { description: null })).body).toEqual({
    ...audience,
    name: 'Subscribers',
    description: null,
  })
})

test('two audiences may have one name; the list is newest first, a page at a time', async () => {
  const { projectApi } = await tenant()
  const ids = [await newAudience(projectApi), await newAudience(projectApi), await newAudience(projectApi)].toReversed()
  const first = (await projectApi.get<Listed<{ id: string }>>('audiences?limit=2')).body
  const second = (await projectApi.get<Listed<{ id: string }>>(`audiences?cursor=${first.nextCursor}`)).body
  expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids)
  expect([first.hasMore, second.hasMore]).toEqual([true, false])
})

test('what is out of shape is refused', async () => {
  const { projectApi } = await tenant()
  const audience = await newAudience(projectApi)
  for (const [body, path] of [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'a\nb' }, '/name'],
    [{ name: 'x', description: 'x'.repeat(2_001) }, '/description'],
    [{ name: 'x', counts: {} }, '/counts'],
  ] as const) {
    expectRefused(await projectApi.post('audiences', body), path)
    if ('name' in body) expectRefused(await projectApi.patch(`audiences/${audience}`, body), path)
  }
})

test('a deleted audience is gone at once, and its contacts soon after', async () => {
  const here = await world()
  const { projectApi, db } = here
  const [audience, other] = [await newAudience(projectApi), await newAudience(projectApi, 'Others')]
  const people = Array.from({ length: 30 }, (_, i) => `p${i}@example.com`)
  for (const email of people) await addContact(projectApi, audience, email, { consent: { source: 'form' } })
  await addContact(projectApi, other, 'p0@example.com')
  const tag = await newTag(projectApi, 'vip')
  await projectApi.post(`contact-tags/${tag}/contacts`, { emails: people })
  const deleted = await projectApi.delete(`audiences/${audience}`)
  expect(deleted).toMatchObject({ status: 200, body: { id: audience, deleted: true } })
  for (const reply of [
    await projectApi.get(`audiences/${audience}`),
    await projectApi.patch(`audiences/${audience}`, { name: 'x' }),
    await projectApi.delete(`audiences/${audience}`),
    await projectApi.get(`audiences/${audience}/contacts`),
    await projectApi.get(`audiences/${audience}/contacts/p1@example.com`),
    await projectApi.patch(`audiences/${audience}/contacts/p1@example.com`, { subscribed: false }),
    await projectApi.delete(`audiences/${audience}/contacts/p1@example.com`),
    await projectApi.post(`audiences/${audience}/contacts`, { email: 'late@example.com' }),
    await projectApi.get(`audiences/${audience}/contacts/export`),
    // Nobody but that audience knew them.
    await projectApi.post(`contact-tags/${tag}/contacts`, { email: 'p1@example.com' }),
  ]) {
    expect(reply).toMatchObject(missing)
  }
  expect((await projectApi.get<Listed<{ id: string }>>('audiences')).body.data.map(({ id }) => id)).toEqual([other])
  await runJobs(here)
  const left = await db.one(sql<{ contacts: number; consents: number; counts: number; audiences: number }>`
    select (select count(*) from contacts) as contacts, (select count(*) from contact_consents) as consents,
           (select count(*) from audiences) as audiences,
           (select count(distinct audience_id) from audience_counts) as counts`)
  expect(left).toEqual({ contacts: 1, consents: 0, audiences: 1, counts: 1 })
  // Who is still in another audience keeps the tag.
  expect((await projectApi.get(`contact-tags/${tag}`)).body).toMatchObject({ contactCount: 1 })
  expect((await contactsOf(projectApi, other)).data).toMatchObject([{ tags: ['vip'] }])
})

test('an audience that something is about to be sent to is not deleted', async () => {
  const { projectApi, db, services, projectId, api } = await world()
  const audience = await newAudience(projectApi)
  const { accountId } = (await api.get<{ accountId: string }>(`projects/${projectId}`)).body
  const project = {
    id: decodeId('prj', projectId)!,
    workspaceId: decodeId('acc', accountId)!,
    status: 'active' as const,
  }
  const audiences = new Audiences(db, {
    usersOf: async () => [{ type: 'broadcast', id: 'brd_1', name: 'Spring' }],
    deleted: async () => {},
  })
  const refused = audiences.remove(project, { type: 'operator' }, decodeId('aud', audience)!)
  await expect(refused).rejects.toMatchObject({ code: 'invalid_state', extra: { state: 'in_use' } })
  expect((await projectApi.get(`audiences/${audience}`)).status).toBe(200)
  const found = await services.audiences.findIn(db, project.id, decodeId('aud', audience)!)
  expect(found).toMatchObject({ name: 'Readers' })
})

test('nobody is added to an audience behind the back of its deletion', async () => {
  const here = await world()
  const { projectApi, db } = here
  for (let round = 0; round < 5; round++) {
    const audience = await newAudience(projectApi)
    const adding = Array.from({ length: 10 }, (_, i) =>
      projectApi.post(`audiences/${audience}/contacts`, { email: `p${i}@example.com` }),
    )
    const deleted = projectApi.delete(`audiences/${audience}`)
    const more = Array.from({ length: 10 }, (_, i) =>
      projectApi.post(`audiences/${audience}/contacts`, { email: `q${i}@example.com` }),
    )
    expect((await deleted).status).toBe(200)
    for (const { status } of await Promise.all([...adding, ...more])) expect([201, 404]).toContain(status)
    await runJobs(here)
    expect(await db.one(sql<{ n: number }>`select count(*) as n from contacts`)).toEqual({ n: 0 })
  }
})

test('who made, changed and deleted an audience is in the audit log', async () => {
  const { projectApi, db } = await world()
  const audience = await newAudience(projectApi)
  await projectApi.patch(`audiences/${audience}`, { name: 'Other' })
  await projectApi.get(`audiences/${audience}/contacts/export`)
  await projectApi.delete(`audiences/${audience}`)
  const entries = await db.all(sql<{ action: string; subject: string; details: unknown }>`
    select action, subject, details from audit_log where action like 'audience.%' order by id`)
  expect(entries).toEqual([
    { action: 'audience.created', subject: audience, details: { name: 'Readers' } },
    { action: 'audience.updated', subject: audience, details: { name: 'Other' } },
    { action: 'audience.exported', subject: audience, details: { format: 'csv' } },
    { action: 'audience.deleted', subject: audience, details: { name: 'Other' } },
  ])
})

test('whatever happens at once, an audience has as many contacts as it says', async () => {
  const { projectApi, db } = await world()
  const names = ['first', 'second']
  const ids = [await newAudience(projectApi, 'first'), await newAudience(projectApi, 'second')]
  const step = fc.record({
    audience: fc.nat(1),
    person: fc.nat(12),
    what: fc.constantFrom('add', 'add', 'unsubscribe', 'resubscribe', 'optOut', 'delete'),
  })
  const steps = fc.sample(step, { seed: seedFor('audience counts'), numRuns: 600 })
  const take = ({ audience, person, what }: (typeof steps)[number]) => {
    const path = `audiences/${ids[audience]}/contacts`
    const email = `p${person}@example.com`
    switch (what) {
      case 'add':
        return projectApi.post(path, { email, firstName: `n${Math.random()}` })
      case 'optOut':
        return projectApi.post(path, { email, optedIn: false })
      case 'delete':
        return projectApi.delete(`${path}/${email}`)
      default:
        return projectApi.patch(`${path}/${email}`, { subscribed: what === 'resubscribe' })
    }
  }
  const seen = new Set<number>()
  for (let i = 0; i < steps.length; i += 15) {
    for (const { status } of await Promise.all(steps.slice(i, i + 15).map(take))) seen.add(status)
    for (const [n, name] of names.entries()) {
      expect(await countsOf(projectApi, ids[n]!)).toEqual(await recounted(db, name))
    }
  }
  expect(seen).toEqual(new Set([200, 201, 404, 422]))
  // Several connections have counted, each in a row of its own.
  const { rows } = await db.one(sql<{ rows: number }>`select count(*) as rows from audience_counts`)
  expect(rows).toBeGreaterThan(2)
})
