import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { publish, verifiedDomain, type ShownRecord } from '../support/domains.ts'
import { freePort, PosthouseProcess } from '../support/posthouse-process.ts'
import { startSink, type Sink } from '../support/sink-mx.ts'

/** One node, as an operator starts it. DNS and the server of everybody at example.org are ours. */
export interface Installation {
  node: PosthouseProcess
  sink: Sink
  /** Does what somebody at a DNS panel does with the records that an answer asks for. */
  publish(records: readonly ShownRecord[]): void
  /** What README leaves behind, where it was not run before. */
  ownDomain(): Promise<void>
  stop(): Promise<void>
}

export async function startInstallation(): Promise<Installation> {
  const sink = await startSink()
  const dns = await startDnsServer({
    'example.org': { MX: ['10 mx.example.org'] },
    'mx.example.org': { A: [sink.address] },
  })
  const node = await start(dns, sink)
  const api = node.api.with(node.keys.project)
  return {
    node,
    sink,
    publish: (records) => publish(dns.zones, records),
    ownDomain: async () => {
      const { body } = await api.get<{ data: { name: string }[] }>('domains')
      if (body.data.every(({ name }) => name !== 'example.com')) await verifiedDomain(api, dns, 'example.com')
    },
    stop: async () => {
      await node.cleanUp()
      await Promise.all([dns.stop(), sink.stop()])
    },
  }
}

const start = async (dns: DnsServer, sink: Sink): Promise<PosthouseProcess> =>
  new PosthouseProcess(await freePort(), {
    env: {
      DNS_SERVERS: dns.address,
      SMTP_MX_PORT: String(sink.port),
      SMTP_HOSTNAME: 'mail.example.com',
      EGRESS_ALLOW: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      SMS_SIM_TIME_SCALE: '0.01',
    },
  }).ready()
