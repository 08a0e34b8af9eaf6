import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { webhookWorld, type Endpoint } from '../support/webhooks.ts'
import { created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const url = 'https://hooks.example.com/posthouse?shop=1'

const standard = [
  'email.delivered',
  'email.bounced',
  'email.filteredspam',
  'email.suppressed',
  'email.quarantined',
  'email.unsubscribed',
  'email.received',
]

test('an endpoint is created enabled, with the standard kinds and a secret of 32 bytes that is its own', async () => {
  const { projectApi, projectId } = await tenant()
  const { status, body } = await projectApi.post<Endpoint>('webhooks', { url })
  expect(status).toBe(201)
  expect(body).toEqual({
    id: expect.stringMatching(/^whk_[0-9a-hjkmnp-tv-z]{26}$/),
    projectId,
    url,
    enabled: true,
    events: standard,
    description: null,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    disabledReason: null,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
  })
  const { secret } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  expect(secret).not.toBe(body.secret)
})

test('an endpoint can be created disabled, with kinds of its choice and a description', async () => {
  const { projectApi } = await tenant()
  const fields = { url, enabled: false, events: ['email.failed', 'email.bounced'], description: 'The shop’s 🛒' }
  const endpoint = created(await projectApi.post<Endpoint>('webhooks', fields))
  expect(endpoint).toMatchObject({ ...fields, disabledReason: null })
  expect((await projectApi.get(`webhooks/${endpoint.id}`)).body).toMatchObject(fields)
})

test('after its creation nothing shows the secret, and a read is what the creation answered', async () => {
  const { projectApi } = await tenant()
  const { secret, ...shown } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  const replies = [
    await projectApi.get(`webhooks/${shown.id}`),
    await projectApi.patch(`webhooks/${shown.id}`, {}),
    await projectApi.get('webhooks'),
  ]
  expect(replies[0]?.body).toEqual({ ...shown, health: unused })
  expect(replies[1]?.body).toEqual(shown)
  expect(replies[2]?.body).toEqual({ data: [shown], hasMore: false, nextCursor: null })
  for (const { text } of replies) expect(text).not.toContain(secret.slice('whsec_'.length))
})

/** How an endpoint does that was never told anything. */
const unused = { lastDeliveredAt: null, failingSince: null, pending: 0, successRate24h: null, p95Ms: null }

const changes = [
  { url: 'https://other.example.com/' },
  { enabled: false },
  { events: ['email.clicked'] },
  { description: 'another' },
  { description: null },
]

test('a change of one field changes that and nothing else', async () => {
  const { projectApi } = await tenant()
  for (const change of changes) {
    const fields = { url, description: 'one', events: ['email.bounced'] }
    const { secret: _secret, ...before } = created(await projectApi.post<Endpoint>('webhooks', fields))
    const { status, body } = await projectApi.patch(`webhooks/${before.id}`, change)
    expect({ status, body }).toEqual({ status: 200, body: { ...before, ...change } })
    expect((await projectApi.get(`webhooks/${before.id}`)).body).toEqual({ ...body, health: unused })
  }
})

test('who disables an endpoint drops what waits for it; who enables it again clears the reason, not the dropping', async () => {
  const { projectApi, endpoint, deliveries, db } = await webhookWorld({ workers: 0 })
  const { id } = await endpoint(url)
  await projectApi.post(`webhooks/${id}/test`)
  await projectApi.patch(`webhooks/${id}`, { description: 'still enabled' })
  expect(await deliveries({ id })).toMatchObject([{ status: 'pending', attemptCount: 0 }])
  await projectApi.patch(`webhooks/${id}`, { enabled: false })
  const dropped = { status: 'dropped', attempts: [], nextAttemptAt: null, endedAt: expect.any(String) }
  expect(await deliveries({ id })).toMatchObject([dropped])

  await db.run(sql`update webhook_endpoints set disabled_reason = 'too many failures', failing_since = now()`)
  expect((await projectApi.get(`webhooks/${id}`)).body).toMatchObject({ disabledReason: 'too many failures' })
  expect((await projectApi.patch(`webhooks/${id}`, { description: 'x' })).body).toMatchObject({
    enabled: false,
    disabledReason: 'too many failures',
  })
  expect((await projectApi.patch(`webhooks/${id}`, { enabled: true })).body).toMatchObject({
    enabled: true,
    disabledReason: null,
  })
  expect(await deliveries({ id })).toMatchObject([dropped])
  expect(await db.one(sql`select failing_since from webhook_endpoints`)).toEqual({ failing_since: null })
})

test('a deleted endpoint is gone with its deliveries, and the others of the project stay', async () => {
  const { projectApi, endpoint, db } = await webhookWorld({ workers: 0 })
  const [gone, stays] = [await endpoint(url), await endpoint(url)]
  for (const { id } of [gone, stays]) await projectApi.post(`webhooks/${id}/test`)
  const [{ id: delivery } = { id: '' }] = (
    await projectApi.get<{ data: { id: string }[] }>(`webhooks/${gone.id}/deliveries`)
  ).body.data
  const { status, body } = await projectApi.delete(`webhooks/${gone.id}`)
  expect({ status, body }).toEqual({ status: 200, body: { id: gone.id, deleted: true } })

  const paths = ['', '/deliveries', `/deliveries/${delivery}`]
  const replies = [
    ...(await Promise.all(paths.map((path) => projectApi.get(`webhooks/${gone.id}${path}`)))),
    ...(await Promise.all(
      ['test', 'rotate-secret', 'deliveries/replay', `deliveries/${delivery}/replay`].map((path) =>
        projectApi.post(`webhooks/${gone.id}/${path}`),
      ),
    )),
    await projectApi.patch(`webhooks/${gone.id}`, { enabled: true }),
    await projectApi.delete(`webhooks/${gone.id}`),
  ]
  for (const reply of replies) expect(reply).toMatchObject({ status: 404, body: { code: 'not_found' } })
  const left = await db.all(sql<{ n: number }>`
    select count(*)::int as n from webhook_deliveries union all select count(*)::int from webhook_secrets`)
  expect(left).toEqual([{ n: 1 }, { n: 1 }])
  expect((await projectApi.get<{ data: Endpoint[] }>('webhooks')).body.data.map(({ id }) => id)).toEqual([stays.id])
})

test('the endpoints of a project are listed newest first, a page at a time, and no others', async () => {
  const { projectApi, clientWith, newProject } = await tenant()
  const elsewhere = await clientWith({ scopes: ['webhooks:write'], projectId: await newProject() })
  created(await elsewhere.post('webhooks', { url }))
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.unshift(created(await projectApi.post<Endpoint>('webhooks', { url })).id)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: { data: Endpoint[]; nextCursor: string | null } = (
      await projectApi.get<{ data: Endpoint[]; nextCursor: string | null }>(
        `webhooks?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`,
      )
    ).body
    seen.push(...page.data.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(seen).toEqual(ids)
})

const wrongFields: [path: string, fields: Record<string, unknown>][] = [
  ['/events', { events: [] }],
  ['/events', { events: ['email.bounced', 'email.bounced'] }],
  ['/events/1', { events: ['email.bounced', 'email.sent'] }],
  ['/events/0', { events: ['*'] }],
  ['/events', { events: 'email.bounced' }],
  ['/events', { events: {} }],
  ['/enabled', { enabled: 'yes' }],
  ['/description', { description: 'x'.repeat(501) }],
  ['/secret', { secret: 'whsec_mine' }],
  ['/disabledReason', { disabledReason: 'x' }],
  ['/url', { url: 7 }],
  ['/url', { url: '' }],
  ['/url', { url: `https://hooks.example.com/${'x'.repeat(2_048)}` }],
]

test('a wrong field is refused by name, at the creation and later', async () => {
  const { projectApi } = await tenant()
  const { id } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  const { health: _health, ...before } = (await projectApi.get(`webhooks/${id}`)).body
  for (const [path, fields] of wrongFields) {
    const creation = await projectApi.post('webhooks', { url, ...fields })
    const change = await projectApi.patch(`webhooks/${id}`, fields)
    for (const reply of [creation, change]) {
      const refusal = { status: 400, body: { code: 'validation_error', details: [{ path }] } }
      expect(reply, JSON.stringify(fields).slice(0, 100)).toMatchObject(refusal)
    }
  }
  expect((await projectApi.get<{ data: unknown[] }>('webhooks')).body.data).toEqual([before])
})

const elsewhereUrls: [why: RegExp, urls: string[]][] = [
  [/https/, ['http://hooks.example.com/', 'ftp://hooks.example.com/', 'file:///etc/passwd', 'gopher://x/', 'data:,x']],
  [/https/, ['javascript:alert(1)', 'ws://hooks.example.com', 'unix:/run/x.sock', 'blob:https://x.example/1']],
  [/not a URL/, ['hooks.example.com', '//hooks.example.com/', 'https://', 'https://[::1', 'https://x:99999/', '/x']],
  [/not a URL/, ['https://a b.example/'.replace(' ', '%20'), 'https://ex%ample.com/', 'https://1.2.3.4.5/']],
  [/credentials/, ['https://user@hooks.example.com/', 'https://u:p@hooks.example.com/', 'https://:p@x.example/']],
  [/white space/, [' https://x.example/', 'https://x.example/ ', 'https://x.example/a b', 'https://x.ex\tample/']],
  [
    /white space/,
    ['https://x.example/\r\nx: y', 'https://x.example/\u00A0', 'https://x.example/\u2028', 'https://x\u0085'],
  ],
  [/public internet/, ['https://127.0.0.1/', 'https://10.1.2.3/', 'https://[::1]/', 'https://169.254.169.254/latest']],
  [
    /public internet/,
    ['https://2130706433/', 'https://0x7f.1/', 'https://localhost/', 'https://[::ffff:10.0.0.1]:444/'],
  ],
  [/public internet/, ['https://only.inside.test/', 'https://half.inside.test/', 'https://six.inside.test/']],
  [/public internet/, ['https://alias.inside.test/', 'https://ONLY.inside.test./', 'https://sub.localhost./']],
]

test('what is no public https URL is refused with the path /url, at the creation and later', async () => {
  const dns = await startDnsServer({
    'only.inside.test': { A: ['10.0.0.5'] },
    'half.inside.test': { A: ['192.31.7.1', '10.0.0.5'] },
    'six.inside.test': { A: ['192.31.7.1'], AAAA: ['fd00::5'] },
    'alias.inside.test': { CNAME: 'only.inside.test' },
    'broken.test': { fault: 'servfail' },
    'outside.test': { A: ['192.31.7.1'], AAAA: ['2a00:1450:4001::1'] },
  })
  onTestFinished(() => dns.stop())
  const { projectApi } = await world({ env: { DNS_SERVERS: dns.address } })
  const { id } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  for (const [why, urls] of elsewhereUrls) {
    for (const wrong of urls) {
      for (const reply of [
        await projectApi.post('webhooks', { url: wrong }),
        await projectApi.patch(`webhooks/${id}`, { url: wrong }),
      ]) {
        const details = [{ path: '/url', message: expect.stringMatching(why) }]
        expect(reply, wrong).toMatchObject({ status: 400, body: { code: 'validation_error', details } })
        // Where our own network is, is nobody's business.
        expect(reply.text).not.toMatch(/10\.0\.0\.5|fd00::5/)
      }
    }
  }
  const fine = ['https://outside.test:8443/a?b=c#d', 'https://broken.test/', 'https://nobody.test/', 'https://1.1.1.1/']
  for (const right of fine) {
    expect(await projectApi.patch(`webhooks/${id}`, { url: right }), right).toMatchObject({
      status: 200,
      body: { url: right },
    })
  }
})

test('plain http is for those who allow it, and opens nothing else', async () => {
  const { projectApi } = await world({ env: { WEBHOOK_ALLOW_HTTP: 'true' } })
  expect((await projectApi.post('webhooks', { url: 'http://hooks.example.com/' })).status).toBe(201)
  for (const wrong of ['ftp://hooks.example.com/', 'http://127.0.0.1/', 'http://u:p@hooks.example.com/']) {
    expect((await projectApi.post('webhooks', { url: wrong })).status, wrong).toBe(400)
  }
})

test('the secret can be rotated: another one comes, once, and the endpoint is as it was', async () => {
  const { projectApi, db } = await world()
  const { secret, ...before } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  const { status, body } = await projectApi.post<Endpoint>(`webhooks/${before.id}/rotate-secret`)
  expect(status).toBe(200)
  expect(body).toEqual({ ...before, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) })
  expect(body.secret).not.toBe(secret)
  // However many rotate at once, one secret is the newest.
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => projectApi.post(`webhooks/${before.id}/rotate-secret`)),
  )
  expect(replies.map((reply) => reply.status)).toEqual(Array(12).fill(200))
  const [newest] = await db.all(sql<{ n: number }>`
    select count(*)::int as n from webhook_secrets where valid_until is null`)
  expect(newest).toEqual({ n: 1 })
})

