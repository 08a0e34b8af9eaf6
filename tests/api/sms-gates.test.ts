import { expect, test } from 'vitest'
import { describedRoutes } from '../../src/app/describe.ts'
import { decodeId } from '../../src/core/ids.ts'
import { sql } from '../../src/storage/sql.ts'
import { call, nameOf } from '../contract/requests.ts'
import { smsWorld } from '../support/sms-world.ts'
import { world } from '../support/world.ts'

const routes = describedRoutes().filter(({ path }) => path.startsWith('/sms/'))

test('40: in a project that is not invited every path answers so, before anything of the request is read', async () => {
  const { projectApi, clientWith, projectId } = await world()
  expect(routes.length).toBeGreaterThan(25)
  for (const route of routes) {
    const reply = await call(projectApi, route)
    expect(reply, nameOf(route)).toMatchObject({ status: 403, body: { code: 'sms_not_invited' } })
    expect(reply.headers.get('cache-control'), nameOf(route)).toBe('no-store')
  }
  const malformed = await projectApi.request('POST', 'sms/messages', {
    headers: { 'content-type': 'application/json' },
    body: '{"to":',
  })
  expect(malformed).toMatchObject({ status: 403, body: { code: 'sms_not_invited' } })
  const narrow = await clientWith({ scopes: ['email:send'], projectId })
  for (const route of routes) {
    expect(await call(narrow, route), nameOf(route)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope' },
    })
  }
})

test('41: a workspace key must name the project', async () => {
  const { api, invite, projectId } = await smsWorld()
  await invite()
  expect(await api.get('sms/messages')).toMatchObject({ status: 400, body: { code: 'project_required' } })
  const named = await api.get('sms/messages', { headers: { 'x-service-project-id': projectId } })
  expect(named.status).toBe(200)
})

test('52, 53: consents and suppressions are not changed, wallets not paid into, whoever asks', async () => {
  const { projectApi } = await smsWorld()
  const nobody = '01m7f9x7zce00947xvde74cn1a'
  for (const [method, path, allow] of [
    ['DELETE', `sms/consents/smscn_${nobody}`, 'GET, HEAD'],
    ['PATCH', `sms/consents/smscn_${nobody}`, 'GET, HEAD'],
    ['DELETE', `sms/suppressions/smssp_${nobody}`, 'GET, HEAD'],
    ['PATCH', 'sms/suppressions', 'GET, POST, HEAD'],
    ['DELETE', 'sms/suppressions', 'GET, POST, HEAD'],
    ['POST', 'sms/wallet/balance', 'GET, HEAD'],
    ['POST', 'sms/wallet', 'GET, HEAD'],
    ['POST', 'sms/wallet/top-ups', 'GET, HEAD'],
    ['DELETE', `sms/messages/sms_${nobody}`, 'GET, HEAD'],
    ['DELETE', `sms/senders/smssn_${nobody}`, 'GET, PATCH, HEAD'],
  ] as const) {
    const reply = await projectApi.request(method, path)
    expect(reply, path).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(reply.headers.get('allow')).toBe(allow)
    expect(reply.headers.get('cache-control')).toBe('no-store')
  }
})

test('53: a key that may read messages may not read the wallet', async () => {
  const { clientWith, projectId } = await smsWorld()
  const reader = await clientWith({ scopes: ['sms:read', 'sms:send', 'sms:manage'], projectId })
  for (const path of ['', '/balance', '/state', '/ledger', '/periods', '/top-ups']) {
    expect(await reader.get(`sms/wallet${path}`)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
  }
  expect((await reader.get('sms/usage')).status).toBe(200)
})

test('a project shows whether it is invited and live, and no call of the API changes that', async () => {
  const { api, projectId, services, workspace, project } = await smsWorld()
  const shown = async () => (await api.get(`projects/${projectId}`)).body['sms']
  expect(await shown()).toEqual({ invited: true, live: false })
  for (const change of [{ sms: { live: true } }, { smsLive: true }, { sms: { invited: false, live: true } }]) {
    expect((await api.patch(`projects/${projectId}`, change)).status).toBe(400)
  }
  await services.sms.operator.setLive(workspace, project, true, undefined)
  expect(await shown()).toEqual({ invited: true, live: true })
})

test('an invitation that is taken back closes everything at once, and one that is given again finds all as it was', async () => {
  const { projectApi, services, workspace, project, invite, sendSms, smsBecomes, balance } = await smsWorld()
  const id = await sendSms('00')
  await smsBecomes(id, 'delivered')
  const before = await balance()
  await services.sms.operator.uninvite(workspace, project)
  expect(await projectApi.get(`sms/messages/${id}`)).toMatchObject({ status: 403, body: { code: 'sms_not_invited' } })
  await invite()
  await invite()
  expect(await balance()).toMatchObject({ availableMicros: before.availableMicros, ledgerSeq: before.ledgerSeq })
  expect((await projectApi.get(`sms/messages/${id}`)).status).toBe(200)
})

test('every deed of the operator is in the audit log', async () => {
  const { services, workspace, project, db, newProject } = await smsWorld()
  const { operator } = services.sms
  const of = { workspace, project, mode: 'live' } as const
  await operator.topUp(of, 5_000_000n, 'a')
  await operator.reverse(of, 'a')
  await operator.adjust(of, 100n, 'b', 'a gift')
  await operator.freeze(of, true)
  await operator.freeze(of, false)
  await operator.cap(of, null)
  await operator.setLive(workspace, project, true, ['US'])
  await operator.setLive(workspace, project, false, undefined)
  await operator.uninvite(workspace, project)
  await operator.reconcile(workspace, true)
  const actions = await db.all(sql<{ action: string }>`
    select action from audit_log where actor = 'operator' and action like 'sms%' order by id`)
  expect(actions.map(({ action }) => action)).toEqual([
    'sms.invited',
    'sms_wallet.topped_up',
    'sms_wallet.reversed',
    'sms_wallet.adjusted',
    'sms_wallet.frozen',
    'sms_wallet.unfrozen',
    'sms_wallet.capped',
    'sms.live_on',
    'sms.live_off',
    'sms.uninvited',
    'sms.reconciled',
  ])
  const stranger = decodeId('prj', await newProject())!
  await expect(operator.setLive(workspace, stranger, true, undefined)).rejects.toMatchObject({
    code: 'sms_not_invited',
  })
})

test('a paused project sends nothing, and what waits goes on when it is resumed', async () => {
  const { api, projectId, text, sendSms, advance, smsBecomes, startWorker } = await smsWorld({ workers: 0 })
  const id = await sendSms('00')
  await api.patch(`projects/${projectId}`, { status: 'paused' })
  expect(await text('00')).toMatchObject({ status: 403, body: { code: 'project_paused' } })
  await startWorker()
  expect((await smsBecomes(id, 'deferred')).events.at(-1)).toMatchObject({ type: 'deferred', detail: 'project_paused' })
  await api.patch(`projects/${projectId}`, { status: 'active' })
  await advance({ seconds: 61 })
  await smsBecomes(id, 'delivered')
})
