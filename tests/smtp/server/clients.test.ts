/** Clients that were not written for this server. */
import ipaddr from 'ipaddr.js'
import nodemailer from 'nodemailer'
import { expect, onTestFinished, test } from 'vitest'
import { SmtpTransport } from '../../../src/delivery/mail/transports/smtp.ts'
import { Peers } from '../../../src/smtp/client/peers.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { DnsResolver } from '../../../src/net/dns.ts'
import { startDnsServer } from '../../support/dns-server.ts'
import { evenly } from '../../support/timeouts.ts'
import { inboundWorld, type InboundWorld } from './world.ts'

test('nodemailer delivers, with TLS and in several scripts', async () => {
  const { listener, delivered } = await inboundWorld()
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: listener.port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
  })
  const sent = await transport.sendMail({
    from: 'sender@client.test',
    to: ['ann@known.test', 'j\u00f6rg@known.test', 'nobody@known.test'],
    subject: 'Gr\u00fc\u00dfe',
    text: '.\n..\n.a line\n\nand the last',
    attachments: [{ filename: 'zeros.bin', content: Buffer.alloc(200_000) }],
  })
  expect(sent.accepted).toEqual(['ann@known.test', 'j\u00f6rg@known.test'])
  expect(sent.rejected).toEqual(['nobody@known.test'])
  expect(delivered).toMatchObject([
    { from: { email: 'sender@client.test' }, smtpUtf8: true, session: { tls: { version: 'TLSv1.3' } } },
  ])
  expect(delivered[0]!.raw).toMatch(/^Subject: =\?UTF-8\?/m)
  expect(delivered[0]!.raw).toContain('\r\n\r\n.\r\n..\r\n.a line\r\n\r\nand the last')
})

test('nodemailer is told why a message is refused', async () => {
  const { listener } = await inboundWorld({ limits: { messageBytes: 1_000 } })
  const transport = nodemailer.createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
  const send = (to: string, text: string) => transport.sendMail({ from: 'sender@client.test', to, text })
  await expect(send('x@other.test', 'x')).rejects.toMatchObject({ responseCode: 550 })
  await expect(send('ann@known.test', 'x '.repeat(1_000))).rejects.toMatchObject({ responseCode: 552 })
})

test('our own client delivers a hundred mails, encrypted, over few connections', async () => {
  const world = await inboundWorld()
  const transport = await ownClient(world)
  const contents = Array.from({ length: 100 }, (_, at) => `Subject: ${at}\r\n\r\n.${'x'.repeat(at * 50)}\r\n.\r\n`)
  const attempts = await Promise.all(contents.map((content) => transport.send(mail('ann@known.test', content))))
  expect(new Set(attempts.map(({ result }) => result.kind))).toEqual(new Set(['accepted']))
  expect(attempts[0]!.peer?.tls).toBe('TLSv1.3')
  expect(world.delivered.map(({ raw }) => raw).toSorted()).toEqual(contents.toSorted())
  expect(world.errors).toEqual([])
})

test('our own client hears what is refused', async () => {
  const transport = await ownClient(await inboundWorld())
  const { result } = await transport.send(mail('nobody@known.test', 'x\r\n'))
  expect(result).toMatchObject({ kind: 'refused', stage: 'rcpt', reply: { code: 550, enhanced: '5.1.1' } })
})

async function ownClient({ listener }: InboundWorld): Promise<SmtpTransport> {
  const dns = await startDnsServer({
    'known.test': { MX: ['10 mx.known.test'] },
    'mx.known.test': { A: ['127.0.0.1'] },
  })
  const transport = new SmtpTransport({
    name: 'client.test',
    port: listener.port,
    dns: new DnsResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 2_000 }),
    sts: { enforcedFor: async () => undefined },
    egress: { allow: [ipaddr.parseCIDR('127.0.0.0/8')], own: [] },
    peers: new Peers(systemClock),
    clock: systemClock,
    random: () => 0,
    timeouts: evenly(10_000),
  })
  onTestFinished(async () => {
    await transport.stop()
    await dns.stop()
  })
  return transport
}

const mail = (to: string, content: string) => ({
  from: 'sender@client.test',
  to,
  size: content.length,
  eightBit: false,
  content: () => [Buffer.from(content)],
  beforeDot: async () => true,
})
