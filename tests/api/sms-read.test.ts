import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { writtenConsent } from '../support/sms-live.ts'
import { smsWorld } from '../support/sms-world.ts'
import { created } from '../support/world.ts'

interface List {
  data: Record<string, unknown>[]
  hasMore: boolean
  nextCursor: string | null
}

const BODY = 'Der Aal ist im Keller.'
const SECRETS = [BODY, '2025550105', 'order-4711', 'By ticking this box', '192.0.2.7', 'acme.example']

test('47: a list shows neither text, number, metadata nor evidence; the detail does, and who looked is remembered', async () => {
  const { text, projectApi, smsBecomes, db, sms } = await smsWorld()
  const [{ programId }] = (await projectApi.get<{ data: { id: string }[] }>('sms/programs')).body.data.map(
    ({ id }) => ({
      programId: id,
    }),
  ) as [{ programId: string }]
  created(await projectApi.post('sms/consents', writtenConsent('+12025550105', programId)))
  const reply = await text('05', { body: BODY, metadata: { order: 'order-4711' } })
  const id = String(reply.body['id'])
  await smsBecomes(id, 'delivered')
  for (const path of [
    'sms/messages',
    'sms/consents',
    'sms/suppressions',
    'sms/usage?groupBy=day,country',
    'sms/wallet/ledger',
  ]) {
    const list = await projectApi.get(path)
    expect(list.status).toBe(200)
    for (const secret of SECRETS) expect(list.text, path).not.toContain(secret)
  }
  const audited = async (): Promise<number> =>
    (await db.one(sql<{ n: number }>`select count(*) as n from audit_log where action = 'sms.message_read'`)).n
  const before = await audited()
  expect(await sms(id)).toMatchObject({
    to: '+12025550105',
    from: '+12025550199',
    body: BODY,
    bodySent: BODY,
    metadata: { order: 'order-4711' },
    consentId: expect.stringMatching(/^smscn_/),
    consent: { type: 'express_written', grantedAt: expect.any(String) },
  })
  expect(await audited()).toBe(before + 1)
  expect((await projectApi.get(`sms/messages/${id}`)).text).not.toContain('By ticking')
})

test('nothing of it can be read in the database either', async () => {
  const { sendSms, db, projectApi } = await smsWorld({ workers: 0 })
  await sendSms('00', { body: BODY, metadata: { order: 'order-4711' } })
  await projectApi.post('sms/suppressions', { phone: '+14155552671' })
  const dump = await db.all(sql<{ row: string }>`
    select row::text from (select to_jsonb(m) as row from sms_messages m
      union all select to_jsonb(s) from sms_suppressions s union all select to_jsonb(e) from sms_events e
      union all select to_jsonb(a) from audit_log a) all_rows`)
  const text = dump.map(({ row }) => row).join('\n')
  for (const secret of [BODY, Buffer.from(BODY).toString('hex'), '2025550100', '4155552671', 'order-4711']) {
    expect(text).not.toContain(secret)
  }
})

test('48: of another project, or of nobody, is not found', async () => {
  const { sendSms, clientWith, newProject, invite } = await smsWorld({ workers: 0 })
  const id = await sendSms('00')
  const other = await newProject()
  await invite(other)
  const there = await clientWith({ scopes: ['*'], projectId: other })
  const [foreign, none] = [
    await there.get(`sms/messages/${id}`),
    await there.get('sms/messages/sms_00000000000000000000000000'),
  ]
  expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found', error: none.body['error'] } })
})

