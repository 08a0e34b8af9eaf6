import { expect, test } from 'vitest'
import { traceField } from '../../src/mail/parse/trace.ts'
import { readMimeMessage } from '../../src/mail/parse/mime-message.ts'
import { sql } from '../../src/storage/sql.ts'
import { receivingWorld, type Received, type ReceivingWorld } from '../support/receiving.ts'

const letter = 'From: Ann <ann@sender.test>\r\nSubject: Hello\r\n\r\nHello.\r\n'

async function rawOf({ projectApi }: ReceivingWorld, id: string, client = projectApi): Promise<string> {
  const response = await fetch(`${client.url}/api/v1/receiving/emails/${id}/raw`, {
    headers: { authorization: `Bearer ${client.key}` },
  })
  return Buffer.from(await response.arrayBuffer()).toString('latin1')
}

test('a received email says who brought it, and how, and its bytes begin with that', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  const to = `plain@${domain}`
  const said = await here.deliver(letter, { to })
  const email = await here.arrived(to)
  const { id, receivedAt } = email
  expect(said).toBe(`250 2.0.0 Ok: kept as ${id}`)
  expect(email.transport).toEqual({ remoteAddress: '127.0.0.1', helo: 'client.test', tls: null, receivedAt })
  const raw = await rawOf(here, id)
  const trace = raw.slice(0, -letter.length - 2)
  expect(raw).toBe(`${trace}${letter}\r\n`)
  const date = new Date(receivedAt).toUTCString().replace('GMT', '+0000')
  const value = `from client.test ([127.0.0.1]) by posthouse.test with ESMTP id ${id} for <${to}>; ${date}`
  expect(trace.replaceAll('\r\n', '')).toBe(`Received: ${value}`)
  expect(email.headers[0]).toEqual({ name: 'Received', value })
  expect(email.size).toBe(raw.length)
  const [listed] = await here.list()
  expect(listed!.size).toBe(raw.length)
})

test('what came encrypted says how', async () => {
  const here = await receivingWorld()
  const domain = await here.managedDomain()
  await here.mail({ to: `tls@${domain}`, text: 'x' })
  const { transport, headers } = await here.arrived(`tls@${domain}`)
  expect(transport.tls).toEqual({ version: 'TLSv1.3', cipher: expect.stringMatching(/^TLS_/) })
  expect(headers[0]!.value).toContain(' with ESMTPS id rcv_')
})

test('behind a load balancer it is the client behind it who brought it', async () => {
  const here = await receivingWorld({ env: { SMTP_PROXIES: '127.0.0.0/8' } })
  const domain = await here.managedDomain()
  const caller = await here.call()
  await caller.send('PROXY TCP6 2001:db8::7 2001:db8::1 4711 25\r\n')
  await caller.data(`x@${domain}`)
  expect(await caller.ask(`${letter}.`)).toMatch(/^250 /)
  const { transport, headers } = await here.arrived(`x@${domain}`)
  expect(transport.remoteAddress).toBe('2001:db8::7')
  expect(headers[0]!.value).toContain('from client.test ([IPv6:2001:db8::7]) by')
})

test('with several recipients the trace field names none of them', async () => {
  const here = await receivingWorld()
  const other = await here.clientWith({ scopes: ['*'], projectId: await here.newProject() })
  const to = [`a@${await here.managedDomain()}`, `b@${await here.managedDomain(other)}`]
  await here.mail({ envelope: { from: 'ann@sender.test', to }, to: 'list@sender.test', text: 'x' })
  const [ours, theirs] = [await here.arrived(to[0]!), await here.arrived(to[1]!, other)]
  for (const raw of [await rawOf(here, ours.id), await rawOf(here, theirs.id, other)]) {
    expect(raw).toMatch(/^Received: from client\.test/)
    for (const recipient of to) expect(raw).not.toContain(recipient)
  }
  expect(JSON.stringify(ours)).not.toContain(to[1])
  expect(JSON.stringify(ours)).not.toContain(theirs.id)
})

test('mail from before there was a trace field is shown as it was', async () => {
  const here = await receivingWorld()
  const to = `old@${await here.managedDomain()}`
  await here.deliver(letter, { to })
  const { id } = await here.arrived(to)
  const session = { address: '192.0.2.7', helo: 'old.test', protocol: 'ESMTP', tls: 'TLSv1.2 ECDHE-RSA-AES128-GCM' }
  await here.db.run(sql`update received_messages set session = ${JSON.stringify(session)}`)
  const email = (await here.projectApi.get<Received>(`receiving/emails/${id}`)).body
  expect(email.transport).toMatchObject({
    remoteAddress: '192.0.2.7',
    helo: 'old.test',
    tls: { version: 'TLSv1.2', cipher: 'ECDHE-RSA-AES128-GCM' },
  })
  expect(email.headers[0]!.name).toBe('From')
  expect(await rawOf(here, id)).toBe(`${letter}\r\n`)
  expect(email.size).toBe(letter.length + 2)
})

test('whatever a client calls itself, the trace field is one field that says nothing else', () => {
  const names = ['x(', 'a;b', '[1.2.3.4]', '"x', '<by>evil', 'x\\', 'a'.repeat(255), '=?utf-8?q?x?=', ')for(<c@d>);']
  for (const helo of names) {
    const odd = { helo, address: '192.0.2.1', by: 'mx.test', protocol: 'ESMTP', tls: null, for: 'odd";<x>@y.test' }
    const field = traceField(odd, 'rcv_0', new Date(0))
    const { fields } = readMimeMessage(Buffer.from(`${field}Subject: x\r\n\r\n`))
    expect(fields.map(({ name }) => name)).toEqual(['Received', 'Subject'])
    expect(fields[0]!.value).toMatch(
      /^from [\w.:[\]?-]+ \(\[192\.0\.2\.1\]\) by mx\.test with ESMTP id rcv_\w+; Thu, 01 Jan 1970 00:00:00 \+0000$/,
    )
  }
})
