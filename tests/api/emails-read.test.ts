import { expect, test } from 'vitest'
import {
  at,
  hoursFromNow,
  mail,
  problemsOf,
  read,
  send,
  type Accepted,
  type Batch,
  type ShownEmail,
} from '../support/emails.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from '../support/client.ts'
import { moveClock } from '../support/clock.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { accepted, created, tenants, world } from '../support/world.ts'

const tenant = tenants()

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

interface Page {
  data: (Accepted & { tags: object; batchId: string | null })[]
  hasMore: boolean
  nextCursor: string | null
}

const list = async (client: Client, query = ''): Promise<Page> => (await client.get<Page>(`emails${query}`)).body

const subjects = async (client: Client, query = ''): Promise<string[]> =>
  (await list(client, query)).data.map(({ subject }) => subject)

test('an email is shown whole', async () => {
  const { projectApi, projectId } = await tenant()
  const sent = await send(projectApi)
  expect(await read(projectApi, sent)).toEqual({
    ...sent,
    contentHidden: false,
    cc: [],
    bcc: [],
    replyTo: [],
    html: '<p>Hello there.</p>',
    text: expect.stringContaining('Hello there.'),
    templateId: null,
    templateVersion: null,
    variables: {},
    headers: {},
    tags: {},
    metadata: {},
    tracking: { opens: false, clicks: false },
    inReplyTo: null,
    counts: { queued: 1 },
    sentAt: null,
    messageIdHeader: `<${sent.id}@sandbox.posthouse.test>`,
    recipients: [
      {
        email: at('ann'),
        kind: 'to',
        status: 'queued',
        attempts: 0,
        nextAttemptAt: null,
        updatedAt: time,
        destination: 'simulator',
        explanation: null,
      },
    ],
    events: [],
    attachments: [],
    batchId: null,
    broadcastId: null,
    automationRunId: null,
    resentFrom: null,
    sentBy: { type: 'key', id: expect.stringMatching(/^key_/), name: expect.any(String) },
    contentPurgedAt: null,
    projectId,
  })
})

test('suppressed recipients are shown with the event that says so, beside those that are mailed', async () => {
  const { projectApi } = await tenant()
  created(await projectApi.post('suppressions', { email: at('gone') }))
  const email = await read(projectApi, await send(projectApi, { to: [`Gone <${at('GONE')}>`, at('ann')] }))
  expect(email).toMatchObject({
    status: 'queued',
    counts: { queued: 1, suppressed: 1 },
    recipients: [
      { email: at('GONE'), status: 'suppressed', attempts: 0 },
      { email: at('ann'), status: 'queued' },
    ],
    events: [
      {
        id: expect.stringMatching(/^evt_/),
        type: 'email.suppressed',
        recipient: at('GONE'),
        timestamp: time,
        detail: expect.stringContaining('suppression list'),
        smtp: null,
      },
    ],
  })
})

test('an id that is none, or of another project, is not found', async () => {
  const { api, projectApi, clientWith, newProject } = await world()
  const elsewhere = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const { id } = await send(projectApi)
  const missing = { status: 404, body: { code: 'not_found', error: 'There is no such email.' } }
  for (const path of [id, `${id}/cancel`, `${id}/reschedule`]) {
    const isRead = path === id
    const body = path.endsWith('reschedule') ? { sendAt: hoursFromNow(1) } : undefined
    const ask = (client: Client, of: string) =>
      isRead ? client.get(`emails/${of}`) : client.post(`emails/${of}`, body)
    expect(await ask(elsewhere, path)).toMatchObject(missing)
    expect(await ask(api, path.replace(id, 'em_00000000000000000000000000'))).toMatchObject(missing)
    expect(await ask(api, path.replace(id, id.replace('em_', 'bat_')))).toMatchObject(missing)
  }
})

test('a workspace key needs no header to read: the whole workspace is looked at, or one project if named', async () => {
  const { api, projectApi, projectId, clientWith, newProject } = await world()
  const otherId = await newProject()
  const other = await clientWith({ scopes: ['*'], projectId: otherId })
  const first = await send(projectApi, { subject: 'first' })
  const second = await send(other, { subject: 'second' })
  expect(await read(api, first)).toMatchObject({ id: first.id, projectId })
  expect(await read(api, second)).toMatchObject({ id: second.id, projectId: otherId })
  expect(await subjects(api)).toEqual(['second', 'first'])
  expect(await subjects(other)).toEqual(['second'])
  const headers = { 'x-service-project-id': projectId }
  expect((await api.get<Page>('emails', { headers })).body.data.map(({ subject }) => subject)).toEqual(['first'])
  expect(await api.get(`emails/${second.id}`, { headers })).toMatchObject({ status: 404 })
})

