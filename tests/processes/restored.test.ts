import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { renameSync } from 'node:fs'
import { expect, inject, onTestFinished, test } from 'vitest'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { Client } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { startMailNode, type MailNode } from '../support/mail-node.ts'
import {
  PosthouseProcess,
  removeDataDirectory,
  runPosthouse,
  startPosthouse,
  superuserUrl,
  type ProcessOptions,
} from '../support/posthouse-process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { administer, withDatabase } from '../support/server.ts'
import type { SinkConnection } from '../support/sink-mx.ts'

const RECIPIENTS = [1, 2, 3, 4, 5].map((n) => `due-${n}@sink.test`)
const SCHEDULED = 'scheduled@sink.test'
const EVERYBODY = [...RECIPIENTS, SCHEDULED].toSorted()

/** What was running when the backup was made: mail and an event are due, and there was no worker to send them. */
interface Backup extends MailNode {
  receiver: Receiver
  /** The id of the mail that was scheduled, and is due. */
  scheduled: string
  /** For other nodes of the same installation, with workers. */
  env: Record<string, string>
}

async function stoppedWithWork(more: Record<string, string> = {}): Promise<Backup> {
  const receiver = await startReceiver()
  const here = await startMailNode({ ...more, WEBHOOK_ALLOW_HTTP: 'true', ROLES: 'api' })
  const { api, dns, from, sink } = here
  await here.sendAll(RECIPIENTS)
  const sendAt = new Date(Date.now() + 500).toISOString()
  const mail = { from, to: SCHEDULED, subject: 'Later', html: '<p>Later.</p>', sendAt }
  const { id: scheduled } = (await api.post<{ id: string }>('email/send', mail)).body
  const hook = await api.post<{ id: string }>('webhooks', { url: receiver.url, events: ['email.bounced'] })
  expect((await api.post(`webhooks/${hook.body.id}/test`)).status).toBe(202)
  await here.node.stop()
  const env = {
    ...more,
    DNS_SERVERS: dns.address,
    SMTP_MX_PORT: String(sink.port),
    SMTP_HOSTNAME: 'posthouse.test',
    EGRESS_ALLOW: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
  }
  return { ...here, receiver, scheduled, env }
}

interface Status {
  sending: 'on' | 'held'
  since: string | null
  because: string | null
  waiting: { mails: number; webhookDeliveries: number; texts: number }
}

