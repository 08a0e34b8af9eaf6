import { onTestFinished } from 'vitest'
import type { Role } from '../../src/config/schema.ts'
import type { Client } from './client.ts'
import { startDnsServer, type DnsServer, type Zones } from './dns-server.ts'
import { verifiedDomain } from './domains.ts'
import { eventually } from './eventually.ts'
import { startPosthouse, type PosthouseProcess } from './posthouse-process.ts'
import { startSink, type Sink } from './sink-mx.ts'

/** A whole installation as an operator starts it, with a verified domain; DNS and the recipients' host are ours. */
export interface Installation {
  node: PosthouseProcess
  dns: DnsServer
  /** With the key of the first project. */
  api: Client
  from: string
  /** Kills the present process of a role, and waits until there is another. */
  kill(role: Role, signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>
}

export interface MailNode extends Installation {
  sink: Sink
  /** Asks for a mail to each of these until it is acknowledged, many at a time; answers the ids. */
  sendAll(recipients: readonly string[], keys?: boolean): Promise<Map<string, string>>
  /** How often the sink took a mail for each recipient: the ledger of the other side. */
  ledger(): Map<string, number>
}

/** Mail for `sink.test`, and for every other domain of the zones that leads to `mx.sink.test`, goes to this place. */
export async function startInstallation(
  mx: { address: string; port: number },
  env: Record<string, string> = {},
  zones: Zones = {},
): Promise<Installation> {
  const dns = await startDnsServer({
    'sink.test': { MX: ['10 mx.sink.test'] },
    'mx.sink.test': { A: [mx.address] },
    ...zones,
  })
  onTestFinished(() => dns.stop())
  const node = await startPosthouse({
    env: {
      DNS_SERVERS: dns.address,
      SMTP_MX_PORT: String(mx.port),
      SMTP_HOSTNAME: 'posthouse.test',
      EGRESS_ALLOW: '127.0.0.0/8',
      RATE_LIMIT_PER_SECOND: '0',
      ...env,
    },
  })
  const api = node.api.with(node.keys.project)
  await verifiedDomain(api, dns, 'posts.example')
  const here: Installation = {
    node,
    dns,
    api,
    from: 'Post <hello@posts.example>',
    kill: async (role, signal = 'SIGKILL') => {
      const pid = here.node.rolePid(role)
      if (pid === undefined) return
      process.kill(pid, signal)
      await eventually(`the ${role} is back`, () => here.node.rolePids(role).some((other) => other !== pid), 60_000)
    },
  }
  return here
}

export async function startMailNode(env: Record<string, string> = {}, zones: Zones = {}): Promise<MailNode> {
  const sink = await startSink()
  onTestFinished(() => sink.stop())
  const installation = await startInstallation(sink, env, zones)
  const { api, from } = installation

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
    ...installation,
    sink,
    sendAll: async (recipients, keys = true) => {
      const acknowledged = new Map<string, string>()
      const waiting = recipients.values()
      const sender = async (): Promise<void> => {
        for (const to of waiting) acknowledged.set(to, await sendOne(to, keys ? { 'Idempotency-Key': to } : {}))
      }
      await Promise.all(Array.from({ length: 16 }, sender))
      return acknowledged
    },
    ledger: () => {
      const counts = new Map<string, number>()
      for (const { to } of sink.taken) counts.set(to, (counts.get(to) ?? 0) + 1)
      return counts
    },
  }
}