test('the list is newest first, a page at a time, and stays put while more is sent', async () => {
  const { projectApi } = await tenant()
  const numbered = (from: number, n: number) =>
    Array.from({ length: n }, (_, i) => mail({ subject: String(from + i), tags: { n: String(from + i) } }))
  const batch = accepted(await projectApi.post<Batch>('email/batch', numbered(0, 7)))
  const seen: string[] = []
  let cursor = ''
  for (let page = 0; ; page++) {
    const { data, hasMore, nextCursor } = await list(projectApi, `?limit=3${cursor}`)
    seen.push(...data.map(({ subject }) => subject))
    if (page === 0) expect(data[0]).toMatchObject({ batchId: batch.id, tags: { n: '6' }, status: 'queued' })
    await projectApi.post('email/batch', numbered(100 + page, 1))
    expect(hasMore).toBe(nextCursor !== null)
    if (nextCursor === null) break
    cursor = `&cursor=${nextCursor}`
  }
  expect(seen).toEqual(['6', '5', '4', '3', '2', '1', '0'])
})

test('mail that a node of an older version accepts is found by its tags', async () => {
  const { projectApi, db } = await tenant()
  await send(projectApi, { subject: 'a', tags: { kind: 'welcome', lang: 'de' } })
  // As that version writes it: it knows nothing of keys, and of no other table for tags.
  await db.transaction(async (tx) => {
    await tx.run(sql`create temporary table older on commit drop as select * from emails`)
    await tx.run(sql`delete from emails`)
    await tx.run(sql`delete from email_tags`)
    await tx.run(sql`
      insert into emails (id, project_id, content_id, domain_id, batch_id, sender, addresses, tags, options, created_at)
      select id, project_id, content_id, domain_id, batch_id, sender, addresses, tags, options, created_at from older`)
  })
  expect(await subjects(projectApi, '?tag=lang:de')).toEqual(['a'])
})

test('the list can be narrowed by status, by who was mailed, by sender and by tag', async () => {
  const { projectApi, dns } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'shop.example')
  created(await projectApi.post('suppressions', { email: at('gone') }))
  await send(projectApi, { subject: 'a', to: at('Ann'), tags: { kind: 'welcome', lang: 'de' } })
  await send(projectApi, { subject: 'b', to: at('bob'), bcc: at('ann'), tags: { kind: 'receipt' } })
  await send(projectApi, { subject: 'c', from: 'Shop <News@shop.example>', cc: at('carl'), tags: { kind: 'welcome' } })
  const later = await send(projectApi, { subject: 'd', to: at('dora'), sendAt: hoursFromNow(1), tags: { kind: '' } })
  const cancelled = await send(projectApi, { subject: 'e', to: [at('gone'), at('eva')], sendAt: hoursFromNow(1) })
  await projectApi.post(`emails/${cancelled.id}/cancel`)
  expect(await subjects(projectApi, '?status=queued')).toEqual(['c', 'b', 'a'])
  expect(await subjects(projectApi, '?status=scheduled')).toEqual(['d'])
  expect(await subjects(projectApi, '?status=cancelled')).toEqual(['e'])
  expect(await subjects(projectApi, '?status=delivered')).toEqual([])
  expect(await subjects(projectApi, `?to=${at('ANN')}`)).toEqual(['c', 'b', 'a'])
  expect(await subjects(projectApi, `?to=${at('carl')}`)).toEqual(['c'])
  expect(await subjects(projectApi, `?to=${at('gone')}`)).toEqual(['e'])
  expect(await subjects(projectApi, `?from=news@SHOP.example`)).toEqual(['c'])
  expect(await subjects(projectApi, '?tag=kind:welcome')).toEqual(['c', 'a'])
  expect(await subjects(projectApi, '?tag=kind:')).toEqual(['d'])
  expect(await subjects(projectApi, '?tag=kind:welcome&status=queued&to=carl@simulator.posthouse.test')).toEqual(['c'])
  expect((await read(projectApi, later)).status).toBe('scheduled')
})

