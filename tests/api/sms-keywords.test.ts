import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { eventually } from '../support/eventually.ts'
import {
  liveWorld,
  OURS,
  smppConnection,
  THEIRS,
  writtenConsent,
  anotherSender,
  type LiveWorld,
} from '../support/sms-live.ts'
import { SEGMENT, smsWorld, type SmsWorld } from '../support/sms-world.ts'
import { startSmsc } from '../sms/smsc.ts'

interface Row {
  id: string
  direction: string
  category: string | null
  keyword: string | null
  status: string
  priceMicros: number
}

const rows = async ({ projectApi }: SmsWorld, query = ''): Promise<Row[]> =>
  (await projectApi.get<{ data: Row[] }>(`sms/messages?limit=100${query}`)).body.data

const suppressed = async ({ projectApi }: SmsWorld, status = 'active') =>
  (await projectApi.get<{ data: Record<string, unknown>[] }>(`sms/suppressions?status=${status}`)).body.data

/** What suppresses a number of the simulator lasts for two minutes then: longer than any of these tests. */
const UNHURRIED = { SMS_SIM_TIME_SCALE: '0.2' }

/** As if somebody had typed it. */
const says = (here: LiveWorld, text: string, from = THEIRS, more: object = {}): Promise<void> =>
  here.services.sms.inbox.part('main', { from, to: OURS, text, payload: Buffer.from(text), alphabet: 'utf8', ...more })

const withHandset = async (options = {}): Promise<LiveWorld> =>
  liveWorld(smppConnection((await startSmsc()).port), options)

test('…08 says STOP: it is suppressed, told so once, and gets nothing any more', async () => {
  const here = await smsWorld({ env: UNHURRIED })
  const { sendSms, smsBecomes, text } = here
  await smsBecomes(await sendSms('08'), 'delivered')
  const [suppression] = await eventually('it is suppressed', async () => {
    const found = await suppressed(here)
    return found.length > 0 && found
  })
  expect(suppression).toMatchObject({
    scope: 'project',
    origin: 'keyword',
    reason: 'opt_out',
    toMasked: '+1********08',
  })
  const [reply] = await eventually('it was told', async () => {
    const found = await rows(here, '&category=keyword_reply&status=delivered')
    return found.length > 0 && found
  })
  expect(reply).toMatchObject({ keyword: 'STOP', priceMicros: 0 })
  expect(await rows(here, '&direction=inbound')).toMatchObject([{ keyword: 'STOP', status: 'received' }])
  expect(await text('08')).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
})

test('…10 says STOP and then START; …19 thanks and is understood; …09 asks for help', async () => {
  const here = await smsWorld({ env: UNHURRIED })
  const { sendSms, text } = here
  for (const number of ['10', '19', '09']) await sendSms(number)
  await eventually('all have spoken', async () => (await rows(here, '&direction=inbound')).length === 4)
  expect((await rows(here, '&direction=inbound')).map(({ keyword }) => keyword).toSorted()).toEqual(
    ['HELP', 'START', 'STOP', 'STOP'].toSorted(),
  )
  expect((await suppressed(here)).map(({ origin }) => origin)).toEqual(['inferred'])
  expect(await suppressed(here, 'lifted')).toMatchObject([{ origin: 'keyword', liftedBy: 'keyword' }])
  await eventually('all were answered', async () => {
    const answers = await rows(here, '&category=keyword_reply&status=delivered')
    return answers.length === 4
  })
  expect(await rows(here, '&direction=inbound')).toHaveLength(4)
  expect((await text('10')).status).toBe(202)
})

test('suppressions of the simulator lift by themselves', async () => {
  const here = await smsWorld({ env: UNHURRIED })
  const { sendSms, advance, text } = here
  await sendSms('08')
  await eventually('it is suppressed', async () => (await suppressed(here)).length > 0)
  await advance({ seconds: 121 })
  expect(await suppressed(here)).toEqual([])
  expect(await suppressed(here, 'lifted')).toMatchObject([{ liftedBy: 'time' }])
  expect((await text('08')).status).toBe(202)
})

const spellings = [
  'stop',
  ' Stop! ',
  '“STOP”',
  'STOP.',
  'Ｓｔｏｐ',
  'opt out',
  'Opt-Out',
  'arrêt',
  'arre\u0302t',
  'S\u200bTOP',
  'STOP 🛑',
  '🛑 stop',
]

test('65: STOP in twelve spellings suppresses; a sentence that begins with it does not, and thanks are understood', async () => {
  const here = await withHandset()
  const numbers = spellings.map((_, i) => `+121255512${String(i).padStart(2, '0')}`)
  for (const [i, text] of spellings.entries()) await says(here, text, numbers[i])
  const found = await suppressed(here)
  expect(found).toHaveLength(12)
  expect(found.every(({ origin }) => origin === 'keyword')).toBe(true)
  await says(here, 'stop by the shop at 5 tomorrow please', '+12125551300')
  expect(await suppressed(here)).toHaveLength(12)
  await says(here, 'Stop. Thank you', '+12125551301')
  expect(await suppressed(here)).toHaveLength(13)
  expect((await suppressed(here))[0]).toMatchObject({ origin: 'inferred' })
})

