import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { makeAuthority, selfSigned } from '../support/certificates.ts'
import { mailWorld, steadyPauses } from '../support/mail-world.ts'
import { startSink, type SinkOptions } from '../support/sink-mx.ts'

const authority = makeAuthority()

test('mail is encrypted wherever the server offers it, and goes in plain text where that fails', async () => {
  const zones = {
    'broken.test': { MX: ['10 mx.broken.test'] },
    'mx.broken.test': { A: ['127.0.0.2'] },
    'plain.test': { MX: ['10 mx.plain.test'] },
    'mx.plain.test': { A: ['127.0.0.3'] },
  }
  // Nobody knows this certificate: without a policy that is no reason to send in plain text.
  const here = await mailWorld({ zones, sink: { tls: selfSigned(['whoever.test']) } })
  const { send, becomes, sink, anotherSink } = here
  const broken = await anotherSink('127.0.0.2', { tls: 'broken' })
  const plain = await anotherSink('127.0.0.3')
  const secure = await becomes(await send('ann@sink.test'), 'delivered')
  expect(secure.events).toMatchObject([{ smtp: { tls: 'TLSv1.3', host: 'mx.sink.test' } }])
  expect(sink.taken).toMatchObject([{ tls: 'TLSv1.3' }])

  const fallen = await becomes(await send('ann@broken.test'), 'delivered')
  expect(fallen.events).toMatchObject([{ type: 'email.delivered', smtp: { tls: null, host: 'mx.broken.test' } }])
  expect(fallen.recipients).toMatchObject([{ attempts: 1 }])
  expect(broken.taken).toMatchObject([{ tls: undefined }])
  expect(broken.connections).toHaveLength(2)

  const open = await becomes(await send('ann@plain.test'), 'delivered')
  expect(open.events).toMatchObject([{ smtp: { tls: null } }])
  expect(plain.taken).toHaveLength(1)
})

test('a domain that demands verified hosts gets its mail over a good certificate, or not yet, and never in plain text', async () => {
  const domains = ['good', 'unsigned', 'misnamed', 'unlisted', 'plain', 'broken'] as const
  const stsPort = await policyHost(domains.map((name) => `${name}.test`))
  const zones = Object.fromEntries(
    domains.flatMap((name, i) => [
      [`${name}.test`, { MX: [`10 mx.${name}.test`] }],
      [`mx.${name}.test`, { A: [`127.0.0.${i + 11}`] }],
      [`_mta-sts.${name}.test`, { TXT: ['v=STSv1; id=1;'] }],
      [`mta-sts.${name}.test`, { A: ['127.0.0.1'] }],
    ]),
  )
  zones['unlisted.test'] = { MX: ['10 elsewhere.test'] }
  zones['elsewhere.test'] = { A: ['127.0.0.14'] }
  const here = await mailWorld({ zones, circumstances: { ...steadyPauses, authorities: [authority.cert], stsPort } })
  const { send, becomes, anotherSink, advance } = here
  const options: Record<(typeof domains)[number], SinkOptions> = {
    good: { tls: authority.issue(['mx.good.test']) },
    unsigned: { tls: selfSigned(['mx.unsigned.test']) },
    misnamed: { tls: authority.issue(['mx.other.test']) },
    unlisted: { tls: authority.issue(['elsewhere.test']) },
    plain: {},
    broken: { tls: 'broken' },
  }
  const hosts = new Map(
    await Promise.all(
      domains.map(async (name, i) => [name, await anotherSink(`127.0.0.${i + 11}`, options[name])] as const),
    ),
  )
  const delivered = await becomes(await send('ann@good.test'), 'delivered')
  expect(delivered.events).toMatchObject([{ smtp: { tls: 'TLSv1.3', host: 'mx.good.test' } }])

  const [, ...wrong] = domains
  const ids = new Map(await Promise.all(wrong.map(async (name) => [name, await send(`ann@${name}.test`)] as const)))
  for (const name of wrong) {
    const email = await becomes(ids.get(name)!, 'deferred')
    expect(email.events, name).toMatchObject([{ type: 'email.deferred' }])
    expect(email.events[0]!.detail, name).toContain('The connection failed (tls)')
    expect(hosts.get(name)!.taken, name).toEqual([])
    const said = hosts.get(name)!.connections.flatMap(({ chunks }) => chunks)
    expect(Buffer.concat(said).toString(), name).not.toMatch(/MAIL FROM|Hello/)
  }
  expect(hosts.get('unlisted')!.connections).toEqual([])

  // Once the host has what the policy demands, nothing is lost.
  hosts.get('plain')!.options.tls = authority.issue(['mx.plain.test'])
  await advance({ minutes: 5 })
  expect((await becomes(ids.get('plain')!, 'delivered')).events.at(-1)).toMatchObject({ smtp: { tls: 'TLSv1.3' } })
})

