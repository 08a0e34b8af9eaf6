import { createServer, type AddressInfo } from 'node:net'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { dial } from '../../src/net/dial.ts'
import { mayConnect, type Egress } from '../../src/net/egress.ts'

const networks = (...cidrs: string[]) => cidrs.map((cidr) => ipaddr.parseCIDR(cidr))
const closed: Egress = { allow: [], own: ['93.184.216.99', '2a01:4f8::99'] }

const open = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.216.34',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2a00:1450:4001::1a',
  '2606:4700::1111',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
]

const forbidden = `
  0.0.0.0 0.0.0.1 0.255.255.255 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255
  127.0.0.1 127.0.0.53 127.255.255.255 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255
  192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255
  198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 93.184.216.99
  :: ::1 ::2 ::127.0.0.1 ::10.0.0.1 ::8.8.8.8
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.1.2.3 ::ffff:169.254.169.254 0:0:0:0:0:ffff:c0a8:0101
  ::ffff:93.184.216.99 ::ffff:0:127.0.0.1 ::ffff:0:8.8.8.8
  64:ff9b::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::8.8.8.8 64:ff9b:1:7f00:0:100::
  64:ff9b::93.184.216.99
  2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101::1 2002:808:808::1
  2001::1 2001:0:7f00:1:: 2001:0:4136:e378:8000:63bf:80ff:fffe 2001:10::1 2001:20::1 2001:1ff::1
  2a00:1450::5efe:127.0.0.1 2a00:1450::200:5efe:10.0.0.1 2a00:1450:0:0:0:5efe:c0a8:1
  2001:db8::1 2001:db8:ffff::1 3fff::1 3fff:fff::1 100::1 5f00::1
  fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1 ff0e::1
  4000::1 a000::1 2a01:4f8::99 2A01:04F8:0:0:0:0:0:99`
  .trim()
  .split(/\s+/)

const notAddresses = `
  localhost example.com 127.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1. 127.0.0.01 127.0.0.1:25 [::1] ::1/128
  ::ffff:127.1 １２７.0.0.1`
  .trim()
  .split(/\s+/)
  .concat('', ' 8.8.8.8', '8.8.8.8\n', '8.8.8.8\0')

test.each(open)('the open internet may be reached: %s', (address) => {
  expect(mayConnect(address, closed)).toBe(true)
})

test.each(forbidden)('what is not the open internet may not: %s', (address) => {
  expect(mayConnect(address, closed)).toBe(false)
})

test.each(notAddresses)('what is no address, or no usual spelling of one, may not: %j', (address) => {
  expect(mayConnect(address, closed)).toBe(false)
})

test('a network on the list is let through, in every spelling of its addresses', () => {
  const allow = { allow: networks('127.0.0.0/8', '10.1.0.0/16', '::1/128', 'fd00::/8'), own: ['127.0.0.1'] }
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:2', '10.1.2.3', '::1', 'fd12::1']) {
    expect([address, mayConnect(address, allow)]).toEqual([address, true])
  }
  for (const address of ['10.2.0.1', '::ffff:10.2.0.1', 'fe80::1', '64:ff9b::127.0.0.1', '2002:7f00:1::', '::7f00:1']) {
    expect([address, mayConnect(address, allow)]).toEqual([address, false])
  }
})

test('a network that is written in the mapped form is the IPv4 network', () => {
  const mapped = { allow: networks('::ffff:10.0.0.0/104'), own: [] }
  expect(mayConnect('10.200.0.1', mapped)).toBe(true)
  expect(mayConnect('::ffff:10.200.0.1', mapped)).toBe(true)
  expect(mayConnect('172.16.0.1', mapped)).toBe(false)
  expect(mayConnect('127.0.0.1', { allow: networks('::/0'), own: [] })).toBe(false)
})

test('a mapped address is judged exactly like the address inside', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(mayConnect(`::ffff:${address}`, closed)).toBe(mayConnect(address, closed))
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv6 address never leads to a forbidden IPv4 address, through no translator or tunnel', () => {
  const hex = (address: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
    return [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)] as const
  }
  const inner = fc.constantFrom(...forbidden.filter((address) => /^\d+\.\d+\.\d+\.\d+$/.test(address)))
  fc.assert(
    fc.property(inner, fc.integer({ min: 0, max: 7 }), (address, form) => {
      const [high, low] = hex(address)
      const forms = [
        `::ffff:${high}:${low}`,
        `::${high}:${low}`,
        `::ffff:0:${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::`,
        `2a00:1450:4001::5efe:${high}:${low}`,
        `2a00:1450:4001::200:5efe:${high}:${low}`,
      ]
      expect(mayConnect(forms[form]!, closed)).toBe(false)
    }),
    { numRuns: 1_000 },
  )
})

test('not one packet goes to a forbidden address', async () => {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).destroy()
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', 'localhost', '127.1', '0.0.0.0']) {
    expect(await dial({ address, port }, closed, 200)).toEqual({ kind: 'forbidden' })
  }
  expect(connections).toBe(0)
  const allowed = await dial({ address: '127.0.0.1', port }, { allow: networks('127.0.0.0/8'), own: [] }, 2_000)
  expect(allowed.kind).toBe('connected')
  if (allowed.kind === 'connected') allowed.socket.destroy()
  await new Promise((resolve) => server.close(resolve))
})

test('a closed port and a host that does not answer are told apart', async () => {
  const loopback = { allow: networks('127.0.0.0/8'), own: [] }
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  expect(await dial({ address: '127.0.0.1', port }, loopback, 2_000)).toEqual({
    kind: 'failed',
    reason: 'connection refused',
    timedOut: false,
  })
})
