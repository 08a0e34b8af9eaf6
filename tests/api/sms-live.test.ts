import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { eventually } from '../support/eventually.ts'
import { LIVE_SEGMENT, liveWorld, OURS, smppConnection, THEIRS, writtenConsent } from '../support/sms-live.ts'
import { smsWorld } from '../support/sms-world.ts'
import { created } from '../support/world.ts'
import { startSmsc } from '../sms/smsc.ts'

test('a live message goes to the carrier, is charged from the live wallet, and its report counts', async () => {
  const smsc = await startSmsc()
  const { live, consent, smsBecomes, balance, services, expectBooksInOrder } = await liveWorld(
    smppConnection(smsc.port),
  )
  await consent(THEIRS)
  const reply = await live(THEIRS)
  expect(reply.body).toMatchObject({ mode: 'live', priceMicros: LIVE_SEGMENT, toMasked: '+1********34' })
  const { parts } = await smsBecomes(String(reply.body['id']), 'sent')
  expect(smsc.all('submit_sm')).toHaveLength(1)
  expect(smsc.all('submit_sm')[0]).toMatchObject({ source_addr: OURS.slice(1), destination_addr: THEIRS.slice(1) })
  expect(await balance('live')).toMatchObject({
    availableMicros: 25_000_000 - LIVE_SEGMENT,
    reservedMicros: 0,
    mode: 'live',
  })
  await services.sms.reports.receipt('main', { providerId: parts[0]!.providerMessageId!, state: 'delivered' })
  await smsBecomes(String(reply.body['id']), 'delivered')
  await expectBooksInOrder()
})

test('88: with live delivery off no real number is reached, and no socket opened', async () => {
  const smsc = await startSmsc()
  const { live, services, workspace, project, text, consent } = await liveWorld(smppConnection(smsc.port), {
    env: { SMS_LIVE_ENABLED: 'false' },
  })
  await consent(THEIRS)
  const off = { status: 403, body: { code: 'sms_live_delivery_disabled' } }
  expect(await live(THEIRS)).toMatchObject(off)
  await services.sms.operator.setLive(workspace, project, false, undefined)
  expect(await live(THEIRS)).toMatchObject(off)
  expect(await text(THEIRS, { senderId: null, programId: null })).toMatchObject({ status: 400 })
  expect(smsc.connections()).toBe(0)
})

test('88: simulator and reality do not meet', async () => {
  const smsc = await startSmsc()
  const { live, projectApi, programId } = await liveWorld(smppConnection(smsc.port))
  const mismatch = { status: 422, body: { code: 'sms_simulator_mismatch' } }
  const { data } = (await projectApi.get<{ data: { id: string; type: string }[] }>('sms/senders')).body
  const simulator = data.find(({ type }) => type === 'simulator')!.id
  expect(await live(THEIRS, { senderId: simulator, programId })).toMatchObject(mismatch)
  expect(await live('+12025550100')).toMatchObject(mismatch)
})

test('turning live off while messages wait lets nothing out; they expire', async () => {
  const smsc = await startSmsc()
  smsc.on('submit_sm', (pdu, line) => line.say('submit_sm_resp', { command_status: 0x58 }, pdu))
  const { live, consent, services, workspace, project, advance, smsBecomes, balance } = await liveWorld(
    smppConnection(smsc.port),
  )
  await consent(THEIRS)
  const id = String((await live(THEIRS, { validitySeconds: 600 })).body['id'])
  await eventually('it was throttled', () => smsc.all('submit_sm').length > 0)
  await services.sms.operator.setLive(workspace, project, false, undefined)
  await smsBecomes(id, 'deferred')
  const before = smsc.all('submit_sm').length
  await advance({ minutes: 11 })
  const detail = await smsBecomes(id, 'expired')
  expect(detail.ledger.map(({ type }) => type)).toEqual(['reservation', 'release'])
  expect(smsc.all('submit_sm').length).toBe(before)
  expect((await balance('live')).reservedMicros).toBe(0)
})

test('89: other countries that share a calling code are other countries', async () => {
  const smsc = await startSmsc()
  const { live, services, workspace, project, consent } = await liveWorld(smppConnection(smsc.port))
  const refused = { status: 403, body: { code: 'sms_destination_not_allowed' } }
  for (const to of ['+18765551234', '+12425551234', '+447400123456']) expect(await live(to), to).toMatchObject(refused)
  await services.sms.operator.setLive(workspace, project, true, ['US', 'GB'])
  await consent('+447400123456')
  expect((await live('+447400123456')).status).toBe(202)
  expect(await live('+18765551234')).toMatchObject(refused)
  expect(await live('+442079460958')).toMatchObject({ status: 422, body: { code: 'sms_recipient_not_mobile' } })
})