test('the list can be narrowed to a batch, of which everybody sees their own part', async () => {
  const { api, projectApi, projectId, dns, clientWith, newProject } = await worldWithDns()
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  await verifiedDomain(projectApi, dns, 'here.example')
  await verifiedDomain(other, dns, 'there.example')
  const from = (domain: string, subject: string) => mail({ from: `a@${domain}`, subject, to: at(subject) })
  await send(projectApi)
  const { id } = accepted(
    await api.post<Batch>('email/batch', [
      from('here.example', 'a'),
      from('there.example', 'b'),
      from('nowhere.example', 'c'),
      from('here.example', 'd'),
    ]),
  )
  await send(projectApi)
  expect(await subjects(api, `?batchId=${id}`)).toEqual(['d', 'b', 'a'])
  expect(await subjects(projectApi, `?batchId=${id}`)).toEqual(['d', 'a'])
  expect(await subjects(other, `?batchId=${id}`)).toEqual(['b'])
  expect(await subjects(api, `?batchId=${id}&to=${at('a')}&status=queued`)).toEqual(['a'])
  const { nextCursor } = await list(api, `?batchId=${id}&limit=2`)
  expect(await subjects(api, `?batchId=${id}&limit=2&cursor=${nextCursor}`)).toEqual(['a'])
  expect((await list(projectApi, `?batchId=${id}`)).data.map((one) => [one.projectId, one.batchId])).toEqual([
    [projectId, id],
    [projectId, id],
  ])
  const stranger = await clientWith({ scopes: ['*'], projectId: await newProject() })
  for (const batchId of [id, 'bat_00000000000000000000000000', 'nonsense']) {
    expect(await stranger.get(`emails?batchId=${batchId}`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', error: 'There is no such batch.' },
    })
  }
})

test('the list can be narrowed to a time, exclusive on both ends', async () => {
  const { projectApi, db } = await world()
  const moments: string[] = []
  for (const subject of ['a', 'b', 'c']) {
    await moveClock(db, 60 * moments.length)
    moments.push((await send(projectApi, { subject })).createdAt)
  }
  const [a = '', b = '', c = ''] = moments
  expect(await subjects(projectApi, `?createdAfter=${a}`)).toEqual(['c', 'b'])
  expect(await subjects(projectApi, `?createdBefore=${c}`)).toEqual(['b', 'a'])
  expect(await subjects(projectApi, `?createdAfter=${a}&createdBefore=${c}`)).toEqual(['b'])
  const inIndia = new Date(Date.parse(b) + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30')
  expect(await subjects(projectApi, `?createdAfter=${encodeURIComponent(inIndia)}`)).toEqual(['c'])
})

test('filters that are out of shape are refused', async () => {
  const { projectApi } = await tenant()
  const wrong = ['status=sent', 'to=nobody', 'from=', 'tag=kind', 'createdAfter=2030-01-01', 'createdBefore=now']
  for (const query of [
    ...wrong,
    'limit=0',
    'limit=101',
    'cursor=x',
    'subject=x',
    'createdAfter=2030-02-31T00:00:00Z',
  ]) {
    const reply = await projectApi.get(`emails?${query}`)
    expect(problemsOf(reply), query).toEqual([`/query/${query.split('=')[0]}`])
  }
})

test('the sender filter finds an address however its letters were composed', async () => {
  const { projectApi, dns } = await worldWithDns()
  await verifiedDomain(projectApi, dns, 'shop.example')
  await send(projectApi, { from: 'Ju\u0308rgen@shop.example' })
  for (const local of ['Ju\u0308rgen', 'J\u00fcrgen', 'J\u00dcRGEN']) {
    expect(await subjects(projectApi, `?from=${encodeURIComponent(`${local}@shop.example`)}`), local).toHaveLength(1)
  }
})

test('the subject of a long read is what was sent, byte for byte', async () => {
  const { projectApi } = await tenant()
  const exact: Partial<ShownEmail> = { subject: ' \u{1f4ee} ä\u0308 ', html: '\r\n<p>\t</p>\n', text: 'a\r\n\r\n b ' }
  expect(await read(projectApi, await send(projectApi, exact))).toMatchObject(exact)
})
