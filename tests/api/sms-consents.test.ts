import { expect, test } from 'vitest'
import { sql } from '../../src/storage/sql.ts'
import { writtenConsent } from '../support/sms-live.ts'
import { smsWorld, type SmsWorld } from '../support/sms-world.ts'
import { created } from '../support/world.ts'

const PHONE = '+12025550105'

const programOf = async ({ projectApi }: SmsWorld): Promise<string> =>
  (await projectApi.get<{ data: { id: string }[] }>('sms/programs')).body.data[0]!.id

test('a consent is kept for good, shown without its proof, and with it to whoever asks for the one', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi, db } = here
  const wanted = writtenConsent(PHONE, await programOf(here))
  const reply = await projectApi.post('sms/consents', wanted)
  expect(reply).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^smscn_/),
      phoneMasked: '+1********05',
      type: 'express_written',
      action: 'granted',
      evidencePresent: true,
      evidenceSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      recordedByKeyId: expect.stringMatching(/^key_/),
    },
  })
  expect(await projectApi.post('sms/consents', wanted)).toMatchObject({ status: 200, body: { id: reply.body['id'] } })
  const detail = await projectApi.get(`sms/consents/${reply.body['id']}`)
  expect(detail.body).toMatchObject({ phone: PHONE, evidence: wanted.evidence })
  const { n } = await db.one(sql<{ n: number }>`select count(*) as n from audit_log where action = 'sms.consent_read'`)
  expect(n).toBe(1)
  const list = await projectApi.get(`sms/consents?phone=${encodeURIComponent(PHONE)}&action=granted`)
  expect(list.body['data']).toHaveLength(1)
  expect(list.text).not.toContain('By ticking')
})

test('74: marketing needs a consent in writing, codes a fresh request or any consent', async () => {
  const here = await smsWorld({ workers: 0 })
  const { text, projectApi } = here
  const express = { ...writtenConsent(PHONE, await programOf(here)), type: 'express', evidence: null }
  const missing = { status: 422, body: { code: 'sms_consent_required' } }
  const code = (minutes: number) => ({
    category: 'authentication',
    userInitiated: { requestedAt: new Date(Date.now() - minutes * 60_000).toISOString(), ipAddress: '192.0.2.7' },
  })
  expect(await text('05', { category: 'authentication' })).toMatchObject(missing)
  expect((await text('05', code(9))).status).toBe(202)
  expect(await text('05', code(11))).toMatchObject({ status: 400, body: { code: 'validation_error' } })
  expect(await text('05', { ...code(1), category: 'transactional' })).toMatchObject({ status: 400 })
  created(await projectApi.post('sms/consents', express))
  expect((await text('05')).status).toBe(202)
  expect(await text('05', { category: 'marketing' })).toMatchObject(missing)
  created(
    await projectApi.post('sms/consents', {
      ...writtenConsent(PHONE, await programOf(here)),
      capturedAt: new Date().toISOString(),
    }),
  )
  expect((await text('05', { category: 'marketing' })).status).toBe(202)
})

test('74: a consent that is taken back while the message waits keeps it from leaving', async () => {
  const here = await smsWorld({ workers: 0 })
  const { sendSms, projectApi, startWorker, smsBecomes } = here
  const granted = writtenConsent(PHONE, await programOf(here))
  created(await projectApi.post('sms/consents', granted))
  const id = await sendSms('05')
  created(
    await projectApi.post('sms/consents', { ...granted, action: 'revoked', capturedAt: new Date().toISOString() }),
  )
  await startWorker()
  const detail = await smsBecomes(id, 'failed')
  expect(detail).toMatchObject({ errorCode: 'consent_missing' })
  expect(detail.ledger.map(({ type }) => type)).toEqual(['reservation', 'release'])
})

