import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { classify } from '../../../src/delivery/mail/classify.ts'
import { relayRoute, RelayTransport, type RelayTransportOptions } from '../../../src/delivery/mail/transports/relay.ts'
import { DnsResolver } from '../../../src/net/dns.ts'
import { Peers } from '../../../src/smtp/client/peers.ts'
import { makeAuthority, selfSigned } from '../../support/certificates.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { startSink, type SinkOptions } from '../../support/sink-mx.ts'
import { mailTo } from '../../smtp/client/world.ts'

const authority = makeAuthority()
const good = authority.issue(['relay.test'])
const auth = { user: 'us', password: 'pass:w@rd', mechanisms: ['PLAIN', 'LOGIN'] }
const secret = 'us:pass%3Aw%40rd'
const clock = { now: () => Date.now() }

async function world(options: SinkOptions, url: (port: number) => string, more: Partial<RelayTransportOptions> = {}) {
  const sink = await startSink(options)
  const dns = await startDnsServer({ 'relay.test': { A: ['127.0.0.1'] } })
  const relay = new RelayTransport({
    url: url(sink.port),
    name: 'client.test',
    dns: new DnsResolver({ servers: [dns.address], clock }),
    peers: new Peers(clock),
    clock,
    authorities: [authority.cert],
    ...more,
  })
  onTestFinished(async () => {
    await relay.stop()
    await Promise.all([sink.stop(), dns.stop()])
  })
  return { sink, send: (to = 'x@anywhere.test') => relay.send(mailTo(to)) }
}

test.each([
  ['PLAIN', ['PLAIN', 'LOGIN']],
  ['LOGIN', ['LOGIN']],
])('mail goes through a smarthost over implicit TLS, with AUTH %s', async (mechanism, mechanisms) => {
  const { send, sink } = await world(
    { tls: good, implicitTls: true, auth: { ...auth, mechanisms } },
    (port) => `smtps://${secret}@relay.test:${port}`,
  )
  expect(await send()).toMatchObject({ result: { kind: 'accepted' }, peer: { host: 'relay.test', tls: 'TLSv1.3' } })
  expect((await send('y@elsewhere.test')).result.kind).toBe('accepted')
  expect(sink.taken.map(({ to }) => to)).toEqual(['x@anywhere.test', 'y@elsewhere.test'])
  expect(sink.connections).toHaveLength(1)
  expect(Buffer.concat(sink.connections[0]!.chunks).toString()).toContain(`AUTH ${mechanism}`)
})

test('mail goes through a smarthost over STARTTLS', async () => {
  const { send, sink } = await world({ tls: good, auth }, (port) => `smtp://${secret}@relay.test:${port}`)
  expect(await send()).toMatchObject({ result: { kind: 'accepted' }, peer: { tls: 'TLSv1.3' } })
  expect(sink.taken).toMatchObject([{ tls: 'TLSv1.3' }])
})

test.each<[string, SinkOptions]>([
  ['without TLS', { auth }],
  ['with a certificate of nobody', { auth, tls: selfSigned(['relay.test']) }],
  ['with a certificate for another name', { auth, tls: authority.issue(['other.test']) }],
  ['with a broken TLS', { auth, tls: 'broken' }],
])('a smarthost %s does not get our password', async (_case, options) => {
  const { send, sink } = await world(options, (port) => `smtp://${secret}@relay.test:${port}`)
  const sent = await send()
  expect(sent.result).toMatchObject({ kind: 'lost', stage: 'tls' })
  expect(classify(sent).kind).toBe('deferred')
  for (const { chunks } of sink.connections) expect(Buffer.concat(chunks).toString()).not.toContain('AUTH')
})

test('a smarthost with a certificate of nobody does not get our password over implicit TLS either', async () => {
  const { send, sink } = await world(
    { auth, tls: selfSigned(['relay.test']), implicitTls: true },
    (port) => `smtps://${secret}@relay.test:${port}`,
  )
  expect((await send()).result).toMatchObject({ kind: 'lost', stage: 'tls' })
  for (const { chunks } of sink.connections) expect(Buffer.concat(chunks).toString()).not.toContain('AUTH')
})

