import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createLogger } from '../../src/process/logger.ts'
import { startWorker, type Circumstances } from '../../src/app/worker.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import type { Client } from './client.ts'
import { startDnsServer, type DnsServer, type Zones } from './dns-server.ts'
import { verifiedDomain } from './domains.ts'
import { eventually } from './eventually.ts'
import { startSink, type Sink, type SinkOptions } from './sink-mx.ts'
import { moveClock } from './clock.ts'
import { accepted, world, type World } from './world.ts'
import { evenly } from './timeouts.ts'

export interface MailWorld extends World {
  dns: DnsServer
  /** The mail host of `sink.test` and of every domain below it. */
  sink: Sink
  /** A verified domain of the first project, and an address there. */
  domain: string
  from: string
  /** Moves the time of everything: due times, pauses, what is remembered of hosts. Never back. */
  advance(by: { seconds?: number; minutes?: number; hours?: number }): Promise<void>
  /** Queues a message to `to`, with the first project's key unless given; answers its id. */
  send(to: string, more?: Record<string, unknown>, client?: Client): Promise<string>
  email(id: string): Promise<Email>
  /** The email, once it has this status. */
  becomes(id: string, status: string, withinMs?: number): Promise<Email>
  /** Another host on the sink's port, at an address of its own (127.0.0.x). */
  anotherSink(address: string, options?: SinkOptions): Promise<Sink>
  /** Makes a domain of a project, publishes what it asks for, and verifies it. */
  verifiedDomain(name: string, client?: Client, fields?: Record<string, unknown>): Promise<string>
  /** One more worker on the same database. */
  startWorker(more?: Circumstances): Promise<{ stop(): Promise<void> }>
}

export interface Email {
  id: string
  status: string
  counts: Record<string, number>
  recipients: { email: string; kind: string; status: string; attempts: number; nextAttemptAt: string | null }[]
  events: { type: string; recipient: string; detail: string; timestamp: string; smtp: Smtp | null }[]
  [field: string]: unknown
}

interface Smtp {
  code: number | null
  enhanced: string | null
  host: string | null
  tls: string | null
}

export interface MailWorldOptions {
  sink?: SinkOptions
  zones?: Zones
  env?: Record<string, string>
  /** The port of the API; any free one if it is left out. */
  port?: number
  circumstances?: Circumstances
  /** How many workers; 1 unless given. */
  workers?: number
  /** No domain: only the sandbox can send. */
  bare?: boolean
}

/** Where silence is part of a test. */
export const impatient: Circumstances = { timeouts: evenly(500) }

/**
 * Where time is moved and pauses between attempts at a site do not matter. A dispatcher takes a statement that is under
 * way while its clock jumps for one that took so long, and rests accordingly.
 */
export const steadyPauses: Circumstances = { steady: { now: () => performance.now() } }

/** An installation that sends: an API, a worker, a DNS server, a mail host and a verified domain. */
export async function mailWorld(options: MailWorldOptions = {}): Promise<MailWorld> {
  const { env = {}, port = 0, zones = {}, circumstances = {}, workers = 1, bare = false } = options
  const sink = await startSink(options.sink)
  const dns = await startDnsServer({
    'sink.test': { MX: ['10 mx.sink.test'] },
    'other.test': { MX: ['10 mx.sink.test'] },
    'mx.sink.test': { A: [sink.address] },
    ...zones,
  })
  const time = { ahead: 0 }
  const clock = { now: () => Date.now() + time.ahead }
  const steady = { now: () => performance.now() + time.ahead }
  const complete = {
    DNS_SERVERS: dns.address,
    SMTP_MX_PORT: String(sink.port),
    SMTP_HOSTNAME: 'posthouse.test',
    EGRESS_ALLOW: '127.0.0.0/8',
    ...env,
  }
  const sinks = [sink]
  const here = await world({ env: complete, port })
  onTestFinished(async () => {
    await Promise.all(sinks.map((one) => one.stop()))
    await dns.stop()
  })
  const { projectApi, db } = here

  async function start(more: Circumstances = {}): Promise<{ stop(): Promise<void> }> {
    const logger = createLogger('worker', 'debug', { write: (line) => void here.logs.push(line) })
    // Each with a folder of its own, as if on a machine of its own.
    const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-test-'))
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
    const worker = await startWorker({ ...here.config, dataDir }, here.databaseUrl, logger, {
      clock,
      steady,
      ...circumstances,
      ...more,
    })
    let stopped: Promise<void> | undefined
    const stop = (): Promise<void> => (stopped ??= worker.stop())
    onTestFinished(stop)
    return { stop }
  }

  const email = async (id: string): Promise<Email> => (await here.api.get<Email>(`emails/${id}`)).body

  const domain = 'posts.example'
  if (!bare) await verifiedDomain(projectApi, dns, domain)
  for (let i = 0; i < workers; i++) await start()
  return {
    ...here,
    dns,
    sink,
    domain,
    from: `Post <hello@${domain}>`,
    advance: async ({ seconds = 0, minutes = 0, hours = 0 }) => {
      await nothingUnderWay(db)
      time.ahead += ((hours * 60 + minutes) * 60 + seconds) * 1_000
      await moveClock(db, time.ahead / 1_000)
      // Whoever rests until something is due rests by a clock that nobody can move.
      here.services.doorbell.ring('deliveries')
      here.services.doorbell.ring('webhook_deliveries')
    },
    send: async (to, more = {}, client = projectApi) => {
      const body = { from: `Post <hello@${domain}>`, to, subject: 'Hello', html: '<p>Hello there.</p>', ...more }
      return accepted(await client.post<{ id: string }>('email/send', body)).id
    },
    email,
    becomes: (id, status, withinMs) =>
      eventually(
        `${id} is ${status}`,
        async () => {
          const found = await email(id)
          return found.status === status && found
        },
        withinMs,
      ),
    anotherSink: async (address, other = {}) => {
      const another = await startSink({ ...other, address, port: sink.port })
      sinks.push(another)
      return another
    },
    verifiedDomain: async (name, client = projectApi, fields = {}) =>
      (await verifiedDomain(client, dns, name, fields)).id,
    startWorker: start,
  }
}

/**
 * What is under way comes to its end first, unless it is meant to hang: an outcome that is written down after the clock
 * was moved would put its next attempt off by as much.
 */
async function nothingUnderWay(db: Database): Promise<void> {
  const leased = sql`
    select from deliveries where lease_worker is not null
    union all
    select from webhook_deliveries where lease_worker is not null
    union all
    select from sms_parts where lease_worker is not null`
  await eventually('nothing is under way', async () => (await db.all(leased)).length === 0, 3_000).catch(() => {})
}