test('66: the confirmation goes although the number is suppressed, once; a second STOP is not answered', async () => {
  const here = await withHandset()
  await says(here, 'STOP')
  await says(here, 'STOP!')
  await eventually('it was told', async () => (await rows(here, '&category=keyword_reply&status=sent')).length === 1)
  expect(await rows(here, '&category=keyword_reply')).toHaveLength(1)
  expect(await rows(here, '&direction=inbound')).toHaveLength(2)
})

test('67: with STOP nothing that waits leaves, and its money comes back', async () => {
  const here = await smsWorld({ workers: 0 })
  const { sendSms, sms, balance, startWorker, services, expectBooksInOrder } = here
  const waiting = [await sendSms('16'), await sendSms('16'), await sendSms('16', { body: 'a'.repeat(161) })]
  const deferred = await sendSms('16', { category: 'marketing' })
  expect((await sms(deferred)).status).toBe('deferred')
  const other = await sendSms('00')
  await services.sms.inbox.simulated(decodeId('sms', deferred)!, 'STOP', 'one')
  for (const id of [...waiting, deferred]) {
    const { status, errorCode, ledger, parts } = await sms(id)
    expect({ status, errorCode }).toEqual({ status: 'failed', errorCode: 'recipient_suppressed' })
    expect(ledger.map(({ type }) => type)).toEqual(['reservation', 'release'])
    expect(parts.every((part) => part.status === 'failed' && part.providerMessageId === null)).toBe(true)
  }
  expect(await balance()).toMatchObject({ reservedMicros: SEGMENT })
  await startWorker()
  await here.smsBecomes(other, 'delivered')
  await eventually('only the confirmation went there', async () => (await rows(here, '&status=delivered')).length === 2)
  await expectBooksInOrder()
})

test('67: also what is accepted while STOP is on its way does not leave', async () => {
  const here = await smsWorld({ workers: 0 })
  const { sendSms, startWorker, smsBecomes, db } = here
  const id = await sendSms('00')
  // Suppressed behind the back of whoever queued it: the look before it leaves is what counts.
  await db.run(sql`
    insert into sms_suppressions (id, project_id, phone_hmac, phone, masked, scope, origin, reason)
    select gen_random_uuid(), project_id, phone_hmac, phone, masked, 'project', 'keyword', 'opt_out' from sms_messages`)
  await startWorker()
  expect(await smsBecomes(id, 'failed')).toMatchObject({ errorCode: 'recipient_suppressed', chargedMicros: 0 })
})

test('68: STOP to one sender blocks every sender of the project, and no other project', async () => {
  const here = await smsWorld({ workers: 0 })
  const { sendSms, text, newProject, invite, clientWith, services } = here
  await services.sms.inbox.simulated(decodeId('sms', await sendSms('21'))!, 'STOP', 'one')
  expect(await text('21')).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  const other = await newProject()
  await invite(other)
  const there = await clientWith({ scopes: ['*'], projectId: other })
  expect((await text('21', {}, 'k', there)).status).toBe(202)
})

