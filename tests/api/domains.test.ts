import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import {
  createDomain,
  LINK_HOST,
  recordOf,
  SMTP_HOSTNAME,
  verifiedDomain,
  workspaceOf,
  worldWithDns,
  type ShownDomain,
} from '../support/domains.ts'
import { tenants } from '../support/world.ts'

const tenant = tenants()

test('a new domain is pending and lists the records to create', async () => {
  const { projectApi, projectId } = await worldWithDns()
  const domain = await createDomain(projectApi, 'mail.example.com', { tracking: { clicks: true } })
  const unasked = { askedAt: null, askedOf: null, ttlLeft: null }
  const unseen = {
    ...unasked,
    ttl: 3_600,
    priority: null,
    status: 'pending',
    observed: [],
    hint: expect.any(String),
  }
  expect(domain).toEqual({
    id: expect.stringMatching(/^dom_/),
    projectId,
    name: 'mail.example.com',
    status: 'pending',
    records: [
      {
        ...unseen,
        purpose: 'dkim',
        type: 'TXT',
        name: expect.stringMatching(/^ph[0-9a-f]{10}\._domainkey\.mail\.example\.com$/),
        host: expect.stringMatching(/^ph[0-9a-f]{10}\._domainkey\.mail$/),
        value: expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}={0,2}$/),
        required: true,
      },
      {
        ...unseen,
        purpose: 'return-path-mx',
        type: 'MX',
        name: 'bounce.mail.example.com',
        host: 'bounce.mail',
        value: SMTP_HOSTNAME,
        priority: 10,
        required: true,
      },
      {
        ...unseen,
        purpose: 'return-path-spf',
        type: 'TXT',
        name: 'bounce.mail.example.com',
        host: 'bounce.mail',
        value: `v=spf1 include:_spf.${SMTP_HOSTNAME} ~all`,
        required: true,
      },
      {
        ...unseen,
        purpose: 'dmarc',
        type: 'TXT',
        name: '_dmarc.mail.example.com',
        host: '_dmarc.mail',
        value: expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:dmarc\+[0-9a-f]{32}@mx\.posthouse\.test$/),
        required: false,
      },
    ],
    tracking: { opens: false, clicks: true, host: null },
    dns: { provider: null, nameServers: [] },
    dkim: [
      {
        selector: expect.stringMatching(/^ph[0-9a-f]{10}$/),
        algorithm: 'rsa',
        state: 'pending',
        createdAt: expect.stringMatching(/Z$/),
        keepUntil: null,
      },
    ],
    dmarc: null,
    createdAt: expect.any(String),
    verifiedAt: null,
    lastCheckedAt: null,
    nextCheckAt: expect.any(String),
  })
  expect((await projectApi.get(`domains/${domain.id}`)).body).toEqual(domain)
})

test('names are kept in lower case and ASCII, and can be asked for as they were written', async () => {
  const { projectApi } = await tenant()
  const { id, name } = await createDomain(projectApi, 'Grüße.Example.COM')
  expect(name).toBe('xn--gre-6ka8l.example.com')
  const found = await projectApi.get<{ data: ShownDomain[] }>(
    `domains?name=${encodeURIComponent('GRÜSSE.example.com')}`,
  )
  expect(found.body.data).toEqual([])
  const again = await projectApi.get<{ data: ShownDomain[] }>(`domains?name=${encodeURIComponent('GRÜßE.example.com')}`)
  expect(again.body.data.map((domain) => domain.id)).toEqual([id])
})

test('public suffixes, addresses and names without room for the records are refused', async () => {
  const { projectApi } = await tenant()
  const refusals: [name: string, why: RegExp][] = [
    ['co.uk', /public suffix/],
    ['github.io', /public suffix/],
    ['127.0.0.1', /not an IP address/],
    ['[::1]', /not an IP address/],
    ['localhost', /with a dot/],
    ['a b.com', /neither a letter/],
    ['', /lacks a domain name/],
    [`${'a.'.repeat(118)}com`, /so long/],
  ]
  for (const [name, why] of refusals) {
    const reply = await projectApi.post<{ details: unknown }>('domains', { name })
    expect(reply, name).toMatchObject({ status: 400, body: { code: 'validation_error' } })
    expect(reply.body.details).toEqual([{ path: '/name', message: expect.stringMatching(why) }])
  }
})

test('a project has a name once, however many ask for it at the same time; another project may have it too', async () => {
  const { projectApi, clientWith, newProject } = await tenant()
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => projectApi.post<{ id: string }>('domains', { name: 'example.com' })),
  )
  const [first, ...more] = replies.filter(({ status }) => status === 201)
  expect(more).toEqual([])
  const refused = { status: 409, body: { code: 'already_exists', existingId: first!.body.id } }
  for (const reply of replies.filter((each) => each !== first)) expect(reply).toMatchObject(refused)
  expect(await projectApi.post('domains', { name: 'EXAMPLE.com' })).toMatchObject(refused)
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await createDomain(other, 'example.com')
})

