import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { Dispatcher } from '../../src/dispatch/dispatcher.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startInstallation } from '../support/mail-node.ts'
import { startPosthouse } from '../support/posthouse-process.ts'
import { accepted } from '../support/world.ts'
import { watchMemory } from './memory.ts'
import { sitesOf, startRecipients } from './recipients.ts'
import { chaos, quantile, type Run } from './run.ts'

const QUEUED = 1_000_000
const SITES = 1_000
/** A hundred rows each. */
const CLAIMS = 300
const DELIVERING_MS = 10_000

chaos('a million mails are queued: claims are as quick as ever, and the worker is as small as ever', async (run) => {
  const { db, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const recipients = await startRecipients()
  const { sites, zones } = sitesOf(SITES)
  const env = { DATABASE_URL: url, MASTER_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'silent' }
  const here = await startInstallation(recipients, { ...env, ROLES: 'api' }, zones)
  const mail = { from: here.from, to: `first@${sites[0]}`, subject: 'Hello', html: '<p>Hello.</p>' }
  accepted(await here.api.post('email/send', mail))
  const queued = run.scaled(QUEUED)
  await repeatTheOnlyMail(db, queued)

  const claims = new Claims(db)
  await eventually('enough was claimed', () => claims.times.length >= CLAIMS, 60_000).catch(() => {})
  await claims.stop()
  claims.tell(run, '27', `${queued} queued rows: claim p99 at most 20 ms`, 20)
  run.hit('rows queued', queued)

  const worker = await startPosthouse({
    env: {
      ...env,
      ROLES: 'worker',
      DNS_SERVERS: here.dns.address,
      SMTP_MX_PORT: String(recipients.port),
      SMTP_HOSTNAME: 'posthouse.test',
      EGRESS_ALLOW: '127.0.0.0/8',
    },
  })
  const memory = watchMemory(worker)
  await eventually('it delivers', () => recipients.arrivals.length > 0)
  await sleep(DELIVERING_MS)
  const { most, words } = memory.stop()
  run.line('26', `${queued} mails queued: at most 400 MB per process`, `${most.toFixed(0)} MB (${words})`, most <= 400)
  run.hit('mails delivered out of a long queue', recipients.arrivals.length)
})

const CYCLES = 100_000
const WAVES = 10

chaos('somebody holds a snapshot open while rows come and go, and claims hardly notice', async (run) => {
  const { db, url, drop } = await freshDatabase()
  onTestFinished(drop)
  const foreign = await holdSnapshot(url)
  const cycles = run.scaled(CYCLES)
  const claims = new Claims(db)
  for (let wave = 1; wave <= WAVES; wave++) {
    await fill(db, cycles / WAVES)
    claims.lookSoon()
    await eventually('all were taken', () => claims.finished >= (wave * cycles) / WAVES, 60_000).catch(() => {})
  }
  await claims.stop()
  claims.tell(run, '28', `a foreign snapshot during ${claims.finished} cycles: claim p99 at most 50 ms`, 50)
  run.hit('dead rows that nobody could remove', await foreign.deadRows())
})

/** Works the queue off as a worker does, but for the mail, and notes how long each claim took. */
class Claims {
  readonly times: number[] = []
  finished = 0
  readonly #dispatcher: Dispatcher<void>

  constructor(db: Database) {
    this.#dispatcher = new Dispatcher({
      db,
      queue: {
        table: 'deliveries',
        lanes: [{ lane: 0, share: 1, kept: 0 }],
        limits: () => ({ concurrency: 10 }),
        handle: async () => {},
        failed: () => {},
        // Gone, like what was delivered.
        record: async (tx, settled) => {
          const ids = settled.map(({ item }) => item.id)
          await tx.run(sql`delete from deliveries where id = any(${ids}::uuid[])`)
          this.finished += ids.length
        },
      },
      slots: 200,
      name: 'chaos',
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      random: Math.random,
      observe: (event) => void (event.kind === 'claimed' && this.times.push(event.ms)),
    })
    this.#dispatcher.start()
  }

  lookSoon(): void {
    this.#dispatcher.lookSoon()
  }

  stop(): Promise<void> {
    return this.#dispatcher.stop()
  }

  tell(run: Run, promise: string, promised: string, mostMs: number): void {
    const [p50, p99] = [quantile(this.times, 0.5), quantile(this.times, 0.99)]
    const measured = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${this.times.length} claims`
    run.line(promise, promised, measured, p99 <= mostMs)
  }
}

/** The same mail to everybody else, as if each had been asked for. In pieces: a statement has half a minute. */
async function repeatTheOnlyMail(db: Database, count: number): Promise<void> {
  const piece = 50_000
  for (let at = 0; at < count; at += piece) {
    await db.run(sql`
      with asked as (
        insert into emails (id, project_id, content_id, domain_id, sender, addresses, options)
        select uuidv7(), project_id, content_id, domain_id, sender,
               jsonb_set(addresses, '{recipients,0,email}', to_jsonb('user' || n || '@site' || n % ${SITES}::int || '.test')),
               options
          from (select * from emails order by id limit 1) as first_one,
               generate_series(${at + 1}::int, ${Math.min(count, at + piece)}::int) as n
        returning id, project_id, addresses #>> '{recipients,0,email}' as recipient
      )
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
      select uuidv7(), project_id, id, 0, recipient, split_part(recipient, '@', 2), 0, 'ready' from asked`)
  }
  await db.run(sql`analyze deliveries, emails`)
}

const fill = (db: Database, count: number): Promise<number> =>
  db.run(sql`
    insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
    select uuidv7(), uuidv7(), uuidv7(), 0, 'user' || n || '@sink.test', 'site' || n % 100, 0, 'ready'
      from generate_series(1, ${count}::int) as n`)

/** From now on nothing that is deleted can be removed. */
async function holdSnapshot(url: string): Promise<{ deadRows(): Promise<number> }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('begin isolation level repeatable read')
  await client.query('select count(*) from deliveries')
  return { deadRows: () => deadRows(url) }
}

/** As PostgreSQL says when it tries to remove them. */
async function deadRows(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const said: string[] = []
  client.on('notice', ({ message }) => said.push(message ?? ''))
  await client.query('vacuum (verbose) deliveries')
  await client.end()
  return Number(/(\d+) are dead but not yet removable/.exec(said.join('\n'))?.[1] ?? 0)
}
