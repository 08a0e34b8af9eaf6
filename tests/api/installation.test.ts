import { createServer, type AddressInfo } from 'node:net'
import { onTestFinished, expect, test } from 'vitest'
import { settings } from '../../src/config/schema.ts'
import { reverseName } from '../../src/net/networks.ts'
import type { InstallationView } from '../../src/resources/installation/schema.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { verifiedDomain, worldWithDns } from '../support/domains.ts'
import { HOSTNAME, looksOf, reportsOf, type Circumstances } from '../support/installation.ts'
import { signIn } from '../support/people.ts'
import { startSink } from '../support/sink-mx.ts'
import { tenants, world, type World } from '../support/world.ts'

const tenant = tenants()

const installation = async ({ api }: Pick<World, 'api'>): Promise<InstallationView> => {
  const { status, body } = await api.get<InstallationView>('installation')
  expect(status).toBe(200)
  return body
}

const zones = () => ({ 'large.test': { MX: ['10 mx.large.test'] }, 'mx.large.test': { A: ['127.0.0.1'] } })

async function dnsServer(): Promise<DnsServer> {
  const dns = await startDnsServer(zones())
  onTestFinished(() => dns.stop())
  return dns
}

test('before anybody has looked, what is not known is null and not wrong', async () => {
  const here = await world({ env: { SMTP_HOSTNAME: HOSTNAME, PUBLIC_URL: 'https://mail.example' } })
  expect(await installation(here)).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    startedAt: null,
    asOf: null,
    nodes: [],
    roles: [],
    database: null,
    disk: { freeBytes: null, totalBytes: null },
    smtp: { hostname: HOSTNAME, addresses: [], outgoing: 'unknown' },
    tls: { expiresAt: null },
    publicUrl: { url: 'https://mail.example', https: true },
    // The master key of tests is given from outside.
    master: { backedUpHint: true, notedAt: null },
    retention: { bodies: 30, events: 90, webhookDeliveries: 30, received: 30 },
    configuration: expect.any(Array),
  })
})

test('the configuration is every setting with what is set and its default; of secrets and URLs nothing secret', async () => {
  const env = {
    SMTP_RELAY_URL: 'smtps://post:hunter2@relay.example:465',
    METRICS_TOKEN: 'hunter2-for-metrics',
    SETUP_SECRET: 'hunter2-hunter2-hunter2',
    SESSION_DAYS: ' 7 ',
    SANDBOX_SENDER: '',
  }
  const here = await world({ env })
  const { configuration } = await installation(here)
  expect(configuration.map(({ variable }) => variable)).toEqual(Object.values(settings).map((each) => each.variable))
  const shown = (name: string) => configuration.find(({ variable }) => variable === name)
  expect(shown('SESSION_DAYS')).toEqual({
    variable: 'SESSION_DAYS',
    set: true,
    value: '7',
    default: '30',
    form: 'whole number, 1 to 365',
    meaning: settings.sessionDays.sentence,
  })
  expect(shown('SMTP_RELAY_URL')).toMatchObject({ set: true, value: 'smtps://…@relay.example:465', default: null })
  expect(shown('METRICS_TOKEN')).toMatchObject({ set: true, value: null })
  expect(shown('SANDBOX_SENDER')).toMatchObject({ set: false, value: null, default: settings.sandboxSender.default })
  expect(shown('SMTP_PROXIES')).toMatchObject({ set: false, default: null })
  const answered = JSON.stringify(await installation(here))
  for (const secret of ['hunter2', here.config.masterKey!]) expect(answered).not.toContain(secret)
})

test('the database says its version, its connections and its size', async () => {
  const [here, dns] = [await world(), await dnsServer()]
  await looksOf(here, dns).runOnce()
  const { database, asOf } = await installation(here)
  expect(database).toMatchObject({ version: expect.stringMatching(/^\d+/) })
  expect(database!.connections).toBeGreaterThan(0)
  expect(database!.limit).toBeGreaterThan(database!.connections)
  expect(database!.sizeBytes).toBeGreaterThan(1_000_000)
  // Another worker that looks a moment later leaves it at that.
  await looksOf(here, dns, { nodeId: 'two' }).runOnce()
  expect((await installation(here)).asOf).toBe(asOf)
  await moveClock(here.db, 300)
  await looksOf(here, dns).runOnce()
  expect((await installation(here)).asOf).not.toBe(asOf)
})