test('the list is paged and can be narrowed to a name or a status', async () => {
  const { projectApi, dns } = await worldWithDns()
  for (const name of ['a.example', 'b.example']) await createDomain(projectApi, name)
  await verifiedDomain(projectApi, dns, 'c.example')
  const names = async (query: string) => {
    const { body } = await projectApi.get<{ data: ShownDomain[]; nextCursor: string }>(`domains?${query}`)
    return [body.data.map(({ name }) => name), body.nextCursor] as const
  }
  const [first, cursor] = await names('limit=2')
  expect(first).toEqual(['c.example', 'b.example'])
  expect(await names(`limit=2&cursor=${cursor}`)).toEqual([['a.example'], null])
  expect(await names('status=verified')).toEqual([['c.example'], null])
  expect(await names('status=pending&name=B.example')).toEqual([['b.example'], null])
  expect(await names('name=not%20a%20name')).toEqual([[], null])
})

test('tracking is changed piece by piece, and a host of its own brings its record', async () => {
  const { projectApi } = await worldWithDns()
  const { id } = await createDomain(projectApi, 'example.com', { tracking: { opens: true } })
  const change = async (tracking: object) => (await projectApi.patch<ShownDomain>(`domains/${id}`, { tracking })).body
  expect((await change({ clicks: true })).tracking).toEqual({ opens: true, clicks: true, host: null })
  const hosted = await change({ host: 'Links.Example.com' })
  expect(hosted.tracking).toEqual({ opens: true, clicks: true, host: 'links.example.com' })
  expect(recordOf(hosted, 'tracking')).toMatchObject({
    type: 'CNAME',
    name: 'links.example.com',
    host: 'links',
    value: LINK_HOST,
    required: false,
    status: 'pending',
  })
  const bare = await change({ host: null, opens: false })
  expect(bare.tracking).toEqual({ opens: false, clicks: true, host: null })
  expect(recordOf(bare, 'tracking')).toBeUndefined()
})

test('links lead to names below the domain only', async () => {
  const { projectApi } = await tenant()
  const { id } = await createDomain(projectApi, 'example.com')
  const hosts = 'example.com links.example.org notexample.com bounce.example.com 127.0.0.1'.split(' ')
  for (const host of [...hosts, 'a b.example.com', '']) {
    const refused = { status: 400, body: { details: [{ path: '/tracking/host' }] } }
    expect(await projectApi.patch(`domains/${id}`, { tracking: { host } }), host).toMatchObject(refused)
    expect(await projectApi.post('domains', { name: 'example.com', tracking: { host } }), host).toMatchObject(refused)
  }
})

test('a removed domain is gone and frees its name, but mail accepted before is still signed', async () => {
  const here = await worldWithDns()
  const { projectApi, dns, services } = here
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  expect(await projectApi.delete(`domains/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
  for (const reply of [
    await projectApi.get(`domains/${id}`),
    await projectApi.delete(`domains/${id}`),
    await projectApi.patch(`domains/${id}`, { tracking: {} }),
    await projectApi.post(`domains/${id}/verify`),
    await projectApi.post(`domains/${id}/rotate-dkim`),
  ]) {
    expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  expect((await projectApi.get('domains')).body['data']).toEqual([])
  expect(await services.domains.owners(await workspaceOf(here), ['example.com'])).toEqual(new Map())
  expect(await services.domains.signingKeys(decodeId('dom', id)!)).toHaveLength(1)
  expect((await createDomain(projectApi, 'example.com')).id).not.toBe(id)
})

test("an archived project's domains can be read, and their mail is known to be its", async () => {
  const here = await worldWithDns()
  const { api, projectApi, projectId, dns, services } = here
  const { id, status } = await verifiedDomain(projectApi, dns, 'example.com')
  await api.delete(`projects/${projectId}`)
  const headers = { 'x-service-project-id': projectId }
  expect((await api.get(`domains/${id}`, { headers })).body).toMatchObject({ id, status })
  for (const [method, path, body] of [
    ['POST', 'domains', { name: 'example.org' }],
    ['PATCH', `domains/${id}`, { tracking: {} }],
    ['DELETE', `domains/${id}`],
    ['POST', `domains/${id}/verify`],
    ['POST', `domains/${id}/rotate-dkim`],
  ] as const) {
    const reply = await api.request(method, path, { headers, ...(body && { body }) })
    expect(reply, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'project_archived' } })
  }
  const owners = await services.domains.owners(await workspaceOf(here), ['example.com', 'example.org'])
  expect([...owners]).toEqual([['example.com', expect.objectContaining({ projectStatus: 'archived' })]])
})

test('every change is in the audit log', async () => {
  const { projectApi, dns, db } = await worldWithDns()
  const { id } = await verifiedDomain(projectApi, dns, 'example.com')
  await projectApi.patch(`domains/${id}`, { tracking: { opens: true } })
  await projectApi.post(`domains/${id}/rotate-dkim`)
  await projectApi.delete(`domains/${id}`)
  const entries = await db.all(sql<{ action: string; details: { name: string } }>`
    select action, details from audit_log where subject = ${id} order by id`)
  expect(entries.map(({ action }) => action)).toEqual([
    'domain.created',
    'domain.updated',
    'domain.dkim_rotated',
    'domain.removed',
  ])
  for (const { details } of entries) expect(details.name).toBe('example.com')
})
