import { afterAll, beforeAll, expect, test } from 'vitest'
import { DnsResolver } from '../../src/net/dns.ts'
import { findMailHosts, type MailHosts } from '../../src/mail/routes/mx.ts'
import { providerOf } from '../../src/mail/replies/providers.ts'
import { startDnsServer, type DnsServer, type Zones } from '../support/dns-server.ts'
import { quickest, stretched } from '../support/eventually.ts'

let server: DnsServer

beforeAll(async () => {
  server = await startDnsServer()
})
afterAll(() => server.stop())

const find = (
  domain: string,
  zones: Zones,
  { random = () => 0, timeoutMs = 300 }: { random?: () => number; timeoutMs?: number } = {},
) => {
  server.zones = zones
  const dns = new DnsResolver({ servers: [server.address], clock: { now: () => 0 }, timeoutMs })
  return findMailHosts(domain, dns, random)
}

const hosts = async (...question: Parameters<typeof find>): Promise<MailHosts> => {
  const answer = await find(...question)
  if (answer.kind !== 'hosts') throw new Error(answer.reply.text)
  return answer
}

test('hosts are tried by preference', async () => {
  const { hosts: found } = await hosts('a.test', { 'a.test': { MX: ['30 c.test', '10 a.test', '20 b.test'] } })
  expect(found).toEqual(['a.test', 'b.test', 'c.test'])
})

test('hosts of equal preference get equal shares', async () => {
  const zones = { 'a.test': { MX: ['10 a.test', '10 b.test', '10 c.test', '20 d.test'] } }
  const firsts = new Map<string, number>()
  let state = 1
  const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  for (let n = 0; n < 300; n++) {
    const { hosts: found } = await hosts('a.test', zones, { random })
    expect(found[3]).toBe('d.test')
    firsts.set(found[0]!, (firsts.get(found[0]!) ?? 0) + 1)
  }
  expect([...firsts.keys()].toSorted()).toEqual(['a.test', 'b.test', 'c.test'])
  for (const share of firsts.values()) expect(share).toBeGreaterThan(60)
})

test('a domain without MX records is its own host', async () => {
  expect(await hosts('a.test', { 'a.test': { A: ['192.0.2.1'] } })).toMatchObject({ hosts: ['a.test'] })
  expect(await hosts('b.test', { 'b.test': { AAAA: ['2001:db8::1'] } })).toMatchObject({ hosts: ['b.test'] })
})

test('an address literal is its own host', async () => {
  expect(await hosts('[192.0.2.1]', {})).toMatchObject({ hosts: ['192.0.2.1'] })
  expect(await hosts('[IPv6:2001:db8::1]', {})).toMatchObject({ hosts: ['2001:db8::1'] })
})

test.each<[string, string, Zones, { kind: string; code: number; enhanced: string }]>([
  ['a null MX', 'a.test', { 'a.test': { MX: ['0 .'] } }, { kind: 'permanent', code: 556, enhanced: '5.1.10' }],
  ['no such domain', 'a.test', {}, { kind: 'permanent', code: 550, enhanced: '5.1.2' }],
  ['no MX and no address', 'a.test', { 'a.test': { TXT: ['x'] } }, { kind: 'permanent', code: 550, enhanced: '5.1.2' }],
  ['an impossible name', 'a b', {}, { kind: 'permanent', code: 550, enhanced: '5.1.2' }],
  ['a bare address', '192.0.2.1', {}, { kind: 'permanent', code: 550, enhanced: '5.1.2' }],
  ['a bad literal', '[192.0.2]', {}, { kind: 'permanent', code: 550, enhanced: '5.1.2' }],
  ['SERVFAIL', 'a.test', { 'a.test': { fault: 'servfail' } }, { kind: 'temporary', code: 451, enhanced: '4.4.3' }],
  ['REFUSED', 'a.test', { 'a.test': { fault: 'refused' } }, { kind: 'temporary', code: 451, enhanced: '4.4.3' }],
  ['no answer', 'a.test', { 'a.test': { fault: 'silence' } }, { kind: 'temporary', code: 451, enhanced: '4.4.3' }],
  ['garbage', 'a.test', { 'a.test': { fault: 'garbage' } }, { kind: 'temporary', code: 451, enhanced: '4.4.3' }],
  [
    'MX without a name',
    'a.test',
    { 'a.test': { MX: ['1 192.0.2.1'] } },
    { kind: 'temporary', code: 451, enhanced: '4.4.4' },
  ],
])('%s', async (_case, domain, zones, { kind, code, enhanced }) => {
  expect(await find(domain, zones)).toMatchObject({ kind, reply: { code, enhanced } })
})