test('the newest counts, whichever was recorded last; at the same moment what is taken back', async () => {
  const here = await smsWorld({ workers: 0 })
  const { text, projectApi } = here
  const granted = writtenConsent(PHONE, await programOf(here))
  const at = (seconds: number): string => new Date(Date.now() - 3_600_000 + seconds * 1_000).toISOString()
  const record = async (action: string, seconds: number) =>
    created(await projectApi.post('sms/consents', { ...granted, action, capturedAt: at(seconds) }))
  await record('granted', 10)
  await record('revoked', 5)
  expect((await text('05')).status).toBe(202)
  const moment = at(20)
  for (const action of ['revoked', 'granted'])
    created(await projectApi.post('sms/consents', { ...granted, action, capturedAt: moment }))
  expect((await text('05')).status).toBe(422)
})

test('an expired consent is none, and one can be named for a message', async () => {
  const here = await smsWorld({ workers: 0 })
  const { text, projectApi, advance, newProject } = here
  const programId = await programOf(here)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const { id } = created(
    await projectApi.post<{ id: string }>('sms/consents', { ...writtenConsent(PHONE, programId), expiresAt }),
  )
  const reply = await text('05', { consentId: id })
  expect(reply.status).toBe(202)
  expect(await text('05', { consentId: 'smscn_00000000000000000000000000' })).toMatchObject({ status: 404 })
  const foreign = created(
    await projectApi.post<{ id: string }>('sms/consents', writtenConsent('+12025550106', programId)),
  )
  expect(await text('05', { consentId: foreign.id })).toMatchObject({ status: 400 })
  await advance({ hours: 2 })
  expect(await text('05')).toMatchObject({ status: 422, body: { code: 'sms_consent_required' } })
  void newProject
})

test('75: a consent of the future is none, nor one in writing without what was agreed to and how', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi } = here
  const good = writtenConsent(PHONE, await programOf(here))
  const problems = async (change: object): Promise<string[]> => {
    const reply = await projectApi.post<{ details?: { path: string }[] }>('sms/consents', { ...good, ...change })
    expect(reply.status).toBe(400)
    return (reply.body.details ?? []).map(({ path }) => path)
  }
  expect(await problems({ capturedAt: new Date(Date.now() + 6 * 60_000).toISOString() })).toEqual(['/capturedAt'])
  expect(await problems({ evidence: null })).toEqual(['/evidence/disclosureText', '/evidence'])
  expect(await problems({ evidence: { disclosureText: 'Yes.', sourceUrl: 'https://acme.example' } })).toEqual([
    '/evidence',
  ])
  expect(await problems({ recipientTimezone: 'Mars/Olympus' })).toEqual(['/recipientTimezone'])
  expect(await problems({ capturedAt: '2026-02-30T00:00:00Z' })).toEqual(['/capturedAt'])
  const near = { ...good, capturedAt: new Date(Date.now() + 4 * 60_000).toISOString() }
  expect((await projectApi.post('sms/consents', near)).status).toBe(201)
})

test('a number is put on the list once, for the project or for one program', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi, text } = here
  const programId = await programOf(here)
  const narrow = await projectApi.post('sms/suppressions', {
    phone: PHONE,
    programId,
    reason: 'complaint',
    note: 'by mail',
  })
  expect(narrow).toMatchObject({
    status: 201,
    body: { scope: 'program', programId, origin: 'manual', reason: 'complaint', note: 'by mail', status: 'active' },
  })
  expect((await projectApi.post('sms/suppressions', { phone: PHONE, programId })).status).toBe(200)
  expect((await projectApi.post('sms/suppressions', { phone: PHONE })).status).toBe(201)
  expect((await projectApi.post('sms/suppressions', { phone: PHONE })).status).toBe(200)
  expect(await projectApi.post('sms/suppressions', { phone: PHONE, scope: 'program' })).toMatchObject({ status: 400 })
  expect(await projectApi.post('sms/suppressions', { phone: 'x' })).toMatchObject({ status: 422 })
  expect(await text('05')).toMatchObject({ status: 422, body: { code: 'recipient_suppressed' } })
  const list = (await projectApi.get<{ data: { id: string }[] }>(`sms/suppressions?phone=${encodeURIComponent(PHONE)}`))
    .body.data
  expect(list).toHaveLength(2)
  expect((await projectApi.get(`sms/suppressions/${list[0]!.id}`)).body).toEqual(list[0])
})
