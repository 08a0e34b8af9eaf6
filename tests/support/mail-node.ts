import { onTestFinished } from 'vitest'
import type { Role } from '../../src/config/schema.ts'
import type { Client } from './client.ts'
import { startDnsServer, type DnsServer, type Zones } from './dns-server.ts'
import { verifiedDomain } from './domains.ts'
import { eventually } from './eventually.ts'
import { startPosthouse, type PosthouseProcess } from './posthouse-process.ts'
import { startSink, type Sink } from './sink-mx.ts'

export interface MailNode {
  node: PosthouseProcess
  dns: DnsServer
  sink: Sink
  /** With the key of the first project. */
  api: Client
  from: string
  /** Asks for a mail to each of these until it is acknowledged, many at a time; answers the ids. */
  sendAll(recipients: readonly string[], keys?: boolean): Promise<Map<string, string>>
  /** Kills the present process of a role, and waits until there is another. */
  kill(role: Role, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** How often the sink took a mail for each recipient: the ledger of the other side. */
  ledger(): Map<string, number>
}

/** A whole installation as an operator starts it, with a verified domain; DNS and the recipients' host are ours. */
export async function startMailNode(env: Record<string, string> = {}, zones: Zones = {}): Promise<MailNode> {
  const sink = await startSink()
  onTestFinished(() => sink.stop())
  const dns = await startDnsServer({
    'sink.test': { MX: ['10 mx.sink.test'] },
    'mx.sink.test': { A: [sink.address] },
    ...zones,
  })
  onTestFinished(() => dns.stop())
  const node = await startPosthouse({
    env: {
      DNS_SERVERS: dns.address,
      SMTP_MX_PORT: String(sink.port),
      SMTP_HOSTNAME: 'posthouse.test',
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_SECOND: '0',
      ...env,
    },
  })
  const api = node.api.with(node.keys.project)
  await verifiedDomain(api, dns, 'posts.example')
  const from = 'Post <hello@posts.example>'

  async function sendOne(to: string, headers: Record<string, string>): Promise<string> {
    const body = { from, to, subject: 'Hello', html: '<p>Hello there.</p>' }
    return eventually(
      `a mail to ${to} is acknowledged`,
      async () => {
        const reply = await api.post<{ id: string }>('email/send', body, headers)
        return reply.status === 202 && reply.body.id
      },
      60_000,
    )
  }

  return {
    node,
    dns,
    sink,
    api,
    from,
    sendAll: async (recipients, keys = true) => {
      const acknowledged = new Map<string, string>()
      const waiting = recipients.values()
      const sender = async (): Promise<void> => {
        for (const to of waiting) acknowledged.set(to, await sendOne(to, keys ? { 'Idempotency-Key': to } : {}))
      }
      await Promise.all(Array.from({ length: 16 }, sender))
      return acknowledged
    },
    kill: async (role, signal = 'SIGKILL') => {
      const pid = node.rolePid(role)
      if (pid === undefined) return
      process.kill(pid, signal)
      await eventually(`the ${role} is back`, () => node.rolePids(role).some((other) => other !== pid), 60_000)
    },
    ledger: () => {
      const counts = new Map<string, number>()
      for (const { to } of sink.taken) counts.set(to, (counts.get(to) ?? 0) + 1)
      return counts
    },
  }
}