test('the endpoints of an archived project can be looked at and not changed', async () => {
  const { api, projectApi, projectId } = await world()
  const { id } = created(await projectApi.post<Endpoint>('webhooks', { url }))
  await api.delete(`projects/${projectId}`)
  const headers = { 'x-service-project-id': projectId }
  expect((await api.get(`webhooks/${id}`, { headers })).status).toBe(200)
  const writes: [method: string, path: string, body?: unknown][] = [
    ['POST', 'webhooks', { url }],
    ['PATCH', `webhooks/${id}`, { enabled: false }],
    ['DELETE', `webhooks/${id}`],
    ['POST', `webhooks/${id}/rotate-secret`],
    ['POST', `webhooks/${id}/test`],
    ['POST', `webhooks/${id}/deliveries/replay`],
  ]
  for (const [method, path, body] of writes) {
    const reply = await api.request(method, path, { headers, ...(body ? { body } : {}) })
    expect(reply, `${method} ${path}`).toMatchObject({ status: 403, body: { code: 'project_archived' } })
  }
})

test('every change of an endpoint is in the audit log, and no secret', async () => {
  const { projectApi, db } = await world()
  const { id, secret } = created(await projectApi.post<Endpoint>('webhooks', { url, events: ['email.bounced'] }))
  await projectApi.patch(`webhooks/${id}`, { enabled: true, description: null })
  const { body: rotated } = await projectApi.post<Endpoint>(`webhooks/${id}/rotate-secret`)
  await projectApi.post(`webhooks/${id}/deliveries/replay`, { status: 'any' })
  await projectApi.delete(`webhooks/${id}`)
  const entries = await db.all(sql<{ action: string; details: unknown; actor: string }>`
    select action, details, actor from audit_log where subject = ${id} order by id`)
  expect(entries).toEqual([
    { action: 'webhook.created', actor: 'key', details: { url, events: ['email.bounced'] } },
    { action: 'webhook.updated', actor: 'key', details: { enabled: true, description: null } },
    { action: 'webhook.secret_rotated', actor: 'key', details: {} },
    { action: 'webhook.replayed', actor: 'key', details: { status: 'any' } },
    { action: 'webhook.deleted', actor: 'key', details: { url } },
  ])
  for (const one of [secret, rotated.secret]) expect(JSON.stringify(entries)).not.toContain(one.slice(6))
})
