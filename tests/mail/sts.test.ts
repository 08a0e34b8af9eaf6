import { createServer, type ServerOptions } from 'node:https'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { DnsResolver } from '../../src/net/dns.ts'
import { MtaSts } from '../../src/mail/routes/sts.ts'
import { stsFetcher, type StsFetchOptions } from '../../src/mail/routes/sts-fetch.ts'
import { parseStsPolicy, stsAllows, stsId } from '../../src/mail/routes/sts-policy.ts'
import { makeAuthority, selfSigned } from '../support/certificates.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { quickest, stretched } from '../support/eventually.ts'

const enforce = 'version: STSv1\r\nmode: enforce\r\nmx: mx.a.test\r\nmx: *.backup.test\r\nmax_age: 86400\r\n'
const authority = makeAuthority()
let server: DnsServer
let now = 0

beforeAll(async () => {
  server = await startDnsServer()
})
afterAll(() => server.stop())
beforeEach(() => {
  now = 0
})

const dns = () => new DnsResolver({ servers: [server.address], clock: { now: () => now }, timeoutMs: 300 })

/** A policy that a test can change, and how often it was fetched. */
function world(text: string | undefined, id = 'one', mostRemembered?: number) {
  server.zones = { '_mta-sts.a.test': { TXT: [`v=STSv1; id=${id};`] } }
  const state = { text, fetched: 0, id }
  const resolver = dns()
  const sts = new MtaSts({
    // Nothing is remembered here, so that a test can change the record without waiting.
    dns: { ...methods(resolver), txt: (name) => resolver.txt(name, { fresh: true }) },
    fetch: async () => {
      state.fetched++
      return state.text
    },
    clock: { now: () => now },
    ...(mostRemembered ? { mostRemembered } : {}),
  })
  return { sts, state, publish: (next: string) => (server.zones['_mta-sts.a.test'] = { TXT: [`v=STSv1; id=${next}`] }) }
}

const methods = (resolver: DnsResolver) => ({
  mx: resolver.mx.bind(resolver),
  a: resolver.a.bind(resolver),
  aaaa: resolver.aaaa.bind(resolver),
  cname: resolver.cname.bind(resolver),
  ptr: resolver.ptr.bind(resolver),
})

test('a policy in force is enforced, and fetched once', async () => {
  const { sts, state } = world(enforce)
  expect(await sts.enforcedFor('a.test')).toMatchObject({ hosts: ['mx.a.test', '*.backup.test'] })
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
  expect(state.fetched).toBe(1)
})

test.each(['testing', 'none'])('a policy in mode %s changes nothing', async (mode) => {
  const { sts } = world(enforce.replace('enforce', mode))
  expect(await sts.enforcedFor('a.test')).toBeUndefined()
})

test('without a record, nothing is fetched', async () => {
  const { sts, state } = world(enforce)
  server.zones = { '_mta-sts.a.test': { TXT: ['v=spf1 -all'] } }
  expect(await sts.enforcedFor('a.test')).toBeUndefined()
  expect(state.fetched).toBe(0)
})

test('a policy that cannot be fetched does not hold up mail, and is asked for again only after minutes', async () => {
  const { sts, state } = world(undefined)
  for (let n = 0; n < 5; n++) expect(await sts.enforcedFor('a.test')).toBeUndefined()
  expect(state.fetched).toBe(1)
  state.text = enforce
  now += 301_000
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
})

test('a known policy survives the loss of the record and of the policy until it expires', async () => {
  const { sts, state, publish } = world(enforce)
  await sts.enforcedFor('a.test')
  server.zones = {}
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
  server.zones = { '_mta-sts.a.test': { fault: 'servfail' } }
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
  publish('two')
  state.text = 'nonsense'
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
  now = 86_401_000
  expect(await sts.enforcedFor('a.test')).toBeUndefined()
})

test('a new id brings the new policy', async () => {
  const { sts, state, publish } = world(enforce)
  await sts.enforcedFor('a.test')
  state.text = enforce.replace('mx.a.test', 'new.a.test')
  expect(await sts.enforcedFor('a.test')).toMatchObject({ hosts: ['mx.a.test', '*.backup.test'] })
  publish('two')
  expect(await sts.enforcedFor('a.test')).toMatchObject({ hosts: ['new.a.test', '*.backup.test'] })
})

test('a policy is renewed when half of its time is over', async () => {
  const { sts, state } = world(enforce)
  await sts.enforcedFor('a.test')
  now = 43_201_000
  await sts.enforcedFor('a.test')
  expect(state.fetched).toBe(2)
  now = 86_401_000
  server.zones = {}
  expect(await sts.enforcedFor('a.test')).toMatchObject({ mode: 'enforce' })
})

test('many who ask at once fetch once, and memory is bounded', async () => {
  const { sts, state } = world(enforce, 'one', 2)
  await Promise.all(Array.from({ length: 50 }, () => sts.enforcedFor('a.test')))
  expect(state.fetched).toBe(1)
  for (const name of ['b', 'c']) {
    server.zones[`_mta-sts.${name}.test`] = { TXT: ['v=STSv1; id=one'] }
    await sts.enforcedFor(`${name}.test`)
  }
  server.zones = {}
  expect(await sts.enforcedFor('a.test')).toBeUndefined()
  expect(await sts.enforcedFor('c.test')).toBeDefined()
})

