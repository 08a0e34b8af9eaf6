import { expect, test } from 'vitest'
import { addContact, newAudience, newTag } from '../support/audiences.ts'
import { mailStep, newAutomation } from '../support/automations.ts'
import { newBroadcast } from '../support/broadcasts.ts'
import type { Client } from '../support/client.ts'
import { at, SANDBOX } from '../support/emails.ts'
import { signIn, signInAgain } from '../support/people.ts'
import { accepted, created, tenants, type Tenant } from '../support/world.ts'

const tenant = tenants()

interface Hit {
  type: string
  id: string
  projectId: string | null
  title: string
  subtitle: string | null
  at: string | null
  link: string | null
}

async function search(client: Client, q: string, more: Record<string, string> = {}): Promise<Hit[]> {
  const reply = await client.get<{ data: Hit[] }>(`search?${new URLSearchParams({ q, ...more })}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.data
}

const named = (hits: readonly Hit[]): string[] => hits.map(({ type, title }) => `${type} ${title}`)

test('things are found by the beginning of their name, in any case', async () => {
  const { projectApi, projectId } = await tenant()
  const audience = await newAudience(projectApi, 'Teapots of the world')
  await newTag(projectApi, 'teapot lover')
  const template = created(await projectApi.post<{ id: string }>('templates', { name: 'TEAPOT news', html: 'x' }))
  await newBroadcast(projectApi, audience, { name: 'Teapots in May' })
  await newBroadcast(projectApi, audience, { name: 'All about teapots' })
  await newAutomation(projectApi, { name: 'Teapot welcome', trigger: { type: 'audience', audienceId: audience } })
  created(await projectApi.post('domains', { name: 'teapots.example' }))
  created(await projectApi.post('webhooks', { url: 'https://192.31.7.1/teapots', description: 'Teapot stock' }))
  created(await projectApi.post('api-keys', { name: 'teapot key', scopes: ['email:send'] }))
  const hits = await search(projectApi, 'teaPOT', { limit: '20' })
  expect(named(hits).toSorted()).toEqual([
    'audience Teapots of the world',
    'automation Teapot welcome',
    'broadcast Teapots in May',
    'domain teapots.example',
    'key teapot key',
    'tag teapot lover',
    'template TEAPOT news',
    'webhook https://192.31.7.1/teapots',
  ])
  expect(hits.every((hit) => hit.projectId === projectId)).toBe(true)
  expect(hits.find(({ type }) => type === 'template')).toMatchObject({
    id: template.id,
    link: `/p/${projectId}/templates/${template.id}`,
  })
  expect(await search(projectApi, 'teapot', { limit: '3' })).toHaveLength(3)
  // Signs that mean something in a pattern mean themselves.
  for (const q of ['%%', '__', 't%', 'ots of']) expect(await search(projectApi, q), q).toEqual([])
})

test('the exact name comes first, and what is in the project that one is in', async () => {
  const { api, projectId } = await tenant()
  const other = created(await api.post<{ id: string }>('projects', { name: 'kettle corner' })).id
  const inProject = (project: string) => ({ 'x-service-project-id': project })
  await api.post('audiences', { name: 'kettles' }, inProject(projectId))
  await api.post('audiences', { name: 'kettle' }, inProject(other))
  await api.post('audiences', { name: 'kettle club' }, inProject(other))
  const titles = async (near: string) =>
    (await search(api, 'kettle', { projectId: near }))
      .filter(({ type }) => type === 'audience')
      .map(({ title }) => title)
  expect(await titles(projectId)).toEqual(['kettle', 'kettles', 'kettle club'])
  expect(await titles(other)).toEqual(['kettle', 'kettle club', 'kettles'])
})

const mailTo = async ({ projectApi }: Tenant, to: string, subject: string): Promise<string> =>
  accepted(await projectApi.post<{ id: string }>('email/send', { from: SANDBOX, to, subject, text: 'x' })).id

test('an address leads to itself, its suppression, its contacts and its last mail', async () => {
  const here = await tenant()
  const { projectApi, projectId } = here
  const email = at('pat')
  const audience = await newAudience(projectApi)
  await addContact(projectApi, audience, email)
  const sent = await mailTo(here, email, 'First')
  await projectApi.post('suppressions', { email })
  const hits = await search(projectApi, `  ${email.toUpperCase()} `)
  expect(named(hits)).toEqual([`address ${email}`, `suppression ${email}`, `contact ${email}`, 'email First'])
  expect(hits[0]).toMatchObject({ id: email, link: `/p/${projectId}/addresses/${encodeURIComponent(email)}` })
  expect(hits.at(-1)).toMatchObject({ id: sent, link: `/p/${projectId}/emails/${sent}` })
  expect(await search(projectApi, at('nobody'))).toEqual([])
})

test('a subject that the key may not see is not told by a search', async () => {
  const here = await tenant()
  const { api, projectId } = here
  const sent = await mailTo(here, at('quinn'), 'Secret')
  const fields = { name: 'blind', scopes: ['stats:read', 'email:send'], projectId, contentAccess: 'none' }
  const blind = api.with(created(await api.post<{ secret: string }>('api-keys', fields)).secret)
  for (const q of [sent, at('quinn')]) {
    const hits = (await search(blind, q)).filter(({ type }) => type === 'email')
    expect(hits, q).toMatchObject([{ id: sent, title: '' }])
  }
  const { body } = await blind.get<{ emails: { last: object[] } }>(`addresses/${at('quinn')}`)
  expect(body.emails.last).toMatchObject([{ id: sent, subject: '', contentHidden: true }])
})

test('a question that is too short or too long, and a project that is not there, are refused', async () => {
  const { projectApi, api } = await tenant()
  for (const q of ['', 'x', '   ', ' x ', 'x'.repeat(321)]) {
    const reply = await projectApi.get(`search?${new URLSearchParams({ q })}`)
    expect(reply, JSON.stringify(q)).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  }
  expect((await projectApi.get('search?q=xy&limit=21')).status).toBe(400)
  expect((await api.get('search?q=xy&projectId=prj_nonsense')).status).toBe(404)
})

test('a person with roles in two projects finds in each what the role there reads', async () => {
  const here = await tenant()
  const { api, projectId } = here
  const other = await here.newProject()
  const { personId, id } = await signIn(here, { role: 'viewer', project: projectId })
  const roles = [
    { projectId, role: 'viewer' },
    { projectId: other, role: 'author' },
  ]
  expect((await api.patch(`people/${id}`, { projects: roles })).status).toBe(200)
  const hook = { url: 'https://192.31.7.1/hook', description: 'Lanterns' }
  for (const project of [projectId, other]) await api.post('webhooks', hook, { 'x-service-project-id': project })
  const found = await search(await signInAgain(here, personId), 'lanterns')
  expect(found.map((hit) => hit.projectId)).toEqual([projectId])
})

test('an address shows everything that the project knows of it', async () => {
  const here = await tenant()
  const { projectApi } = here
  const email = at('robin')
  const [news, offers] = [await newAudience(projectApi, 'News'), await newAudience(projectApi, 'Offers')]
  const tag = await newTag(projectApi, 'regular')
  const automation = await newAutomation(projectApi, {
    name: 'Hello',
    trigger: { type: 'audience', audienceId: news },
    steps: [mailStep('Hi')],
  })
  await addContact(projectApi, news, email, {
    firstName: 'Robin',
    consent: { source: 'form', at: '2026-01-02T03:04:05Z' },
  })
  await addContact(projectApi, offers, email)
  await projectApi.patch(`audiences/${offers}/contacts/${email}`, { subscribed: false })
  await projectApi.post(`contact-tags/${tag}/contacts`, { email })
  const sent = await mailTo(here, email, 'Your invoice')
  await projectApi.post('suppressions', { email, note: 'asked by phone' })
  const { status, body } = await projectApi.get<Record<string, unknown>>(
    `addresses/${encodeURIComponent(email.toUpperCase())}`,
  )
  expect(status).toBe(200)
  expect(body).toMatchObject({
    email,
    contacts: [
      { audienceId: offers, audienceName: 'Offers', subscribed: false, consent: null },
      {
        audienceId: news,
        audienceName: 'News',
        firstName: 'Robin',
        subscribed: true,
        consent: { source: 'form', at: '2026-01-02T03:04:05.000Z' },
      },
    ],
    tags: [{ id: tag, name: 'regular' }],
    suppression: { email, reason: 'manual', note: 'asked by phone' },
    emails: {
      last: [{ id: sent, status: 'queued', subject: 'Your invoice', source: 'transactional', explanation: null }],
      counts: { queued: 1 },
    },
    received: [],
    runs: [{ automationId: automation.id, automationName: 'Hello', status: 'waiting' }],
    hidden: [],
  })
})

test('an address that nobody knows has empty parts, and what is no address is refused', async () => {
  const { projectApi } = await tenant()
  expect((await projectApi.get(`addresses/${at('stranger')}`)).body).toEqual({
    email: at('stranger'),
    contacts: [],
    tags: [],
    suppression: null,
    emails: { last: [], counts: {} },
    received: [],
    runs: [],
    hidden: [],
  })
  expect((await projectApi.get('addresses/nonsense')).status).toBe(400)
})
