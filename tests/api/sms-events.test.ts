import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { smsWorld } from '../support/sms-world.ts'

type Told = Record<string, unknown> & { type: string; messageId: string; sms: Record<string, unknown> }

const heardBy = ({ heard }: Receiver): Told[] => heard.map(({ body }) => body as unknown as Told)

const everything = [
  'sms.sent',
  'sms.delivered',
  'sms.undelivered',
  'sms.failed',
  'sms.unconfirmed',
  'sms.received',
  'sms.optedout',
  'sms.optedin',
  'sms.walletlow',
]

const BODY = 'Der Aal ist im Keller.'

test('87: events of SMS are only for whoever takes part, and only for whoever asks for them', async () => {
  const { projectApi, newProject, clientWith } = await smsWorld({ workers: 0 })
  const other = await clientWith({ scopes: ['*'], projectId: await newProject() })
  const hook = { url: 'https://192.31.7.1/hook' }
  const refused = { status: 403, body: { code: 'sms_not_invited' } }
  expect(await other.post('webhooks', { ...hook, events: ['email.delivered', 'sms.sent'] })).toMatchObject(refused)
  const plain = await other.post('webhooks', hook)
  expect(plain.status).toBe(201)
  expect(await other.patch(`webhooks/${plain.body['id']}`, { events: ['sms.sent'] })).toMatchObject(refused)
  expect(await other.post(`webhooks/${plain.body['id']}/test`, { type: 'sms.sent' })).toMatchObject(refused)
  const usual = await projectApi.post('webhooks', hook)
  expect((usual.body['events'] as string[]).filter((kind) => kind.startsWith('sms.'))).toEqual([])
  expect((await projectApi.post('webhooks', { ...hook, events: everything })).status).toBe(201)
})

test('87: what is told has exactly the fields that it may have', async () => {
  const { endpoint, sendSms, smsBecomes, projectId } = await smsWorld()
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: everything })
  const id = await sendSms('01', { body: BODY, metadata: { order: '4711' } })
  await smsBecomes(id, 'undelivered')
  await eventually('both were told', () => receiver.heard.length === 2)
  const [sent, undelivered] = heardBy(receiver)
  expect(undelivered).toEqual({
    type: 'sms.undelivered',
    messageId: id,
    recipient: '+12025550101',
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    detail: 'unknown_subscriber',
    accountId: expect.stringMatching(/^acc_/),
    sms: {
      projectId,
      mode: 'test',
      direction: 'outbound',
      status: 'undelivered',
      category: 'transactional',
      programId: expect.stringMatching(/^smspg_/),
      senderId: expect.stringMatching(/^smssn_/),
      segments: 1,
      encoding: 'GSM-7',
      errorCode: 'unknown_subscriber',
      providerErrorCode: '30005',
      sequence: 2,
    },
  })
  expect(sent).toMatchObject({ type: 'sms.sent', sms: { status: 'sent', errorCode: null, sequence: 1 } })
  expect(receiver.heard[1]!.headers['x-service-event']).toBe('sms.undelivered')
})

test('87: each kind is told once of a message, whatever carriers repeat; what is said of people names them and no text', async () => {
  const { endpoint, sendSms, services } = await smsWorld({ env: { SMS_SIM_TIME_SCALE: '0.05' } })
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: everything })
  const id = await sendSms('13', { body: BODY })
  await sendSms('10', { body: BODY })
  await sendSms('03')
  await eventually('all was told', () => {
    const kinds = new Set(heardBy(receiver).map(({ type }) => type))
    return ['sms.optedout', 'sms.optedin', 'sms.failed'].every((kind) => kinds.has(kind))
  })
  for (let i = 0; i < 3; i++) {
    await services.sms.reports.receipt('simulator', { providerId: `sim-${i}`, state: 'delivered' })
  }
  await eventually('the rest was told', () => heardBy(receiver).filter((told) => told.messageId === id).length >= 2)
  const told = heardBy(receiver)
  const pairs = told.map(({ type, messageId }) => `${type} ${messageId}`)
  expect(new Set(pairs).size).toBe(pairs.length)
  const of = (kind: string): Told => told.find(({ type }) => type === kind)!
  expect(of('sms.optedout')).toMatchObject({
    messageId: expect.stringMatching(/^smssp_/),
    recipient: '+12025550110',
    sms: { origin: 'keyword' },
  })
  expect(of('sms.optedin').messageId).toMatch(/^sms(sp|cn)_/)
  expect(of('sms.received')).toMatchObject({
    recipient: '+12025550199',
    sms: { direction: 'inbound', keyword: expect.any(String) },
  })
  expect(of('sms.failed')).toMatchObject({ detail: 'carrier_rejected' })
  for (const { raw } of receiver.heard) {
    expect(raw.toString()).not.toContain(BODY)
    expect(raw.toString()).not.toContain('Der Aal')
  }
})

test('87: after the invitation is withdrawn nothing is told any more, not even what was waiting', async () => {
  const { endpoint, sendSms, db, services, workspace, project, startWorker } = await smsWorld({ workers: 0 })
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: everything })
  await sendSms('00')
  await db.run(sql`
    insert into webhook_deliveries (id, project_id, endpoint_id, event_id, kind, message_id, body, destination, lane, state)
    select gen_random_uuid(), project_id, id, gen_random_uuid(), 'sms.sent', gen_random_uuid(), '{}', id::text, 0, 'ready'
      from webhook_endpoints`)
  await services.sms.operator.uninvite(workspace, project)
  await startWorker()
  await eventually('the message waits', async () => {
    const [row] = await db.all(sql<{ reason: string }>`select defer_reason as reason from sms_messages`)
    return row?.reason === 'not_invited'
  })
  expect(await db.all(sql`select kind, state from webhook_log`)).toEqual([{ kind: 'sms.sent', state: 'dropped' }])
  expect(receiver.heard).toEqual([])
})

test('a low wallet is told of once, and again only after it was filled', async () => {
  const { endpoint, sendSms, services, workspace, project, balance } = await smsWorld()
  const receiver = await startReceiver()
  await endpoint(receiver.url, { events: ['sms.walletlow'] })
  const of = { workspace, project, mode: 'test' } as const
  const down = async (reference: string): Promise<void> => {
    const rest = BigInt((await balance()).availableMicros) - 1_005_000n
    await services.sms.operator.adjust(of, -rest, reference, 'a test')
    await sendSms('00')
    await sendSms('00')
  }
  await down('first')
  await services.sms.operator.topUp(of, 5_000_000n, 'filled')
  await down('second')
  await eventually('twice', () => receiver.heard.length === 2)
  expect(heardBy(receiver)[0]).toMatchObject({ recipient: '', messageId: expect.stringMatching(/^sml_/) })
})

test('a test event of SMS looks like one', async () => {
  const { endpoint, projectApi } = await smsWorld()
  const receiver = await startReceiver()
  const hook = await endpoint(receiver.url, { events: ['sms.delivered'] })
  expect((await projectApi.post(`webhooks/${hook.id}/test`, {})).status).toBe(202)
  await eventually('it was told', () => receiver.heard.length === 1)
  expect(heardBy(receiver)[0]).toMatchObject({ type: 'sms.delivered', messageId: expect.stringMatching(/^sms_/) })
})