async function command<T>(words: string, options: ProcessOptions): Promise<T> {
  const { code, stdout, stderr } = await runPosthouse([...words.split(' '), '--json'], options)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

const recipientsOf = ({ sink }: Backup): string[] => sink.taken.map(({ to }) => to).toSorted()

/** Those who deliver have been at work long enough to look for it many times: they look twice a second. */
async function haveLookedForWork(url: string): Promise<void> {
  const db = new Database({ url, name: 'test', connections: 1 })
  const begun = await db.one(sql<{ at: Date }>`select now() as at`)
  await eventually('the workers have been heard twice', async () => {
    const { heard } = await db.one(sql<{ heard: number }>`
      select count(*) as heard
        from workers
       where role in ('deliveries', 'webhook_deliveries')
         and started_at < heartbeat_at
         and heartbeat_at > ${begun.at}::timestamptz + interval '3 seconds'`)
    return heard === 2
  })
  await db.close()
}

/** It says so in every place, it takes mail, and neither a mail server nor an endpoint hears of it before the word. */
async function sendsNothingUntilResumed(node: PosthouseProcess, backup: Backup, url: string): Promise<void> {
  const { sink, receiver, api, from, env } = backup
  const options = { dataDir: node.dataDir, env }
  const [connections, requests] = [sink.connections.length, receiver.connections()]
  expect(node.stdout).toMatch(
    /SENDING IS HELD since \S+: this database is a restored backup or a copy of another one\./,
  )
  expect(node.stdout).toContain('npx posthouse sending resume')
  expect(JSON.parse(node.stderr)).toMatchObject({ level: 40, msg: expect.stringContaining('sending is held') })
  const metrics = async (): Promise<string> => (await fetch(`${node.url}/metrics`)).text()
  expect(await metrics()).toMatch(/^posthouse_sending_held 1$/m)
  const late = { from, to: 'late@sink.test', subject: 'Hello', html: '<p>Hello.</p>' }
  const client = new Client(node.url, api.key)
  expect((await client.post('email/send', late)).status).toBe(202)

  await haveLookedForWork(url)
  expect(await command<Status>('sending', options)).toEqual({
    sending: 'held',
    since: expect.stringMatching(/^\d{4}-/),
    because: 'this database is a restored backup or a copy of another one',
    waiting: { mails: EVERYBODY.length + 1, webhookDeliveries: 1, texts: 0 },
  })
  expect([sink.connections.length, receiver.connections()]).toEqual([connections, requests])
  // What has left since, and was scheduled then, can be called off.
  expect((await client.post(`emails/${backup.scheduled}/cancel`)).body).toMatchObject({ status: 'cancelled' })

  sink.taken.length = 0
  receiver.heard.length = 0
  expect(await command('sending resume', options)).toEqual({ sending: 'on', changed: true })
  await eventually('everything has arrived', () => sink.taken.length > RECIPIENTS.length && receiver.heard.length > 0)
  expect(recipientsOf(backup)).toEqual([...RECIPIENTS, 'late@sink.test'].toSorted())
  expect(receiver.heard).toHaveLength(1)
  expect(await metrics()).toMatch(/^posthouse_sending_held 0$/m)
}

/** What is due arrives without anybody's word. */
async function sendsByItself(node: PosthouseProcess, backup: Backup, recipients: string[]): Promise<void> {
  await eventually('what was due has arrived', () => backup.sink.taken.length >= recipients.length)
  expect(recipientsOf(backup)).toEqual(recipients)
  expect(node.stdout).not.toContain('HELD')
  expect(node.stderr).toBe('')
}

test('a copy of the data directory sends nothing until an operator says so; one that was moved, and the original, go on', async () => {
  const backup = await stoppedWithWork()
  const original = backup.node.dataDir
  const [copy, moved] = [`${original}-copy`, `${original}-moved`]
  onTestFinished(() => removeDataDirectory(copy))
  onTestFinished(() => removeDataDirectory(moved))
  expect(spawnSync('cp', ['-a', original, copy]).status).toBe(0)

  const restored = await startPosthouse({ dataDir: copy, env: backup.env })
  await sendsNothingUntilResumed(restored, backup, superuserUrl(copy))
  await restored.stop()

  backup.sink.taken.length = 0
  const again = await startPosthouse({ dataDir: original, env: backup.env })
  await sendsByItself(again, backup, EVERYBODY)
  await again.stop()

  backup.sink.taken.length = 0
  renameSync(original, moved)
  const elsewhere = await startPosthouse({ dataDir: moved, env: backup.env })
  expect(await command<Status>('sending', { dataDir: moved, env: backup.env })).toMatchObject({ sending: 'on' })
  await sendsByItself(elsewhere, backup, [])
}, 180_000)

/** A database of its own; the names of copies begin with its name. */
async function externalDatabase(): Promise<{ name: string; url: string; copy(name: string): Promise<string> }> {
  const server = inject('serverUrl')
  const name = `posthouse_backed_up_${randomBytes(6).toString('hex')}`
  const create = async (database: string, template: string): Promise<string> => {
    await administer(server, `create database ${database} template ${template}`)
    onTestFinished(() => administer(server, `drop database if exists ${database} with (force)`))
    return withDatabase(server, database)
  }
  return { name, url: await create(name, 'template1'), copy: (copy) => create(copy, name) }
}

test('a database that was restored beside the first sends nothing until an operator says so, the first goes on', async () => {
  const { name, url, copy } = await externalDatabase()
  const backup = await stoppedWithWork({ DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') })
  const copied = await copy(`${name}_copy`)

  const env = { ...backup.env, DATABASE_URL: copied }
  const restored = await startPosthouse({ env })
  await sendsNothingUntilResumed(restored, { ...backup, env }, copied)

  // Said once, it is said for good: the copy is an installation of its own now.
  await restored.stop()
  const later = await startPosthouse({ env })
  expect(later.stdout).not.toContain('HELD')

  backup.sink.taken.length = 0
  const original = await startPosthouse({ env: backup.env })
  await sendsByItself(original, backup, EVERYBODY)
}, 180_000)

test('a database that is exchanged for a restored one while nodes run sends nothing until an operator says so', async () => {
  const { name, url, copy } = await externalDatabase()
  const backup = await stoppedWithWork({ DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('hex') })
  await copy(`${name}_copy`)
  const node = await startPosthouse({ env: backup.env })
  await sendsByItself(node, backup, EVERYBODY)

  const server = inject('serverUrl')
  await administer(server, `alter database ${name} allow_connections false`)
  await administer(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await administer(server, `alter database ${name} rename to ${name}_old`)
  onTestFinished(() => administer(server, `drop database if exists ${name}_old with (force)`))
  await administer(server, `alter database ${name}_copy rename to ${name}`)

  const { connections, taken } = backup.sink
  const before = connections.length
  await haveLookedForWork(url)
  expect(connections).toHaveLength(before)
  const options = { env: backup.env }
  expect(await command<Status>('sending', options)).toMatchObject({
    sending: 'held',
    waiting: { mails: EVERYBODY.length, webhookDeliveries: 1 },
  })
  taken.length = 0
  await command('sending resume', options)
  await eventually('everything has arrived', () => taken.length >= EVERYBODY.length)
  expect(recipientsOf(backup)).toEqual(EVERYBODY)
}, 180_000)

test('workers stop within two seconds when an operator holds sending, with mail in hand, and go on when he lets go', async () => {
  const here = await startMailNode()
  const { node, sink, sendAll } = here
  const options = { dataDir: node.dataDir }
  const slow = ['tarpit-10s@sink.test', 'tarpit-11s@sink.test']
  await sendAll(slow)
  const wire = (): string => sink.connections.map(({ chunks }) => Buffer.concat(chunks).toString('latin1')).join('')
  await eventually('mail is on its way that will not come to its end soon', () =>
    slow.every((to) => wire().includes(`RCPT TO:<${to}>`)),
  )
  const quick: string[] = []
  const sendMore = async (): Promise<void> => {
    const batch = Array.from({ length: 20 }, (_, n) => `quick-${quick.length + n}@sink.test`)
    quick.push(...batch)
    await sendAll(batch)
  }
  const holding = command('sending hold --reason maintenance', options)
  const held = { at: 0 }
  void holding.then(() => (held.at = performance.now()))
  while (held.at === 0) await sendMore()
  expect(await holding).toEqual({ sending: 'held', changed: true })
  await sendMore()

  const isSlow = ({ chunks }: SinkConnection): boolean => Buffer.concat(chunks).includes('RCPT TO:<tarpit')
  await eventually(
    'what was slow has been withheld',
    () => sink.connections.filter(isSlow).every(({ isClosed }) => isClosed),
    60_000,
  )
  const times = sink.taken.map(({ at }) => at)
  expect(times.length).toBeGreaterThan(0)
  expect(Math.max(...times) - held.at).toBeLessThan(node.atMost(2_000))
  const left = slow.length + quick.length - times.length
  expect(left).toBeGreaterThan(slow.length)
  const { stdout } = await runPosthouse(['sending'], options)
  expect(stdout).toMatch(
    new RegExp(`^Sending is held since \\S+Z: maintenance\\.\n\nDUE NOW\nmails +${left}\nwebhook deliveries +0\n`),
  )
  expect(await command('sending hold --reason otherwise', options)).toEqual({ sending: 'held', changed: false })

  expect(await command('sending resume', options)).toEqual({ sending: 'on', changed: true })
  await eventually('all have arrived', () => sink.taken.length >= slow.length + quick.length)
  expect(here.ledger()).toEqual(new Map([...slow, ...quick].map((to) => [to, 1])))
  expect(await command('sending resume', options)).toEqual({ sending: 'on', changed: false })
}, 180_000)

test('START_HELD holds sending at the start, for what cannot be noticed, and resuming says that it is still set', async () => {
  const node = await startPosthouse({ env: { START_HELD: 'true' } })
  expect(node.stdout).toMatch(/SENDING IS HELD since \S+: START_HELD is set\./)
  const resumed = await runPosthouse(['sending', 'resume'], { dataDir: node.dataDir, env: { START_HELD: 'true' } })
  expect(resumed.stdout).toBe('Sending goes on.\nSTART_HELD is set: the next start holds it again.\n')
  expect(await command<Status>('sending', { dataDir: node.dataDir })).toMatchObject({ sending: 'on' })
})
