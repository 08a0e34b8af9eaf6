import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from '../support/client.ts'
import {
  freePort,
  PosthouseProcess,
  removeDataDirectory,
  runPosthouse,
  temporaryDirectory,
  type Finished,
} from '../support/posthouse-process.ts'
import { startSmsc } from '../sms/smsc.ts'
import { completeProfile, completeProgram, smppConnection } from '../support/sms-live.ts'
import { created } from '../support/world.ts'

const dataDir = temporaryDirectory()
const connections = join(dataDir, 'connections.json')
const env = { SMS_CONNECTIONS_FILE: connections, EGRESS_ALLOW: '127.0.0.0/8', DNS_SERVERS: '127.0.0.1:1' }
let node: PosthouseProcess
let api: Client
let project: string

beforeAll(async () => {
  writeFileSync(connections, JSON.stringify({ main: smppConnection(1) }))
  node = await new PosthouseProcess(await freePort(), { dataDir, env }).ready()
  api = new Client(node.url, node.keys.project)
  project = node.keys.projectId
})
afterAll(async () => {
  await node.cleanUp()
  await removeDataDirectory(dataDir)
})

const sms = (...args: string[]): Promise<Finished> => runPosthouse(['sms', ...args], { dataDir, env })

/** Our carriers are on this machine and speak in plain text. */
const plainText = /^Warning: The carrier connection main is not encrypted: .* set "tls": true\.\n$/

async function answer(...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await sms(...args, '--json')
  expect(code).toBe(0)
  const isConnecting = args[0] === 'connections' || args[1] === 'activate'
  expect(stderr).toMatch(isConnecting ? plainText : /^$/)
  return JSON.parse(stdout) as Record<string, unknown>
}

test('from the invitation to an active sender, everything that only the operator can do', async () => {
  expect((await api.get('sms/wallet')).status).toBe(403)
  expect(await answer('invite', project)).toEqual({ project, invited: true })
  expect((await api.get('sms/wallet')).body).toMatchObject({ mode: 'test', availableMicros: 100_000_000 })

  const make = async (path: string, body: unknown): Promise<string> =>
    created(await api.post<{ id: string }>(`sms/${path}`, body)).id
  const profile = await make('business-profiles', completeProfile)
  await api.patch(`sms/business-profiles/${profile}`, { status: 'submitted' })
  expect(await answer('record', 'approve', profile)).toEqual({ id: profile, status: 'approved' })
  const program = await make('programs', { ...completeProgram, businessProfileId: profile })
  await api.patch(`sms/programs/${program}`, { status: 'submitted' })
  await answer('record', 'reject', program, '--reason', 'samples:vague:Say more.|website:gone:There is none.')
  expect((await api.get(`sms/programs/${program}`)).body).toMatchObject({
    status: 'rejected',
    rejectionReasons: [
      { field: 'samples', code: 'vague', message: 'Say more.' },
      { field: 'website', code: 'gone', message: 'There is none.' },
    ],
  })
  await api.patch(`sms/programs/${program}`, { status: 'submitted' })
  await answer('record', 'approve', program)
  const sender = await make('senders', {
    type: 'long_code',
    address: '+14155550111',
    country: 'US',
    programId: program,
  })
  expect(await sms('sender', 'activate', sender, '--connection', 'main', '--tps', '5')).toMatchObject({
    code: 1,
    stderr: 'It is draft; it cannot become active.\n',
  })
  await api.patch(`sms/senders/${sender}`, { status: 'submitted' })
  await answer('record', 'approve', sender)
  await answer('sender', 'activate', sender, '--connection', 'main', '--tps', '5', '--daily-cap', '1000')
  expect((await api.get(`sms/senders/${sender}`)).body).toMatchObject({
    status: 'active',
    throughputPerSecond: 5,
    dailyCap: 1_000,
  })
  await answer('sender', 'deactivate', sender)
  expect((await api.get(`sms/senders/${sender}`)).body).toMatchObject({ status: 'approved' })
  expect(await answer('live', 'on', project, '--countries', 'us,ca')).toEqual({ project, live: true })
  expect((await api.get('projects')).text).toContain('"sms":{"invited":true,"live":true}')
  await answer('live', 'off', project)
  expect(await answer('uninvite', project)).toEqual({ project, invited: false })
  expect((await api.get('sms/wallet')).status).toBe(403)
}, 180_000)

test('money in and out of wallets, exactly, and never twice for one reference', async () => {
  await answer('invite', project)
  const live = async (): Promise<unknown> => (await api.get('sms/wallet?mode=live')).body['availableMicros']
  for (let i = 0; i < 2; i++) await answer('wallet', 'top-up', project, '25.000001', '--ref', 'INV-1')
  expect(await live()).toBe(25_000_001)
  const down = ['wallet', 'adjust', project, '--ref', 'a', '--reason', 'wrong', '--', '-0.000001']
  expect(await sms(...down)).toMatchObject({ code: 0, stdout: 'active: 25.00 USD, 0.00 reserved\n' })
  expect(await live()).toBe(25_000_000)
  await answer('wallet', 'adjust', project, '1.5', '--ref', 'b', '--reason', 'a gift')
  await answer('wallet', 'freeze', project)
  expect((await api.get('sms/wallet?mode=live')).body).toMatchObject({ status: 'frozen' })
  await answer('wallet', 'unfreeze', project)
  expect(await answer('wallet', 'cap', project, '2')).toMatchObject({ dailySpendCapMicros: 2_000_000 })
  expect(await answer('wallet', 'cap', project, 'none')).toMatchObject({ dailySpendCapMicros: null })
  expect(await answer('wallet', 'reverse', project, '--ref', 'INV-1')).toMatchObject({ status: 'reversed' })
  expect(await answer('reconcile', '--fix')).toEqual({ fixed: 0, violations: [] })
  for (const wrong of [['25,00'], ['1e3'], ['-'], ['0.0000001'], []]) {
    expect((await sms('wallet', 'top-up', project, ...wrong, '--ref', 'x')).code, wrong.join()).toBe(2)
  }
  expect((await sms('wallet', 'top-up', project, '1')).code).toBe(2)
}, 180_000)

test('prices are loaded from a file that is right as a whole, and a connection is tried without sending', async () => {
  const file = join(dataDir, 'rates.json')
  const rate = {
    country: 'US',
    senderType: 'long_code',
    baseMicros: 1,
    carrierFeeMicros: 2,
    effectiveFrom: '2026-01-01T00:00:00Z',
  }
  writeFileSync(file, JSON.stringify([rate, { ...rate, category: 'marketing' }]))
  expect(await answer('rates', 'load', file)).toEqual({ rows: 2, added: 2 })
  expect(await answer('rates', 'load', file)).toEqual({ rows: 2, added: 0 })
  writeFileSync(file, JSON.stringify([rate, { ...rate, baseMicros: 0.5 }]))
  expect(await sms('rates', 'load', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('/1/baseMicros') })
  const smsc = await startSmsc()
  writeFileSync(connections, JSON.stringify({ main: smppConnection(smsc.port) }))
  expect(await answer('connections', 'test', 'main')).toEqual({ name: 'main', state: 'up' })
  expect(smsc.all('submit_sm')).toEqual([])
  expect(await sms('connections', 'test', 'other')).toMatchObject({ code: 1 })
  writeFileSync(connections, '{"main": {"kind": "smpp", "password": "geheim"')
  const broken = await sms('connections', 'test', 'main')
  expect(broken.code).toBe(1)
  expect(broken.stderr).not.toContain('geheim')
}, 180_000)