test('90: whoever texts a whole range of numbers is stopped', async () => {
  const smsc = await startSmsc()
  const { live, consent } = await liveWorld(smppConnection(smsc.port))
  const statuses: number[] = []
  for (let i = 0; i < 30; i++) {
    const to = `+121255577${String(i).padStart(2, '0')}`
    await consent(to)
    statuses.push((await live(to)).status)
  }
  expect(statuses.filter((status) => status === 202)).toHaveLength(20)
  expect(statuses.slice(20).every((status) => status === 429)).toBe(true)
})

test('a sender or program that is not ready says so, and why', async () => {
  const smsc = await startSmsc()
  const { live, projectApi, programId, senderId, services, workspace } = await liveWorld(smppConnection(smsc.port))
  const draft = created(
    await projectApi.post<{ id: string }>('sms/senders', {
      type: 'long_code',
      address: '+14155550112',
      country: 'US',
      programId,
    }),
  ).id
  expect(await live(THEIRS, { senderId: draft })).toMatchObject({
    status: 422,
    body: { code: 'sms_sender_not_ready', state: 'draft' },
  })
  const program = created(await projectApi.post<{ id: string }>('sms/programs', { name: 'Other' })).id
  expect(await live(THEIRS, { programId: program })).toMatchObject({
    status: 422,
    body: { code: 'sms_sender_not_ready' },
  })
  expect(await live(THEIRS, { senderId: null })).toMatchObject({ status: 400 })
  await services.sms.operator.decide(workspace, 'suspend', 'smspg', decodeId('smspg', programId)!, [])
  expect(await live(THEIRS)).toMatchObject({ status: 422, body: { code: 'sms_program_not_ready' } })
  await services.sms.operator.deactivateSender(workspace, decodeId('smssn', senderId)!)
  expect(await live(THEIRS)).toMatchObject({ status: 422, body: { code: 'sms_sender_not_ready', state: 'approved' } })
})

const hours: [string, string, 'queued' | 'deferred'][] = [
  ['07:59:59.999 in New York', '2026-11-16 12:59:59.999Z', 'deferred'],
  ['08:00 in New York', '2026-11-16 13:00:00Z', 'queued'],
  ['20:59:59.999 in New York', '2026-11-17 01:59:59.999Z', 'queued'],
  ['21:00 in New York', '2026-11-17 02:00:00Z', 'deferred'],
]

test('76: marketing waits for the morning there, nothing else does', async () => {
  const here = await liveWorld(smppConnection((await startSmsc()).port))
  const { live, db, projectApi, programId, consent } = here
  await consent(THEIRS, { capturedAt: '2026-11-01T00:00:00Z' })
  for (const [what, moment, status] of hours) {
    await setClock(db, moment)
    const reply = await live(THEIRS, { category: 'marketing' }, `k ${moment}`)
    expect(reply.body['status'], `${what}: ${reply.text}`).toBe(status)
    await db.withClient((client) => client.query("update sms_messages set created_at = created_at - interval '2 days'"))
  }
  await setClock(db, '2026-11-16 08:00:00Z')
  expect((await live(THEIRS, {}, 'at three')).body['status']).toBe('queued')
  expect(await live(THEIRS, { category: 'marketing', onQuietHours: 'reject' }, 'now or never')).toMatchObject({
    status: 422,
    body: { code: 'sms_quiet_hours' },
  })
  const there = {
    ...writtenConsent(THEIRS, programId),
    capturedAt: '2026-11-02T00:00:00Z',
    recipientTimezone: 'Asia/Tokyo',
  }
  expect((await projectApi.post('sms/consents', there)).status).toBe(201)
  expect((await live(THEIRS, { category: 'marketing' }, 'in Tokyo')).body['status']).toBe('queued')
})

test('76: what could only arrive after its time expires, and its money comes back', async () => {
  const here = await smsWorld({ env: { SMS_SIM_TIME_SCALE: '10' } })
  const { sendSms, advance, smsBecomes, balance } = here
  const id = await sendSms('16', { category: 'marketing', validitySeconds: 60 })
  await smsBecomes(id, 'deferred')
  await advance({ seconds: 61 })
  expect(await smsBecomes(id, 'expired')).toMatchObject({ errorCode: 'expired', chargedMicros: 0 })
  expect(await balance()).toMatchObject({ reservedMicros: 0, availableMicros: 100_000_000 })
})

const setClock = (db: Database, moment: string): Promise<unknown> =>
  db.withClient((client) =>
    client.query(
      `create or replace function clock_now() returns timestamptz language sql stable as $$ select timestamptz '${moment}' $$`,
    ),
  )