test('49: a page stays where it is while messages come in, and a bad cursor is refused', async () => {
  const { sendSms, projectApi } = await smsWorld({ workers: 0 })
  const ids = [await sendSms('00'), await sendSms('21'), await sendSms('22')].toReversed()
  const first = (await projectApi.get<List>('sms/messages?limit=2')).body
  expect(first.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  expect(first.hasMore).toBe(true)
  await sendSms('23')
  const second = (await projectApi.get<List>(`sms/messages?limit=2&cursor=${first.nextCursor}`)).body
  expect(second.data.map(({ id }) => id)).toEqual(ids.slice(2))
  expect(await projectApi.get('sms/messages?cursor=nonsense')).toMatchObject({ status: 400 })
})

test('a list can be narrowed by everything that it shows', async () => {
  const { text, projectApi, smsBecomes } = await smsWorld()
  const [a, b] = [await text('00'), await text('03', { category: 'authentication' })]
  await smsBecomes(String(a.body['id']), 'delivered')
  await smsBecomes(String(b.body['id']), 'failed')
  const found = async (query: string): Promise<unknown[]> =>
    (await projectApi.get<List>(`sms/messages?${query}`)).body.data.map(({ id }) => id)
  const [first, second] = [a.body['id'], b.body['id']]
  expect(await found('status=failed')).toEqual([second])
  expect(await found('category=transactional')).toEqual([first])
  expect(await found('recipient=%2B12025550103')).toEqual([second])
  expect(await found('recipient=garbage')).toEqual([])
  for (const [list, name] of [
    ['messages', 'recipient'],
    ['consents', 'phone'],
    ['suppressions', 'phone'],
  ]) {
    const unescaped = await projectApi.get(`sms/${list}?${name}=+12025550103`)
    expect(unescaped).toMatchObject({ status: 400, body: { details: [{ path: `/query/${name}` }] } })
  }
  expect(await found(`recipientRef=${a.body['recipientRef']}`)).toEqual([first])
  expect(await found('direction=inbound')).toEqual([])
  expect(await found(`senderId=${a.body['senderId']}`)).toEqual([second, first])
  expect(await found(`programId=${a.body['programId']}&status=delivered`)).toEqual([first])
  expect(await found('createdAfter=2040-01-01T00:00:00Z')).toEqual([])
  expect(await found(`createdBefore=${encodeURIComponent(String(b.body['createdAt']))}`)).toEqual([first])
  expect(await projectApi.get('sms/messages?senderId=smssn_x')).toMatchObject({ status: 404 })
})

test('numbers that are searched for are in no log', async () => {
  const { projectApi, logs } = await smsWorld({ workers: 0 })
  await projectApi.get('sms/messages?recipient=%2B14155552671')
  await projectApi.get('sms/consents?phone=%2B14155552671')
  expect(logs.join('')).not.toContain('4155552671')
})

test('texts are forgotten after their time; whom, when and how much stays', async () => {
  const { sendSms, smsBecomes, sms, advance, services } = await smsWorld()
  const id = await sendSms('00', { metadata: { a: 'b' } })
  await smsBecomes(id, 'delivered')
  await advance({ hours: 24 * 31 })
  await services.sms.housekeeping.purge()
  expect(await sms(id)).toMatchObject({
    to: '+12025550100',
    body: null,
    bodySent: null,
    metadata: null,
    bodyPurgedAt: expect.any(String),
    chargedMicros: 10_900,
  })
})

test('usage counts messages by state, and money as the ledger has it', async () => {
  const { sendSms, smsBecomes, projectApi } = await smsWorld()
  await smsBecomes(await sendSms('00'), 'delivered')
  await smsBecomes(await sendSms('01', { category: 'authentication' }), 'undelivered')
  await smsBecomes(await sendSms('03'), 'failed')
  await smsBecomes(await sendSms('11', { body: 'a'.repeat(161) }), 'undelivered')
  const { body } = await projectApi.get('sms/usage?groupBy=category,status')
  expect(body['totals']).toEqual({
    outbound: 4,
    inbound: 0,
    segments: 5,
    delivered: 1,
    undelivered: 2,
    failed: 1,
    expired: 0,
    unconfirmed: 0,
    pending: 0,
    chargedMicros: 3 * 10_900,
    refundedMicros: 0,
    deliveryRate: 1 / 3,
  })
  const buckets = body['buckets'] as { key: Record<string, string>; outbound: number; chargedMicros: number }[]
  expect(
    buckets.map(({ key, outbound, chargedMicros }) => [key['category'], key['status'], outbound, chargedMicros]),
  ).toEqual([
    ['authentication', 'undelivered', 1, 10_900],
    ['transactional', 'delivered', 1, 10_900],
    ['transactional', 'failed', 1, 0],
    ['transactional', 'undelivered', 1, 10_900],
  ])
  const day = (await projectApi.get('sms/usage?groupBy=day,country')).body['buckets'] as { key: object }[]
  expect(day).toHaveLength(1)
  expect(day[0]?.key).toEqual({ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), country: 'US' })
  for (const query of [
    'groupBy=day,day',
    'groupBy=hour',
    'from=2026-01-01T00:00:00Z&to=2028-01-01T00:00:00Z',
    'groupBy=a,b,c',
  ]) {
    expect((await projectApi.get(`sms/usage?${query}`)).status, query).toBe(400)
  }
})