test.each<[string[], string | undefined]>([
  [['v=STSv1; id=20160831085700Z;'], '20160831085700Z'],
  [['v=STSv1;id=a'], 'a'],
  [['v=STSv1; ext=x; id=b2'], 'b2'],
  [['other', 'v=STSv1; id=c;'], 'c'],
  [['v=STSv1; id=a;', 'v=STSv1; id=b;'], undefined],
  [['v=STSv2; id=a;'], undefined],
  [['v=STSv1; id=;'], undefined],
  [['v=STSv1; id=not-alphanumeric;'], undefined],
  [[`v=STSv1; id=${'a'.repeat(33)};`], undefined],
  [['id=a; v=STSv1;'], undefined],
  [[], undefined],
])('the id in %j', (records, id) => {
  expect(stsId(records)).toBe(id)
})

test.each([
  'mode: enforce\nmx: a.test\nmax_age: 1',
  'version: STSv2\nmode: enforce\nmx: a.test\nmax_age: 1',
  'version: STSv1\nmode: maybe\nmx: a.test\nmax_age: 1',
  'version: STSv1\nmode: enforce\nmax_age: 1',
  'version: STSv1\nmode: enforce\nmx: a.test\nmax_age: soon',
  'version: STSv1\nmode: enforce\nmx: a.test',
  '<html>not found</html>',
  '',
])('a policy that lacks something is none: %j', (text) => {
  expect(parseStsPolicy(text)).toBeUndefined()
})

test('a policy is read whatever its line ends, order and extensions', () => {
  expect(parseStsPolicy('max_age: 99999999999\nfuture: x\n')).toBeUndefined()
  expect(parseStsPolicy('max_age:4000000000\nmx:MX.A.test.\nfuture: x\nmode : testing\nversion: STSv1')).toEqual({
    mode: 'testing',
    hosts: ['mx.a.test'],
    maxAgeSeconds: 31_557_600,
  })
  expect(parseStsPolicy('version: STSv1\nmode: none\nmax_age: 60')).toMatchObject({ mode: 'none', hosts: [] })
})

test('a wildcard stands for exactly one label', () => {
  const policy = { mode: 'enforce', hosts: ['mx.a.test', '*.b.test'], maxAgeSeconds: 1 } as const
  expect(['mx.a.test', 'x.b.test'].every((host) => stsAllows(policy, host))).toBe(true)
  expect(['a.test', 'y.mx.a.test', 'b.test', 'x.y.b.test', 'xb.test', ''].some((host) => stsAllows(policy, host))).toBe(
    false,
  )
})

/** The policy host of `a.test`. */
async function policyHost(listener: RequestListener, options: ServerOptions = authority.issue(['mta-sts.a.test'])) {
  const https = createServer(options, listener)
  await new Promise<void>((resolve) => void https.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    https.closeAllConnections()
    https.close()
  })
  server.zones = { 'mta-sts.a.test': { A: ['127.0.0.1'] } }
  const { port } = https.address() as AddressInfo
  return (more: Partial<StsFetchOptions> = {}) =>
    stsFetcher({
      dns: dns(),
      egress: { allow: [ipaddr.parseCIDR('127.0.0.0/8')], own: [] },
      authorities: [authority.cert],
      port,
      ...more,
    })('a.test')
}

const answer =
  (text: string, status = 200, headers: Record<string, string> = { 'content-type': 'text/plain' }): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers).end(text)
  }

test('a policy is fetched from its well-known place', async () => {
  const asked: string[] = []
  const fetch = await policyHost((request, response) => {
    asked.push(`${request.method} ${request.headers.host}${request.url}`)
    answer(enforce)(request, response)
  })
  expect(await fetch()).toBe(enforce)
  expect(asked).toEqual(['GET mta-sts.a.test/.well-known/mta-sts.txt'])
})

test.each<[string, RequestListener]>([
  ['a redirect', answer('', 301, { location: 'https://mta-sts.a.test/other', 'content-type': 'text/plain' })],
  ['a missing page', answer('gone', 404)],
  ['another type', answer(enforce, 200, { 'content-type': 'text/html' })],
  ['too long a text', answer('x'.repeat(70_000))],
  ['a broken connection', (_request, response) => void response.destroy()],
])('%s is no policy', async (_case, listener) => {
  expect(await (await policyHost(listener))()).toBeUndefined()
})

test('the certificate of the policy host must be good', async () => {
  const wrong = [
    selfSigned(['mta-sts.a.test']),
    authority.issue(['a.test']),
    authority.issue(['mta-sts.a.test'], { expired: true }),
  ]
  for (const certificate of wrong) {
    expect(await (await policyHost(answer(enforce), certificate))()).toBeUndefined()
  }
})

test('the policy host is reached through the egress filter only', async () => {
  let asked = 0
  const fetch = await policyHost((request, response) => {
    asked++
    answer(enforce)(request, response)
  })
  expect(await fetch({ egress: { allow: [], own: [] } })).toBeUndefined()
  expect(asked).toBe(0)
})

test('a policy host that drips costs no more than our patience', async () => {
  const fetch = await policyHost((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' })
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  expect(await quickest(1_500, () => fetch({ timeoutMs: 300 }))).toBeLessThan(stretched(1_500))
})