test('with a smarthost everything goes there, with our password, and nobody asks for the hosts of recipients', async () => {
  const auth = { user: 'us', password: 'pass:w@rd', mechanisms: ['PLAIN', 'LOGIN'] }
  const relay = await startSink({ tls: authority.issue(['relay.test']), implicitTls: true, auth })
  onTestFinished(() => relay.stop())
  const here = await mailWorld({
    zones: { 'relay.test': { A: ['127.0.0.1'] } },
    env: { SMTP_RELAY_URL: `smtps://us:pass%3Aw%40rd@relay.test:${relay.port}` },
    circumstances: { ...steadyPauses, authorities: [authority.cert] },
  })
  const { send, becomes, sink, dns, advance } = here
  const first = await becomes(await send('ann@sink.test', { cc: 'bob@nowhere.test' }), 'delivered')
  expect(first.events.map(({ smtp }) => smtp)).toMatchObject([
    { host: 'relay.test', tls: 'TLSv1.3', code: 250 },
    { host: 'relay.test', tls: 'TLSv1.3', code: 250 },
  ])
  expect(said()).toContain('AUTH PLAIN')
  expect(said()).not.toContain('AUTH LOGIN')

  // Longer than a connection lives.
  await advance({ minutes: 6 })
  relay.options.auth = { ...auth, mechanisms: ['LOGIN'] }
  await becomes(await send('carl@sink.test'), 'delivered')
  expect(said()).toContain('AUTH LOGIN')

  await advance({ minutes: 6 })
  relay.options.auth = { ...auth, password: 'another' }
  const refused = await send('dora@sink.test')
  expect((await becomes(refused, 'deferred')).events).toMatchObject([{ smtp: { code: 535, enhanced: '5.7.8' } }])
  relay.options.auth = auth
  await advance({ minutes: 2 })
  await becomes(refused, 'delivered')

  const recipients = ['ann@sink.test', 'bob@nowhere.test', 'carl@sink.test', 'dora@sink.test']
  expect(relay.taken.map(({ to }) => to).toSorted()).toEqual(recipients)
  expect(new Set(relay.taken.map(({ from }) => from)).size).toBe(4)
  expect(sink.connections).toEqual([])
  expect(dns.questions.filter((question) => /sink\.test|nowhere\.test/.test(question))).toEqual([])

  function said(): string {
    return Buffer.concat(relay.connections.flatMap(({ chunks }) => chunks)).toString()
  }
})

/** Serves the policy of each domain: its own mail host, and no other. */
async function policyHost(domains: readonly string[]): Promise<number> {
  const names = domains.map((domain) => `mta-sts.${domain}`)
  const server = createServer(authority.issue(names), (request, response) => {
    const domain = request.headers.host?.replace(/^mta-sts\./, '').replace(/:.*/, '')
    const policy = `version: STSv1\r\nmode: enforce\r\nmx: mx.${domain}\r\nmax_age: 86400\r\n`
    response.writeHead(200, { 'content-type': 'text/plain' }).end(policy)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