test('an address is named by its PTR, and matches when that is the greeting name and leads back', async () => {
  const [here, dns] = [await world(), await dnsServer()]
  dns.zones[HOSTNAME] = { A: ['192.0.2.1', '192.0.2.2'], AAAA: ['2001:db8::25'] }
  dns.zones[reverseName('192.0.2.1')] = { PTR: [`${HOSTNAME}.`] }
  dns.zones[reverseName('192.0.2.2')] = { PTR: ['static-2.provider.test'] }
  dns.zones[reverseName('192.0.2.4')] = { PTR: [HOSTNAME] }
  const looks = looksOf(here, dns, { ownAddresses: ['192.0.2.4'] })
  await looks.runOnce()
  const shown = async () => (await installation(here)).smtp.addresses
  expect(await shown()).toEqual([
    { address: '192.0.2.1', ptr: HOSTNAME, matches: true },
    { address: '192.0.2.2', ptr: 'static-2.provider.test', matches: false },
    { address: '2001:db8::25', ptr: null, matches: false },
    // It calls itself so, but the name does not lead to it.
    { address: '192.0.2.4', ptr: HOSTNAME, matches: false },
  ])
  expect(dns.questions).toContain('PTR 5.2.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa')
  // A DNS server that fails says nothing about our names.
  dns.zones[reverseName('192.0.2.1')] = { fault: 'servfail' }
  const before = await shown()
  await looks.runOnce()
  expect(await shown()).toEqual(before)
})

test('whether mail gets out is tried at a real socket: it is open where somebody greets', async () => {
  const here = await worldWithDns()
  Object.assign(here.dns.zones, zones())
  const sink = await startSink()
  onTestFinished(() => sink.stop())
  const looks = looksOf(here, here.dns, { port: sink.port })
  const outgoing = async () => (await installation(here)).smtp.outgoing
  await looks.runOnce()
  // Without a domain nothing could be sent to anybody, so nobody is bothered.
  expect([await outgoing(), here.dns.questions.includes('MX large.test')]).toEqual(['unknown', false])
  await verifiedDomain(here.projectApi, here.dns, 'shop.example')
  await looks.runOnce()
  expect(await outgoing()).toBe('open')
  // Nothing but a goodbye is said there.
  expect(Buffer.concat(sink.connections.flatMap(({ chunks }) => chunks)).toString()).toBe('QUIT\r\n')
  // What works is not tried again on the same day.
  await moveClock(here.db, 20 * 3_600)
  await looks.runOnce()
  expect(sink.connections).toHaveLength(1)
  await moveClock(here.db, 25 * 3_600)
  await looks.runOnce()
  expect(sink.connections).toHaveLength(2)
})

test('port 25 is blocked where nobody answers, or somebody who says nothing', async () => {
  const here = await worldWithDns()
  Object.assign(here.dns.zones, zones())
  await verifiedDomain(here.projectApi, here.dns, 'shop.example')
  const silentServer = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((resolve) => silentServer.once('listening', resolve))
  onTestFinished(() => void silentServer.close())
  const outgoing = async (more: Circumstances): Promise<string> => {
    await here.db.run(sql`delete from node_hosts`)
    await looksOf(here, here.dns, more).runOnce()
    return (await installation(here)).smtp.outgoing
  }
  // Nobody listens on port 1.
  expect(await outgoing({ port: 1 })).toBe('blocked')
  expect(await outgoing({ port: (silentServer.address() as AddressInfo).port, timeoutMs: 200 })).toBe('blocked')
  // Our own filter, a smarthost, and a DNS that does not know the domain say nothing about the network.
  expect(await outgoing({ egress: 'closed' })).toBe('unknown')
  expect(await outgoing({ isRelayed: true })).toBe('relay')
  delete here.dns.zones['large.test']
  expect(await outgoing({ port: 1 })).toBe('unknown')
})

test('while sending is held, nobody tries whether mail would get out', async () => {
  const here = await worldWithDns()
  Object.assign(here.dns.zones, zones())
  await verifiedDomain(here.projectApi, here.dns, 'shop.example')
  await here.services.sendingSwitch.hold((await here.services.projects.workspace())!, 'a test')
  await looksOf(here, here.dns).runOnce()
  expect(here.dns.questions).not.toContain('MX large.test')
})

