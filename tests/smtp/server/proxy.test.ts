import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { readProxyHeader } from '../../../src/smtp/server/proxy.ts'
import { inboundWorld } from './world.ts'

const trusted = { proxies: [ipaddr.parseCIDR('127.0.0.0/8')] }

/** Version 2, with a TLV behind the addresses. */
function binary(
  source: string,
  port: number,
  { command = 0x21, family = undefined as number | undefined } = {},
): Buffer {
  const address = ipaddr.parse(source).toByteArray()
  const addresses = Buffer.from([...address, ...address, port >> 8, port & 0xff, 0, 25])
  const body = Buffer.concat([addresses, Buffer.from([0x04, 0, 1, 0])])
  const head = Buffer.from([command, family ?? (address.length === 4 ? 0x11 : 0x21), 0, body.length])
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n'), head, body])
}

const headers: [what: string, header: string | Buffer, client: { address: string; port?: number }][] = [
  ['version 1', 'PROXY TCP4 192.0.2.7 192.0.2.1 4711 25\r\n', { address: '192.0.2.7', port: 4711 }],
  ['version 1, IPv6', 'PROXY TCP6 2001:DB8::7 2001:db8::1 4711 25\r\n', { address: '2001:db8::7', port: 4711 }],
  ['version 1, unknown', 'PROXY UNKNOWN ffff:f...f 65535\r\n', { address: '127.0.0.1' }],
  ['version 2', binary('192.0.2.7', 4711), { address: '192.0.2.7', port: 4711 }],
  ['version 2, IPv6', binary('2001:db8::7', 4711), { address: '2001:db8::7', port: 4711 }],
  ['version 2, mapped', binary('::ffff:192.0.2.7', 4711), { address: '192.0.2.7', port: 4711 }],
  ['version 2, local', binary('192.0.2.7', 4711, { command: 0x20 }), { address: '127.0.0.1' }],
  ['version 2, a Unix socket', binary('192.0.2.7', 4711, { family: 0x31 }), { address: '127.0.0.1' }],
]

test.each(headers)('%s tells who is behind it, in one piece or in many', async (_what, header, client) => {
  const { call, delivered } = await inboundWorld(trusted)
  for (const pieces of [[header], [...Buffer.from(header)].map((octet) => Buffer.from([octet]))]) {
    const caller = await call()
    for (const piece of pieces) await caller.send(piece)
    expect(await caller.data()).toBe('250 250 354')
    expect(await caller.ask('x\r\n.')).toMatch(/^250/)
    expect(delivered.at(-1)!.session.client).toMatchObject(client)
  }
})

const malformed: [what: string, header: string | Buffer][] = [
  ['no header', 'EHLO client.test\r\n'],
  ['an IPv4 address for IPv6', 'PROXY TCP6 192.0.2.7 192.0.2.1 4711 25\r\n'],
  ['no address', 'PROXY TCP4 \r\n'],
  ['something that is no address', 'PROXY TCP4 192.0.2.256 192.0.2.1 4711 25\r\n'],
  ['a port too large', 'PROXY TCP4 192.0.2.7 192.0.2.1 65536 25\r\n'],
  ['a port that is none', 'PROXY TCP4 192.0.2.7 192.0.2.1 07 25\r\n'],
  ['one word too many', 'PROXY TCP4 192.0.2.7 192.0.2.1 4711 25 x\r\n'],
  ['another protocol', 'PROXY UDP4 192.0.2.7 192.0.2.1 4711 25\r\n'],
  ['a line without an end', `PROXY TCP4 ${' '.repeat(200)}`],
  ['lower case', 'proxy TCP4 192.0.2.7 192.0.2.1 4711 25\r\n'],
  ['version 3', binary('192.0.2.7', 1, { command: 0x31 })],
  ['an unknown command', binary('192.0.2.7', 1, { command: 0x22 })],
  ['addresses that are not there', Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x21\0\x0c123456789012', 'latin1')],
  ['a header without measure', Buffer.from('\r\n\r\n\0\r\nQUIT\n\x21\x11\xff\xff', 'latin1')],
]

test.each(malformed)('a balancer that sends %s is hung up on', async (_what, header) => {
  const { call } = await inboundWorld(trusted)
  const caller = await call()
  await caller.send(header)
  expect(await caller.rest()).toBe('')
})

test('a balancer that sends nothing is hung up on after a minute', async () => {
  const { call, pass } = await inboundWorld(trusted)
  const caller = await call()
  await caller.send('PROXY TCP4 192.')
  // The balancer is known by now: somebody else came and went after it.
  const other = await call()
  await other.send('x')
  await other.rest()
  pass(60_000)
  expect(await caller.rest()).toBe('')
})

test('from anybody else such a header is no command', async () => {
  const { call } = await inboundWorld({ proxies: [ipaddr.parseCIDR('192.0.2.0/24'), ipaddr.parseCIDR('::1/128')] })
  const caller = await call()
  expect(await caller.reply()).toMatch(/^220/)
  expect(await caller.ask('PROXY TCP4 192.0.2.7 192.0.2.1 4711 25')).toMatch(/^500/)
})

test('a client that talks before the greeting is not listened to, behind a balancer either', async () => {
  const { call } = await inboundWorld(trusted)
  const caller = await call()
  await caller.send('PROXY TCP4 192.0.2.7 192.0.2.1 4711 25\r\nEHLO client.test\r\n')
  expect(await caller.rest()).toMatch(/^554 5\.5\.1 /)
})

test('connections are counted for who is behind the balancer', async () => {
  const { call } = await inboundWorld({ ...trusted, limits: { connectionsPerClient: 1 } })
  const first = await call()
  await first.send(binary('2001:db8:1:2::1', 1))
  expect(await first.reply()).toMatch(/^220/)
  const neighbour = await call()
  await neighbour.send(binary('2001:db8:1:2::2', 1))
  expect(await neighbour.rest()).toMatch(/^421 4\.7\.0 /)
  const stranger = await call()
  await stranger.send(binary('2001:db8:1:3::1', 1))
  expect(await stranger.reply()).toMatch(/^220/)
})

test('a header is never read beyond its end, and never twice differently', () => {
  const start = fc.constantFrom(
    'PROXY TCP4 ',
    'PROXY ',
    '\r\n\r\n\0\r\nQUIT\n',
    '\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c',
    '',
  )
  fc.assert(
    fc.property(start, fc.uint8Array({ maxLength: 300 }), (head, tail) => {
      const bytes = Buffer.concat([Buffer.from(head, 'latin1'), tail])
      const header = readProxyHeader(bytes)
      if ('length' in header) {
        expect(header.length).toBeLessThanOrEqual(bytes.length)
        expect(readProxyHeader(bytes.subarray(0, header.length))).toEqual(header)
        expect(readProxyHeader(bytes.subarray(0, header.length - 1))).toEqual({ kind: 'partial' })
      }
    }),
    { numRuns: 2_000 },
  )
})
