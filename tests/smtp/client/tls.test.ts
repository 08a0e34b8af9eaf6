import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { makeAuthority, selfSigned } from '../../support/certificates.ts'
import { impatient, world } from './world.ts'

const authority = makeAuthority()
const good = authority.issue(['mx.a.test'])
const trusting = { authorities: [authority.cert] }
const enforced = { mode: 'enforce', hosts: ['mx.a.test'], maxAgeSeconds: 1 } as const

test('TLS is used where it is offered, whatever the certificate', async () => {
  for (const tls of [selfSigned(['somebody.else']), authority.issue(['mx.a.test'], { expired: true })]) {
    const { send, sink, wire } = await world({ tls })
    expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: 'TLSv1.3' } })
    expect(sink.taken).toMatchObject([{ tls: 'TLSv1.3' }])
    expect(sink.connections[0]!.serverName).toBe('mx.a.test')
    // What was said before TLS does not count: EHLO is said again.
    expect(wire().match(/EHLO client\.test/g)).toHaveLength(2)
  }
})

test('a broken handshake is followed by plain text, and remembered for three days', async () => {
  const { send, sink, clock } = await world({ tls: 'broken' })
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: undefined } })
  expect(sink.connections).toHaveLength(2)
  const handshakes = () => sink.connections.filter(({ chunks }) => Buffer.concat(chunks).includes('STARTTLS')).length
  sink.say('421 bye\r\n')
  await eventually('the connection is closed', () => sink.connections.every(({ isClosed }) => isClosed))
  clock.ahead = 2.9 * 86_400_000
  expect((await send('x@a.test')).result.kind).toBe('accepted')
  expect(handshakes()).toBe(1)
  clock.ahead = 3.1 * 86_400_000
  expect((await send('x@a.test')).result.kind).toBe('accepted')
  expect(handshakes()).toBe(2)
  expect(sink.taken).toHaveLength(3)
})

test('a handshake that never comes is followed by plain text too', async () => {
  const { send, sink } = await world({ tls: selfSigned(['x']), orders: { tls: '220' } }, impatient)
  expect((await send('x@a.test')).result.kind).toBe('accepted')
  expect(sink.taken).toMatchObject([{ tls: undefined }])
})

test('a server that refuses STARTTLS gets plain text on the same connection', async () => {
  const { send, sink } = await world({ tls: selfSigned(['x']), orders: { tls: '454-4.7.0' } })
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: undefined } })
  expect(sink.connections).toHaveLength(1)
})

test('what somebody adds before TLS is forgotten', async () => {
  // Two answers in advance: the first would pass for the answer to EHLO, and take away the pipelining.
  const { send, sink, wire } = await world({ tls: good, beforeTls: '250 hello\r\n250 forged\r\n' })
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: 'TLSv1.3' } })
  expect(wire()).toContain('SIZE=')
  expect(sink.taken).toMatchObject([{ tls: 'TLSv1.3' }])
})

test('sessions are resumed per host', async () => {
  const { send, sink } = await world({ tls: good, mostMails: 1 })
  for (let n = 0; n < 3; n++) expect((await send(`${n}@a.test`)).result.kind).toBe('accepted')
  expect(sink.connections.map(({ resumed }) => resumed)).toEqual([false, true, true])
})

test('under a policy in force a good certificate is enough', async () => {
  const { send, policies, sink } = await world({ tls: good }, trusting)
  policies['a.test'] = enforced
  expect(await send('x@a.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: 'TLSv1.3' } })
  expect(sink.taken).toHaveLength(1)
})

test.each([
  ['signed by nobody', selfSigned(['mx.a.test']), 'the certificate is signed by itself'],
  ['for another name', authority.issue(['mx.b.test']), 'the certificate is for another name'],
  ['expired', authority.issue(['mx.a.test'], { expired: true }), 'the certificate has expired'],
])('under a policy in force a certificate %s delivers nothing', async (_case, tls, reason) => {
  const { send, policies, sink, wire } = await world({ tls }, trusting)
  policies['a.test'] = enforced
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'tls', reason })
  expect(sink.connections).toHaveLength(1)
  expect(wire()).not.toContain('MAIL')
  // Domains without a policy still get their mail there.
  expect((await send('x@b.test')).result.kind).toBe('accepted')
})

test('under a policy in force there is no plain text, neither remembered nor for want of an offer', async () => {
  const { send, policies, sink } = await world({ tls: 'broken' }, trusting)
  expect(await send('x@b.test')).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: undefined } })
  policies['a.test'] = enforced
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'tls' })
  delete sink.options.tls
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', reason: 'the server offers no TLS' })
  sink.options.tls = good
  sink.options.orders = { tls: '454-4.7.0' }
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', reason: 'the server refused to start TLS' })
  expect(sink.taken.map(({ to }) => to)).toEqual(['x@b.test'])
})

test('a session without a verified certificate is not resumed where one is demanded', async () => {
  const { send, policies, sink } = await world({ tls: selfSigned(['mx.a.test']), mostMails: 1 }, trusting)
  expect((await send('x@b.test')).result.kind).toBe('accepted')
  policies['a.test'] = enforced
  expect((await send('x@a.test')).result).toMatchObject({ kind: 'lost', stage: 'tls' })
  expect(sink.connections.map(({ resumed }) => resumed)).not.toContain(true)
})

test('hosts that a policy does not name are not tried', async () => {
  const { send, policies, dns, another, sink } = await world({ tls: good }, trusting)
  dns.zones['a.test'] = { MX: ['10 evil.test', '20 mx.a.test'] }
  dns.zones['evil.test'] = { A: ['127.0.0.2'] }
  const evil = await another('127.0.0.2', { tls: authority.issue(['evil.test']) })
  policies['a.test'] = enforced
  expect((await send('x@a.test')).result.kind).toBe('accepted')
  expect([evil.connections.length, sink.taken.length]).toEqual([0, 1])
  policies['a.test'] = { ...enforced, hosts: ['other.test'] }
  expect((await send('x@a.test')).result).toMatchObject({
    kind: 'lost',
    reason: 'the MTA-STS policy of a.test allows none of its mail hosts',
  })
})

test('domains on the same hosts share no connection to a host that the policy of one does not name', async () => {
  const { send, policies, dns, another, sink } = await world({ tls: good }, trusting)
  for (const domain of ['a.test', 'b.test']) dns.zones[domain] = { MX: ['10 mx.b.test', '10 mx.a.test'] }
  dns.zones['mx.b.test'] = { A: ['127.0.0.2'] }
  const other = await another('127.0.0.2', { tls: authority.issue(['mx.b.test']) })
  policies['a.test'] = enforced
  policies['b.test'] = { ...enforced, hosts: ['mx.b.test'] }
  for (const to of ['x@b.test', 'x@a.test', 'y@b.test']) expect((await send(to)).result.kind).toBe('accepted')
  expect(sink.taken.map(({ to }) => to)).toEqual(['x@a.test'])
  expect(other.taken.map(({ to }) => to)).toEqual(['x@b.test', 'y@b.test'])
})