test('a wrong password loses no mail', async () => {
  const { send, sink } = await world(
    { tls: good, implicitTls: true, auth },
    (port) => `smtps://us:wrong@relay.test:${port}`,
  )
  const sent = await send()
  expect(sent.result).toMatchObject({ kind: 'refused', stage: 'auth', reply: { code: 535 } })
  expect(classify(sent).kind).toBe('deferred')
  expect(sink.taken).toEqual([])
})

test.each<[string, NonNullable<SinkOptions['orders']>]>([
  ['is closed for today', { greeting: '554' }],
  ['wants to know who we are', { mail: '530-5.7.0' }],
  ['wants to know who we are, but late', { rcpt: '530-5.7.1' }],
])('a smarthost that %s loses no mail', async (_what, orders) => {
  const { send } = await world({ orders }, (port) => `smtp://127.0.0.1:${port}`)
  const sent = await send()
  expect(sent.result).toMatchObject({ kind: 'lost', reason: expect.stringMatching(/^(554|530)/) })
  expect(classify(sent).kind).toBe('deferred')
})

test('what a smarthost says about a mail counts', async () => {
  const { send } = await world({}, (port) => `smtp://127.0.0.1:${port}`)
  expect(classify(await send('550-5.1.1@anywhere.test')).kind).toBe('bounced')
})

const encoded = (text: string): string => Buffer.from(text).toString('base64')

test.each<[string, string, (command: string) => string]>([
  ['the command', '', (command) => `500 5.5.1 Command unrecognized: "${command}"`],
  ['the beginning of the command', '', (command) => `502-5.5.2 Unknown\r\n502 5.5.2 <${command.slice(0, -6)}...>`],
  ['what it decoded', '', () => '535 5.7.8 No user us with pass:w@rd.'],
  ['the last word', 'LOGIN', (command) => (command === encoded(auth.password) ? `535 ${command}?` : '334 VXNlcg==')],
])('a smarthost that repeats %s tells nobody our password', async (_what, mechanism, say) => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).write('220 relay.test\r\n')
    createInterface(socket).on('line', (line) => {
      const hello = `250-relay.test\r\n250 ${mechanism ? `AUTH ${mechanism}` : 'HELP'}`
      socket.write(`${line.startsWith('EHLO') ? hello : say(line)}\r\n`)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const { send } = await world({}, () => `smtp://${secret}@127.0.0.1:${port}`)
  const sent = await send()
  expect(sent.result).toMatchObject({ kind: 'refused', stage: 'auth', reply: { text: expect.stringContaining('***') } })
  expect(classify(sent).kind).toBe('deferred')
  for (const word of [auth.password, encoded(auth.password), encoded(`\0us\0${auth.password}`).slice(0, 12)]) {
    expect(JSON.stringify(sent)).not.toContain(word)
  }
})

test('on the machine itself plain text will do', async () => {
  const { send, sink } = await world({}, (port) => `smtp://127.0.0.1:${port}`)
  expect((await send()).result.kind).toBe('accepted')
  expect(sink.taken).toMatchObject([{ tls: undefined }])
})

test.each([
  ['smtps://u:p@relay.test', { port: 465, implicitTls: true, security: 'verified', hosts: ['relay.test'] }],
  ['smtp://relay.test', { port: 587, implicitTls: false, security: 'verified', credentials: undefined }],
  ['smtp://relay.test:2525', { port: 2525, security: 'verified' }],
  ['smtp://localhost', { security: 'opportunistic' }],
  ['smtp://127.9.9.9', { security: 'opportunistic' }],
  ['smtp://[::1]:25', { security: 'opportunistic', hosts: ['::1'], port: 25 }],
  ['smtps://localhost', { security: 'verified' }],
  ['smtp://10.0.0.1', { security: 'verified' }],
  ['smtp://a%40b:c%2Fd@relay.test', { credentials: { user: 'a@b', password: 'c/d' } }],
])('%s', (url, route) => {
  expect(relayRoute(url)).toMatchObject(route)
})