test('nodes tell of their processes, disks and certificates; the answer names the worst', async () => {
  const here = await world()
  const api = { role: 'api', up: true, restarts: 0 }
  const endsAt = new Date('2030-01-02T03:04:05.000Z')
  const first = reportsOf(here, () => [api, { role: 'worker', up: false, restarts: 3 }], {
    room: { freeBytes: 50, totalBytes: 100 },
    endsAt,
  })
  const second = reportsOf(here, () => [api], {
    id: 'two',
    name: 'post-2',
    room: { freeBytes: 1_000, totalBytes: 9_000 },
  })
  await first.runOnce()
  await second.runOnce()
  const body = await installation(here)
  const heartbeatAt = expect.any(String)
  expect(body.roles).toEqual([
    { node: 'post-1', role: 'api', up: true, restarts: 0, heartbeatAt },
    { node: 'post-1', role: 'worker', up: false, restarts: 3, heartbeatAt },
    { node: 'post-2', role: 'api', up: true, restarts: 0, heartbeatAt },
  ])
  expect(body.nodes[0]).toMatchObject({ node: 'post-1', version: '9.8.7', freeBytes: 50 })
  expect(body.disk).toEqual({ freeBytes: 1_000, totalBytes: 9_000 })
  expect(body.tls.expiresAt).toBe(endsAt.toISOString())
  expect(body.startedAt).toBe(body.nodes.map(({ startedAt }) => startedAt).toSorted()[0])
})

test('a node that falls silent is down, is forgotten after a day, and one that stops in order is gone at once', async () => {
  const here = await world()
  const api = { role: 'api', up: true, restarts: 0 }
  await reportsOf(here, () => [api]).runOnce()
  const orderly = reportsOf(here, () => [api], { id: 'two', name: 'post-2' })
  await orderly.runOnce()
  await orderly.stop()
  const up = async () => (await installation(here)).roles.map(({ node, up }) => [node, up])
  expect(await up()).toEqual([['post-1', true]])
  await moveClock(here.db, 11 * 60)
  expect(await up()).toEqual([['post-1', false]])
  await moveClock(here.db, 25 * 3_600)
  expect(await up()).toEqual([])
  await reportsOf(here, () => [api], { id: 'three', name: 'post-3' }).runOnce()
  expect(await here.db.all(sql`select name from nodes`)).toEqual([{ name: 'post-3' }])
})

test('a key or a role of a single project does not see the machines', async () => {
  const here = await tenant()
  const bound = await here.clientWith({ scopes: ['stats:read'], projectId: here.projectId })
  const { client } = await signIn(here, { role: 'admin', project: here.projectId })
  for (const refused of [bound, here.projectApi, client]) {
    expect(await refused.get('installation')).toMatchObject({ status: 403, body: { code: 'project_not_allowed' } })
  }
  const { client: viewer } = await signIn(here, { role: 'viewer' })
  for (const allowed of [await here.clientWith({ scopes: ['stats:read'] }), viewer.in(here.projectId)]) {
    expect((await allowed.get('installation')).status).toBe(200)
  }
})

test('an admin notes that the master key is kept elsewhere: it is remembered and written into the log', async () => {
  const here = await world({ env: { MASTER_KEY: '' } })
  const hint = async () => (await installation(here)).master
  expect(await hint()).toEqual({ backedUpHint: false, notedAt: null })
  expect(await here.api.post('installation/backup-noted')).toMatchObject({
    status: 403,
    body: { code: 'person_required' },
  })
  const { client: viewer } = await signIn(here, { role: 'viewer' })
  expect((await viewer.post('installation/backup-noted')).status).toBe(403)
  const { client: admin } = await signIn(here, { role: 'admin' })
  const noted = await admin.post<{ notedAt: string }>('installation/backup-noted')
  expect(noted.status).toBe(200)
  expect(await hint()).toEqual({ backedUpHint: true, notedAt: noted.body.notedAt })
  const log = await here.api.get<{ data: { sentence: string }[] }>('audit-log?action=installation')
  expect(log.body.data.map(({ sentence }) => sentence)).toEqual(['noted that the master key is kept in a second place'])
})