test('a name is 253 characters long at most', async () => {
  const longest = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
  expect(longest).toHaveLength(253)
  expect((await hosts('a.test', { 'a.test': { MX: [`10 ${longest}`] } })).hosts).toEqual([longest])
})

test('a null MX beside a real one is only an unusable host', async () => {
  expect(await hosts('a.test', { 'a.test': { MX: ['0 .', '10 mx.test'] } })).toMatchObject({ hosts: ['mx.test'] })
})

test('a hundred hosts are cut down to ten, and their key stays short', async () => {
  const all = Array.from({ length: 100 }, (_, n) => `${n} mx${n}.example.test`)
  const found = await hosts('a.test', { 'a.test': { MX: all } })
  expect(found.hosts).toEqual(Array.from({ length: 10 }, (_, n) => `mx${n}.example.test`))
  expect(found.key.length).toBeLessThan(60)
  const other = await hosts('b.test', { 'b.test': { MX: [...all.slice(0, 99), '99 other.test'] } })
  expect(other.key).not.toBe(found.key)
})

test('the silence of every server ends within ten seconds, whatever has to be asked', async () => {
  const ms = await quickest(10_000, () => find('a.test', { 'a.test': { fault: 'silence' } }, { timeoutMs: 4_500 }))
  expect(ms).toBeLessThan(stretched(10_000))
})

test('domains with the same hosts in the same order share connections, whatever the numbers', async () => {
  const zones = {
    'a.test': { MX: ['10 x.test', '10 y.test', '20 z.test'] },
    'b.test': { MX: ['1 Y.test', '5 z.test', '1 x.test'] },
    'c.test': { MX: ['1 z.test', '5 x.test', '5 y.test'] },
  }
  const [a, b, c] = [await hosts('a.test', zones), await hosts('b.test', zones), await hosts('c.test', zones)]
  expect(a.key).toBe(b.key)
  expect(a.site).toBe(a.key)
  expect(c.key).not.toBe(a.key)
})

test('domains of one provider share limits, but not connections', async () => {
  const zones = {
    'a.test': { MX: ['0 a-test.mail.protection.outlook.com'] },
    'b.test': { MX: ['0 b-test.mail.protection.outlook.com'] },
    'mixed.test': { MX: ['0 aspmx.l.google.com', '0 mx.mixed.test'] },
    'backup.test': { MX: ['0 aspmx.l.google.com', '10 mx.backup.test'] },
  }
  const [a, b] = [await hosts('a.test', zones), await hosts('b.test', zones)]
  expect([a.site, b.site]).toEqual(['microsoft', 'microsoft'])
  expect(a.key).not.toBe(b.key)
  expect((await hosts('mixed.test', zones)).site).toBe('aspmx.l.google.com,mx.mixed.test')
  expect((await hosts('backup.test', zones)).site).toBe('google')
})

test.each([
  ['gmail-smtp-in.l.google.com', 'google'],
  ['alt4.aspmx.l.google.com', 'google'],
  ['aspmx5.googlemail.com', 'google'],
  ['outlook-com.olc.protection.outlook.com', 'microsoft'],
  ['contoso-com.o-v1.mx.microsoft', 'microsoft'],
  ['mta7.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'apple'],
  ['mx-eu.mail.am0.yahoodns.net', 'yahoo'],
  ['mx00.kundenserver.de', 'united-internet'],
  ['google.com.evil.test', undefined],
  ['notgoogle.com', undefined],
  ['mx.example.com', undefined],
])('%s belongs to %s', (host, provider) => {
  expect(providerOf(host)).toBe(provider)
})
