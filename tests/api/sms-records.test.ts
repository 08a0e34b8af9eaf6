import { expect, test } from 'vitest'
import { decodeId } from '../../src/core/ids.ts'
import { completeProfile, completeProgram } from '../support/sms-live.ts'
import { smsWorld, type SmsWorld } from '../support/sms-world.ts'
import { created } from '../support/world.ts'

const make = async ({ projectApi }: SmsWorld, path: string, body: unknown): Promise<string> =>
  created(await projectApi.post<{ id: string }>(`sms/${path}`, body)).id

const submitted = { status: 'submitted' }

test('a project begins with a sender and a program that work', async () => {
  const { projectApi } = await smsWorld({ workers: 0 })
  const list = async (path: string) =>
    (await projectApi.get<{ data: Record<string, unknown>[] }>(`sms/${path}`)).body.data
  expect(await list('senders')).toMatchObject([
    { type: 'simulator', address: '+12025550199', status: 'active', builtIn: true, twoWay: true },
  ])
  expect(await list('programs')).toMatchObject([
    {
      status: 'approved',
      builtIn: true,
      allowedCategories: ['authentication', 'transactional', 'marketing', 'conversational'],
    },
  ])
  expect(await list('business-profiles')).toEqual([])
})

test('50: no call activates or approves anything, and nothing is changed by trying', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi } = here
  const id = await make(here, 'senders', { type: 'long_code', address: '+14155550111', country: 'US' })
  const before = (await projectApi.get(`sms/senders/${id}`)).body
  for (const status of ['active', 'approved', 'in_review', 'suspended', 'rejected', 'expired', 'live']) {
    expect(await projectApi.patch(`sms/senders/${id}`, { status }), status).toMatchObject({
      status: 403,
      body: { code: 'sms_activation_not_allowed' },
    })
  }
  for (const change of [
    { connection: 'main' },
    { throughputPerSecond: 9 },
    { dailyCap: 1 },
    { builtIn: true },
    { type: 'simulator' },
  ]) {
    expect((await projectApi.patch(`sms/senders/${id}`, change)).status).toBe(400)
  }
  expect((await projectApi.get(`sms/senders/${id}`)).body).toEqual(before)
  expect(
    (await projectApi.post('sms/senders', { type: 'simulator', address: '+12025550198', country: 'US' })).status,
  ).toBe(400)
})

test('50: what is approved is locked; what is rejected can be edited, and is a draft again', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi, services, workspace } = here
  const businessProfileId = await make(here, 'business-profiles', completeProfile)
  await projectApi.patch(`sms/business-profiles/${businessProfileId}`, submitted)
  const id = await make(here, 'programs', { ...completeProgram, businessProfileId })
  expect((await projectApi.patch(`sms/programs/${id}`, submitted)).body).toMatchObject(submitted)
  const locked = { status: 409, body: { code: 'sms_record_locked' } }
  expect(await projectApi.patch(`sms/programs/${id}`, { samples: [] })).toMatchObject(locked)
  expect((await projectApi.patch(`sms/programs/${id}`, { status: 'draft' })).body).toMatchObject({ status: 'draft' })
  await projectApi.patch(`sms/programs/${id}`, submitted)
  const reasons = [{ field: 'samples', code: 'no_brand', message: 'Name the brand.' }]
  await services.sms.operator.decide(workspace, 'reject', 'smspg', decodeId('smspg', id)!, reasons)
  expect((await projectApi.get(`sms/programs/${id}`)).body).toMatchObject({
    status: 'rejected',
    rejectionReasons: reasons,
  })
  expect((await projectApi.patch(`sms/programs/${id}`, { name: 'Better' })).body).toMatchObject({
    status: 'draft',
    name: 'Better',
  })
  await projectApi.patch(`sms/programs/${id}`, submitted)
  await services.sms.operator.decide(workspace, 'approve', 'smspg', decodeId('smspg', id)!, [])
  expect(await projectApi.patch(`sms/programs/${id}`, { samples: completeProgram.samples })).toMatchObject(locked)
  expect(await projectApi.patch(`sms/programs/${id}`, { status: 'draft' })).toMatchObject({
    status: 409,
    body: { code: 'sms_invalid_transition' },
  })
  await expect(
    services.sms.operator.decide(workspace, 'reject', 'smspg', decodeId('smspg', id)!, []),
  ).rejects.toMatchObject({ code: 'sms_invalid_transition' })
})

