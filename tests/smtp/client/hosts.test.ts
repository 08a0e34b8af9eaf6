import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { quickest, stretched } from '../../support/eventually.ts'
import { impatient, world } from './world.ts'

const twoHosts = {
  'a.test': { MX: ['10 mx1.test', '20 mx2.test'] },
  'mx1.test': { A: ['127.0.0.1'] },
  'mx2.test': { A: ['127.0.0.2'] },
}

test.each([
  ['that greets with 421', { orders: { greeting: '421-4.3.2' } }],
  ['that greets with 554', { orders: { greeting: '554-5.7.1' } }],
  ['that drops us at once', { orders: { greeting: 'drop' } }],
  ['that is silent', { orders: { greeting: 'hang' } }],
  ['that talks nonsense', { orders: { greeting: 'garbage' } }],
  ['that does not like our name', { orders: { ehlo: '450-4.7.0' } }],
])('a host %s is passed over', async (_case, options) => {
  const { send, another } = await world(options, { zones: twoHosts, ...impatient })
  const second = await another('127.0.0.2')
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { host: 'mx2.test' } })
  expect(second.taken).toHaveLength(1)
})

test('a host that cannot be reached is passed over, and left alone for two minutes', async () => {
  const { send, sink, another, clock } = await world({}, { zones: { ...twoHosts, 'mx1.test': { A: ['127.0.0.9'] } } })
  const second = await another('127.0.0.2', { mostMails: 1 })
  expect((await send('x@a.test')).peer?.host).toBe('mx2.test')
  const first = await another('127.0.0.9')
  expect((await send('x@a.test')).peer?.host).toBe('mx2.test')
  clock.ahead = 121_000
  expect((await send('x@a.test')).peer?.host).toBe('mx1.test')
  expect([sink.taken.length, second.taken.length, first.taken.length]).toEqual([0, 2, 1])
})

test('when no host can be reached that is the result, and the next mail comes back unharmed', async () => {
  const { send, clock } = await world({}, { zones: { ...twoHosts, 'mx1.test': { A: ['127.0.0.9'] } } })
  expect((await send('x@a.test')).result).toEqual({
    kind: 'lost',
    stage: 'connect',
    reason: 'connection refused',
    timedOut: false,
  })
  const { result } = await send('x@a.test')
  expect(result).toMatchObject({ kind: 'returned', reason: 'mx1.test is down: connection refused' })
  expect(result.kind === 'returned' && result.afterMs).toBeGreaterThan(100_000)
  clock.ahead = 121_000
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'connect' })
})

test('a host that loses a mail before the dot does not get it again: the next one does', async () => {
  const { send, sink, another } = await world({}, { zones: twoHosts })
  const second = await another('127.0.0.2')
  expect((await send('drop-at-rcpt@a.test')).result).toMatchObject({ kind: 'lost', stage: 'rcpt' })
  expect([sink.connections.length, second.connections.length]).toEqual([1, 1])
})

test('a host without an address is passed over', async () => {
  const { send } = await world({}, { zones: { 'a.test': { MX: ['10 nowhere.test', '20 mx.a.test'] } } })
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { host: 'mx.a.test' } })
})

test('hosts without any address are a temporary failure', async () => {
  const { send } = await world({}, { zones: { 'a.test': { MX: ['10 nowhere.test'] } } })
  expect((await send('x@a.test')).result).toMatchObject({
    kind: 'lost',
    stage: 'dns',
    reason: 'nowhere.test has no address',
  })
})

test('the silence of ten names lasts no longer than that of one', async () => {
  const names = Array.from({ length: 10 }, (_, n) => `mx${n}.silent.test`)
  const silent = Object.fromEntries(names.map((name) => [name, { fault: 'silence' as const }]))
  const { send } = await world({}, { zones: { 'a.test': { MX: names.map((name, n) => `${n} ${name}`) }, ...silent } })
  const ms = await quickest(2_500, async () => {
    expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'dns' })
  })
  expect(ms).toBeLessThan(stretched(2_500))
})

test('every address of a host is tried', async () => {
  const { send, sink } = await world({}, { zones: { 'mx.a.test': { A: ['127.0.0.8', '127.0.0.9', '127.0.0.1'] } } })
  expect((await send('x@a.test')).peer).toMatchObject({ host: 'mx.a.test', address: '127.0.0.1' })
  expect(sink.taken).toHaveLength(1)
})

test('a host with a hundred addresses does not keep us busy', async () => {
  const many = Array.from({ length: 100 }, (_, n) => `127.0.1.${n + 1}`)
  const { send } = await world({}, { zones: { 'mx.a.test': { A: [...many, '127.0.0.1'] } } })
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'connect' })
})

test('what may pass is told before what will not', async () => {
  const { send, another } = await world({ orders: { greeting: '554-5.7.1' } }, { zones: twoHosts })
  const second = await another('127.0.0.2', { orders: { greeting: '421-4.3.2' } })
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'refused', stage: 'greeting', reply: { code: 421 } })
  second.options.orders = { greeting: '550-5.0.0' }
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'refused', stage: 'greeting', reply: { code: 554 } })
})

test.each([
  ['127.0.0.1', ['127.0.0.1']],
  ['a private network', ['10.1.2.3', '192.168.1.1', '169.254.169.254']],
])('mail to hosts at %s goes nowhere', async (_case, addresses) => {
  const { send, sink } = await world(
    {},
    { egress: { allow: [], own: [] }, zones: { 'mx.a.test': { A: addresses, AAAA: ['::1', '::ffff:127.0.0.1'] } } },
  )
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'declined', reply: { code: 550, enhanced: '5.4.4' } })
  expect((await send('x@[127.0.0.1]')).result).toMatchObject({ kind: 'declined' })
  expect((await send('x@[IPv6:::ffff:127.0.0.1]')).result).toMatchObject({ kind: 'declined' })
  expect(sink.connections).toEqual([])
})

test('our own address is not a host for others', async () => {
  const { send, sink } = await world(
    {},
    { egress: { allow: [], own: ['93.184.216.1'] }, zones: { 'mx.a.test': { A: ['93.184.216.1'] } } },
  )
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'declined' })
  expect(sink.connections).toEqual([])
})

test('a name that changes its address between two questions gains nothing', async () => {
  const { send, dns, sink } = await world({}, { egress: { allow: [ipaddr.parseCIDR('127.0.0.2/32')], own: [] } })
  dns.zones['mx.a.test'] = { A: ['127.0.0.2'], ttl: 0 }
  await send('x@a.test')
  dns.zones['mx.a.test'] = { A: ['127.0.0.1'], ttl: 0 }
  await send('x@a.test')
  expect(sink.connections).toEqual([])
})

test.each([
  ['a null MX', { MX: ['0 .'] }, { code: 556, enhanced: '5.1.10' }],
  ['a domain without anything', { TXT: ['x'] }, { code: 550, enhanced: '5.1.2' }],
  ['SERVFAIL', { fault: 'servfail' as const }, { code: 451, enhanced: '4.4.3' }],
  ['no answer', { fault: 'silence' as const }, { code: 451, enhanced: '4.4.3' }],
])('%s is answered without a connection', async (_case, zone, reply) => {
  const { send, sink } = await world({}, { zones: { 'a.test': zone } })
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'refused', stage: 'dns', reply })
  expect(sink.connections).toEqual([])
})

test('a given source is what we come from', async () => {
  const { send } = await world({}, { source: '127.0.0.7' })
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { source: '127.0.0.7' } })
})
