import { afterEach, beforeEach, expect, test } from 'vitest'
import { DnsResolver, type DnsOptions } from '../../src/net/dns.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { quickest, stretched } from '../support/eventually.ts'

let server: DnsServer
let now = 0

// Each has its own: questions that an earlier test has given up may still be repeated.
beforeEach(async () => {
  now = 0
  server = await startDnsServer()
})
afterEach(() => server.stop())

const resolver = (zones: DnsServer['zones'], options: Partial<DnsOptions> = {}): DnsResolver => {
  server.zones = zones
  return new DnsResolver({ servers: [server.address], clock: { now: () => now }, timeoutMs: 3_000, ...options })
}

test('each type of record comes back in its own shape', async () => {
  const dns = resolver({
    'example.test': {
      A: ['192.0.2.1'],
      AAAA: ['2001:db8::1'],
      MX: ['20 Backup.Example.test', '10 mx.example.test'],
      TXT: ['v=spf1 -all', ['in two ', 'pieces']],
    },
    'www.example.test': { CNAME: 'example.test' },
  })
  expect(await dns.a('example.test')).toEqual({ kind: 'found', records: ['192.0.2.1'] })
  expect(await dns.aaaa('example.test')).toEqual({ kind: 'found', records: ['2001:db8::1'] })
  expect(await dns.txt('example.test')).toEqual({ kind: 'found', records: ['v=spf1 -all', 'in two pieces'] })
  expect(await dns.cname('www.example.test')).toEqual({ kind: 'found', records: ['example.test'] })
  expect(await dns.a('www.example.test')).toEqual({ kind: 'found', records: ['192.0.2.1'] })
  expect(await dns.mx('example.test')).toEqual({
    kind: 'found',
    records: [
      { preference: 20, exchange: 'backup.example.test' },
      { preference: 10, exchange: 'mx.example.test' },
    ],
  })
})

test('a name that is answered with nonsense spoils no answer for others', async () => {
  const dns = resolver({ 'example.test': { A: ['192.0.2.1'] }, 'nonsense.test': { fault: 'garbage' } })
  const asked = ['nonsense.test', 'absent.test', 'example.test'].map((name) => dns.a(name))
  expect(await Promise.all(asked)).toEqual([
    { kind: 'temporary', reason: 'the answer makes no sense' },
    { kind: 'absent' },
    { kind: 'found', records: ['192.0.2.1'] },
  ])
})

test('nothing of that type, no such name, and no answer are three different things', async () => {
  const dns = resolver({
    'only-address.test': { A: ['192.0.2.1'] },
    'deep.below.test': { A: ['192.0.2.1'] },
    'silent.test': { fault: 'silence' },
    'broken.test': { fault: 'servfail' },
    'closed.test': { fault: 'refused' },
    'nonsense.test': { fault: 'garbage' },
  })
  expect(await dns.mx('only-address.test')).toEqual({ kind: 'empty' })
  expect(await dns.mx('below.test')).toEqual({ kind: 'empty' })
  expect(await dns.mx('nowhere.test')).toEqual({ kind: 'absent' })
  expect(await dns.mx('bad..name')).toEqual({ kind: 'absent' })
  expect(await dns.mx('silent.test')).toEqual({ kind: 'temporary', reason: 'no answer in time' })
  expect(await dns.mx('broken.test')).toEqual({ kind: 'temporary', reason: 'the DNS server failed' })
  expect(await dns.mx('closed.test')).toEqual({ kind: 'temporary', reason: 'the DNS server refused' })
  expect(await dns.mx('nonsense.test')).toEqual({ kind: 'temporary', reason: 'the answer makes no sense' })
})

test('a silent server costs exactly our patience', async () => {
  const dns = resolver({ 'silent.test': { fault: 'silence' } }, { timeoutMs: 200 })
  const ms = await quickest(900, () => dns.txt('silent.test'))
  expect(ms).toBeGreaterThan(150)
  expect(ms).toBeLessThan(stretched(900))
})

test('a server that cannot be reached is a temporary failure', async () => {
  const gone = await startDnsServer()
  await gone.stop()
  const dns = resolver({}, { servers: [gone.address] })
  expect(await dns.mx('example.test')).toMatchObject({ kind: 'temporary' })
})

test('an answer too long for a packet comes over TCP', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `${n} mx${n}.a-rather-long-name.example.test`)
  const dns = resolver({ 'many.test': { MX: names } })
  const answer = await dns.mx('many.test')
  expect(answer.kind === 'found' && answer.records).toHaveLength(100)
})

test('an answer is remembered as long as its owner says, within bounds', async () => {
  const dns = resolver({
    'short.test': { A: ['192.0.2.1'], ttl: 1 },
    'middle.test': { A: ['192.0.2.1'], ttl: 120 },
    'long.test': { A: ['192.0.2.1'], ttl: 86_400 },
    'unknown.test': { MX: ['10 mx.test'], ttl: 1 },
  })
  const lifetimes: Record<string, number> = {}
  for (const name of ['short', 'middle', 'long', 'unknown', 'absent']) {
    const ask = () => (name === 'unknown' ? dns.mx(`${name}.test`) : dns.a(`${name}.test`))
    now = 0
    await ask()
    server.questions.length = 0
    for (now = 0; server.questions.length === 0; now += 1_000) await ask()
    lifetimes[name] = (now - 1_000) / 1_000
  }
  expect(lifetimes).toEqual({ short: 30, middle: 120, long: 600, unknown: 300, absent: 60 })
})

test('a temporary failure is not remembered, nor does it displace what is known', async () => {
  const dns = resolver({ 'a.test': { fault: 'servfail' } })
  expect(await dns.a('a.test')).toMatchObject({ kind: 'temporary' })
  server.zones = { 'a.test': { A: ['192.0.2.1'] } }
  expect(await dns.a('a.test')).toMatchObject({ kind: 'found' })
  server.zones = { 'a.test': { fault: 'servfail' } }
  expect(await dns.a('a.test', { fresh: true })).toMatchObject({ kind: 'temporary' })
  expect(await dns.a('a.test')).toMatchObject({ kind: 'found' })
})

test('somebody who waits for a record to appear gets a fresh answer', async () => {
  const dns = resolver({ 'a.test': { TXT: ['old'] } })
  await dns.txt('a.test')
  server.zones = { 'a.test': { TXT: ['new'] } }
  expect(await dns.txt('A.test.')).toMatchObject({ records: ['old'] })
  expect(await dns.txt('a.test', { fresh: true })).toMatchObject({ records: ['new'] })
  expect(await dns.txt('a.test')).toMatchObject({ records: ['new'] })
})

test('many who ask the same at once ask once', async () => {
  const dns = resolver({ 'a.test': { A: ['192.0.2.1'] } })
  const answers = await Promise.all(Array.from({ length: 200 }, () => dns.a('a.test')))
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['found']))
  expect(server.questions).toEqual(['A a.test'])
})

test('what is remembered is bounded, and the oldest goes first', async () => {
  const zones = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`n${n}.test`, { A: ['192.0.2.1'] }]))
  const dns = resolver(zones, { mostRemembered: 5 })
  for (const name of Object.keys(zones)) await dns.a(name)
  server.questions.length = 0
  await dns.a('n19.test')
  await dns.a('n15.test')
  expect(server.questions).toEqual([])
  await dns.a('n14.test')
  expect(server.questions).toEqual(['A n14.test'])
})