test('68: a sender of another program is another sender of the same project', async () => {
  const here = await withHandset()
  const { live, consent, programId } = here
  const second = await anotherSender(here)
  await consent(THEIRS)
  await consent(THEIRS, { programId: second.programId })
  expect((await live(THEIRS, second)).status).toBe(202)
  await says(here, 'STOP')
  for (const sender of [{ programId }, second]) {
    expect(await live(THEIRS, sender)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  }
})

test('69: a consent does not bring back whoever said STOP; START does, and restores what was agreed to before', async () => {
  const here = await withHandset()
  const { live, consent, projectApi, programId } = here
  await consent(THEIRS)
  expect((await live(THEIRS)).status).toBe(202)
  await says(here, 'STOP')
  const again = { ...writtenConsent(THEIRS, programId), capturedAt: new Date().toISOString() }
  expect(await projectApi.post('sms/consents', again)).toMatchObject({
    status: 201,
    body: { suppressionStillActive: true },
  })
  expect(await live(THEIRS)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  await says(here, 'START')
  expect((await live(THEIRS)).status).toBe(202)
  expect((await live(THEIRS, { category: 'marketing', onQuietHours: 'defer' })).status).toBe(202)

  const stranger = '+12125551239'
  await says(here, 'STOP', stranger)
  await says(here, 'START', stranger)
  expect(await live(stranger, { category: 'marketing' })).toMatchObject({
    status: 422,
    body: { code: 'sms_consent_required' },
  })
})

test('69: what was only inferred, or put there by hand, a later consent lifts', async () => {
  const here = await withHandset()
  const { live, consent, projectApi } = here
  await says(here, 'Stop. Thank you')
  await consent(THEIRS, { capturedAt: new Date(Date.now() + 1_000).toISOString() })
  expect((await live(THEIRS)).status).toBe(202)
  await projectApi.post('sms/suppressions', { phone: THEIRS, reason: 'complaint' })
  await consent(THEIRS, { capturedAt: new Date(Date.now() - 3_600_000).toISOString() })
  expect(await live(THEIRS)).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
})

test('70, 71: YES of somebody who is not suppressed is a word; HELP is answered to whoever asks and changes nothing', async () => {
  const here = await withHandset()
  await says(here, 'YES')
  expect(await rows(here, '&direction=inbound')).toMatchObject([{ keyword: null }])
  await says(here, 'STOP')
  await says(here, 'help')
  await says(here, 'Help?')
  expect(await suppressed(here)).toHaveLength(1)
  expect((await rows(here, '&category=keyword_reply')).map(({ keyword }) => keyword)).toEqual(['HELP', 'STOP'])
  await says(here, 'YES')
  expect(await suppressed(here)).toEqual([])
})

test('73, 85: a text in parts is one, in whatever order they come, and STOP in two parts is STOP', async () => {
  const here = await withHandset()
  const part = (text: string, seq: number, total: number, ref = 0) =>
    says(here, text, THEIRS, { concat: { ref, total, seq } })
  await part('OP', 2, 2)
  expect(await rows(here, '&direction=inbound')).toEqual([])
  await part('ST', 1, 2)
  await part('ST', 1, 2)
  expect(await rows(here, '&direction=inbound')).toMatchObject([{ keyword: 'STOP', segments: 2 }])
  expect(await suppressed(here)).toHaveLength(1)
  await part('I want ', 1, 3, 7)
  await part('a pony', 3, 3, 7)
  expect(await rows(here, '&direction=inbound')).toHaveLength(1)
  await here.advance({ minutes: 11 })
  await here.services.sms.housekeeping.sweep()
  const [newest] = await rows(here, '&direction=inbound')
  expect(await here.sms(newest!.id)).toMatchObject({ body: 'I want a pony', from: THEIRS, to: OURS })
})

test('what the carrier has answered, or answers always, we do not answer again', async () => {
  const here = await withHandset({ sender: { type: 'toll_free', address: OURS } })
  await says(here, 'STOP')
  expect(await suppressed(here)).toHaveLength(1)
  expect(await rows(here, '&category=keyword_reply')).toEqual([])
  await says(here, 'HELP', '+12125551240')
  await says(here, 'HELP', '+12125551241', { answeredByCarrier: true })
  expect(await rows(here, '&category=keyword_reply')).toHaveLength(1)
})

test('74: whoever writes to us may be answered for a day', async () => {
  const here = await withHandset()
  const { live, advance } = here
  const chat = { category: 'conversational' }
  expect(await live(THEIRS, chat)).toMatchObject({ status: 422, body: { code: 'sms_consent_required' } })
  await says(here, 'Where is my parcel?')
  expect((await live(THEIRS, chat)).status).toBe(202)
  await advance({ hours: 25 })
  expect((await live(THEIRS, chat)).status).toBe(422)
})

test('72: with an empty wallet STOP and HELP are still answered', async () => {
  const here = await smsWorld({ env: UNHURRIED })
  const { sendSms, services, workspace, project, balance } = here
  await sendSms('08')
  await sendSms('09')
  const rest = -BigInt((await balance()).availableMicros)
  await services.sms.operator.adjust({ workspace, project, mode: 'test' }, rest, 'all', 'a test')
  await eventually('both were answered', async () => {
    const found = await rows(here, '&category=keyword_reply&status=delivered')
    return found.length === 2
  })
  expect((await balance()).totalMicros).toBeLessThanOrEqual(2 * SEGMENT)
})

test('what a carrier says twice counts once; what a person says again counts again, STOP above all', async () => {
  const here = await withHandset()
  await says(here, 'Where is my parcel?')
  await says(here, 'Where is my parcel?')
  expect(await rows(here, '&direction=inbound')).toHaveLength(1)
  for (const word of ['STOP', 'START', 'STOP', 'START', 'STOP']) await says(here, word)
  expect(await suppressed(here)).toHaveLength(1)
  expect(await rows(here, '&direction=inbound')).toHaveLength(6)
  const known = { providerId: 'SM1' }
  await says(here, 'Hello', THEIRS, known)
  await says(here, 'Hello', THEIRS, { providerId: 'SM2' })
  await says(here, 'Hello', THEIRS, { providerId: 'SM2' })
  expect(await rows(here, '&direction=inbound')).toHaveLength(8)
})
