import ipaddr from 'ipaddr.js'
import { onTestFinished } from 'vitest'
import { SmtpTransport, type SmtpTransportOptions } from '../../../src/delivery/mail/transports/smtp.ts'
import { DnsResolver } from '../../../src/net/dns.ts'
import type { Attempt, Mail } from '../../../src/smtp/client/attempt.ts'
import { Peers } from '../../../src/smtp/client/peers.ts'
import type { StsPolicy } from '../../../src/mail/routes/sts-policy.ts'
import { startDnsServer, type DnsServer, type Zones } from '../../support/dns-server.ts'
import { startSink, type Sink, type SinkOptions } from '../../support/sink-mx.ts'
import { evenly } from '../../support/timeouts.ts'

/** Where silence is part of a test. */
export const impatient = { timeouts: evenly(500) }
const patient = { timeouts: evenly(10_000) }

export interface World {
  sink: Sink
  dns: DnsServer
  peers: Peers
  clock: { now(): number; ahead: number }
  transport: SmtpTransport
  policies: Record<string, StsPolicy>
  send(to: string, more?: Partial<Mail>): Promise<Attempt>
  /** Another host on the same port, at an address of its own. */
  another(address: string, options?: SinkOptions): Promise<Sink>
  /** Everything that came over the wire, in clear. */
  wire(connection?: number): string
}

/** `a.test` with one mail host, `mx.a.test`, that is our sink. */
export async function world(
  options: SinkOptions = {},
  more: Partial<SmtpTransportOptions> & { zones?: Zones } = {},
): Promise<World> {
  const sink = await startSink(options)
  const dns = await startDnsServer({
    'a.test': { MX: ['10 mx.a.test'] },
    'b.test': { MX: ['10 mx.a.test'] },
    'mx.a.test': { A: [sink.address] },
    ...more.zones,
  })
  const clock = { ahead: 0, now: () => Date.now() + clock.ahead }
  const peers = new Peers(clock)
  const policies: Record<string, StsPolicy> = {}
  const transport = new SmtpTransport({
    name: 'client.test',
    port: sink.port,
    dns: new DnsResolver({ servers: [dns.address], clock, timeoutMs: 500 }),
    sts: { enforcedFor: async (domain) => policies[domain] },
    egress: { allow: [ipaddr.parseCIDR('127.0.0.0/8')], own: [] },
    peers,
    clock,
    random: () => 0,
    ...patient,
    ...more,
  })
  const others: Sink[] = []
  onTestFinished(async () => {
    await Promise.all([sink, ...others].map((one) => one.stop()))
    await transport.stop()
    await dns.stop()
  })
  return {
    sink,
    dns,
    peers,
    clock,
    transport,
    policies,
    send: (to, mail = {}) => transport.send({ ...mailTo(to), ...mail }),
    another: async (address, other = {}) => {
      others.push(await startSink({ ...other, address, port: sink.port }))
      return others.at(-1)!
    },
    wire: (connection = 0) => Buffer.concat(sink.connections[connection]?.chunks ?? []).toString('latin1'),
  }
}

export const simple = 'Subject: hello\r\n\r\nGood morning.\r\n'

export const mailTo = (to: string, content = simple): Mail => ({
  from: 'sender@client.test',
  to,
  size: content.length,
  eightBit: false,
  content: () => [Buffer.from(content)],
  beforeDot: async () => true,
})