test('51: an incomplete record is not submitted, and everything that is missing is said at once', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi } = here
  const findings = async (path: string): Promise<string[]> => {
    const reply = await projectApi.patch<{ details: { path: string }[] }>(path, submitted)
    expect(reply, reply.status.toString()).toMatchObject({ status: 422, body: { code: 'sms_record_incomplete' } })
    return reply.body.details.map((detail) => detail.path)
  }
  const program = await make(here, 'programs', { name: 'Empty', useCase: 'mixed', samples: ['short', 'short'] })
  expect(await findings(`sms/programs/${program}`)).toEqual(
    expect.arrayContaining([
      '/businessProfileId',
      '/channel',
      '/subUseCases',
      '/allowedCategories',
      '/description',
      '/messageFlow',
      '/samples',
      '/samples/0',
      '/optInMessage',
      '/optOutMessage',
      '/helpMessage',
      '/privacyPolicyUrl',
      '/termsUrl',
      '/expectedMonthlyVolume',
    ]),
  )
  expect((await projectApi.get(`sms/programs/${program}`)).body['status']).toBe('draft')
  const profile = await make(here, 'business-profiles', { entityType: 'public_profit' })
  expect(await findings(`sms/business-profiles/${profile}`)).toEqual([
    '/legalName',
    '/displayName',
    '/registrationType',
    '/registrationCountry',
    '/address',
    '/website',
    '/vertical',
    '/contact',
    '/registrationNumber',
    '/stockSymbol',
    '/exchange',
  ])
  const sender = await make(here, 'senders', { type: 'short_code', address: '12345', country: 'US' })
  expect(await findings(`sms/senders/${sender}`)).toEqual(['/programId'])
})

test('51: the brand must be named where people hear it', async () => {
  const here = await smsWorld({ workers: 0 })
  const { projectApi } = here
  const businessProfileId = await make(here, 'business-profiles', { ...completeProfile, displayName: 'Zebra' })
  expect((await projectApi.patch(`sms/business-profiles/${businessProfileId}`, submitted)).status).toBe(200)
  const id = await make(here, 'programs', { ...completeProgram, businessProfileId })
  const reply = await projectApi.patch<{ details: { path: string; message: string }[] }>(
    `sms/programs/${id}`,
    submitted,
  )
  expect(reply.body.details).toEqual(
    ['/optInMessage', '/optOutMessage', '/helpMessage'].map((path) => ({
      path,
      message: 'must contain the brand name',
    })),
  )
})

test('a registration number is taken and never given out again but for its end', async () => {
  const here = await smsWorld({ workers: 0 })
  const id = await make(here, 'business-profiles', completeProfile)
  for (const path of ['sms/business-profiles', `sms/business-profiles/${id}`]) {
    const reply = await here.projectApi.get(path)
    expect(reply.text).not.toContain('3456')
    expect(reply.text).toContain('"registrationNumberLast2":"89"')
  }
})

test('addresses of senders have the form of their kind', async () => {
  const { projectApi } = await smsWorld({ workers: 0 })
  const status = async (type: string, address: string, country = 'US'): Promise<number> =>
    (await projectApi.post('sms/senders', { type, address, country })).status
  expect(await status('long_code', '4155550111')).toBe(400)
  expect(await status('short_code', '1234567')).toBe(400)
  expect(await status('alphanumeric', 'Acme')).toBe(400)
  expect(await status('alphanumeric', 'Acme', 'GB')).toBe(201)
  expect(await status('alphanumeric', '12345', 'GB')).toBe(400)
  expect(await status('long_code', '+14155550111')).toBe(201)
  expect(await status('long_code', '+14155550111')).toBe(409)
})

test('an address that somebody has drafted is taken from nobody; the first who is activated has it', async () => {
  const here = await smsWorld({ workers: 0, env: {} })
  const { newProject, invite, clientWith, projectApi } = here
  const other = await newProject()
  await invite(other)
  const there = await clientWith({ scopes: ['*'], projectId: other })
  const fields = { type: 'long_code', address: '+14155550111', country: 'US' }
  expect((await projectApi.post('sms/senders', fields)).status).toBe(201)
  expect((await there.post('sms/senders', fields)).status).toBe(201)
})
