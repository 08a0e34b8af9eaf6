/**
 * What it costs to have grown: the time of a claim and the memory of whoever claims with more and more mail queued, the
 * time of everyday requests with more and more contacts and events.
 */
import { Dispatcher } from '../src/dispatch/dispatcher.ts'
import type { Database, Tx } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { decodeId } from '../src/core/ids.ts'
import { addContacts, newAudience } from './crowd.ts'
import { mail } from './mail.ts'
import { startMailNode, type MailNode } from './mail-node.ts'
import { median, type Row } from './table.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** A hundred rows each, so that even the smallest queue lasts. */
const CLAIMS = 80
const REQUESTS = 200
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export async function growth(): Promise<Row[]> {
  const node = await startMailNode(1, { ROLES: 'api' })
  const rows = await node.inDatabase(async (db) => {
    const measured: Row[] = []
    for (const size of SIZES) measured.push(await claimsAmong(db, size, measured[0]))
    return measured
  })
  rows.push(...(await amongContacts(node)), ...(await amongEvents(node)))
  await node.stop()
  return rows
}

/** Everyday requests, one after the other, as an audience grows. */
async function amongContacts(node: MailNode): Promise<Row[]> {
  const audience = await newAudience(node)
  const path = `audiences/${audience}/contacts`
  const asked: Readonly<Record<string, (i: number) => Promise<{ status: number }>>> = {
    'a page of contacts': () => node.api.get(`${path}?limit=50`),
    'a contact by its address': (i) => node.api.get(`${path}/user${1 + i}@sink.test`),
    'a contact that is changed': (i) => node.api.post(path, { email: `user${1 + i}@sink.test`, firstName: 'New' }),
  }
  const grow = (from: number, to: number) => addContacts(node, audience, from, to)
  return whileGrowing(asked, 'contacts', grow)
}

/** An email and its events, and one that is accepted, as more and more has happened to others. */
async function amongEvents(node: MailNode): Promise<Row[]> {
  const { body } = await node.api.post<{ id: string }>('email/send', mail(node.from, 'ann@sink.test', 1))
  const own = decodeId('em', body.id)
  if (own === undefined) throw new Error('no email')
  const asked: Readonly<Record<string, (i: number) => Promise<{ status: number }>>> = {
    'an email with its events': () => node.api.get(`emails/${body.id}`),
    'an email accepted': (i) => node.api.post('email/send', mail(node.from, `user${i}@sink.test`, i)),
  }
  const grow = (from: number, to: number) =>
    node.inDatabase(async (db) => {
      for (let at = from; at < to; at += 50_000) {
        await db.run(sql`
          insert into events (id, project_id, workspace_id, kind, message_id, recipient, detail)
          select uuidv7(), p.id, p.workspace_id, 'email.delivered', gen_random_uuid(), 'user@sink.test', '250 ok'
            from projects p, generate_series(1, ${Math.min(50_000, to - at)}::int)`)
      }
      await db.run(sql`analyze events`)
    })
  return whileGrowing(asked, 'events', grow)
}

async function whileGrowing(
  asked: Readonly<Record<string, (i: number) => Promise<{ status: number }>>>,
  ofWhat: string,
  grow: (from: number, to: number) => Promise<void>,
): Promise<Row[]> {
  const found = new Map<string, string[]>(Object.keys(asked).map((what) => [what, []]))
  let size = 0
  for (const next of SIZES) {
    await grow(size, next)
    size = next
    for (const [what, ask] of Object.entries(asked)) found.get(what)?.push(await oneByOne(ask))
  }
  return [...found].map(([what, times]) => ({
    what: `${what}, among ${SIZES.map((n) => n.toLocaleString('en')).join(' / ')} ${ofWhat}`,
    ours: times.join(' / '),
    yardstick: '',
    result: '',
    target: '',
  }))
}

async function oneByOne(ask: (i: number) => Promise<{ status: number }>): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < REQUESTS; i++) {
    const startedAt = performance.now()
    const { status } = await ask(i)
    if (status >= 300) throw new Error(`answered ${status}`)
    times.push(performance.now() - startedAt)
  }
  return `${median(times).toFixed(1)} ms`
}

async function claimsAmong(db: Database, size: number, first: Row | undefined): Promise<Row> {
  await fill(db, size)
  const times: number[] = []
  const done = Promise.withResolvers<void>()
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  const dispatcher = new Dispatcher({
    db,
    queue: {
      table: 'deliveries',
      lanes: [{ lane: 0, share: 1, kept: 0 }],
      limits: () => ({ concurrency: 10 }),
      handle: async () => {},
      failed: () => {},
      // Gone, like what was delivered.
      record: (tx, settled) =>
        remove(
          tx,
          settled.map(({ item }) => item.id),
        ),
    },
    slots: 200,
    name: 'bench',
    log: silent,
    random: Math.random,
    observe: (event) => {
      if (event.kind === 'claimed' && times.push(event.ms) === CLAIMS) done.resolve()
    },
  })
  dispatcher.start()
  await done.promise
  await dispatcher.stop()
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number): string => `${(sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)} ms`
  return {
    what: `claims with ${size.toLocaleString('en')} queued`,
    ours: `p50 ${at(0.5)}, p99 ${at(0.99)}, memory +${grown.toFixed(0)} MB`,
    yardstick: first === undefined ? '' : `with 10,000: ${first.ours}`,
    result: '',
    target: 'p99 ≤ 20 ms',
  }
}

/** For a thousand destinations, ready to be sent. */
async function fill(db: Database, size: number): Promise<void> {
  await db.run(sql`truncate deliveries`)
  // In pieces: a statement may not take longer than half a minute.
  for (let at = 0; at < size; at += 50_000) {
    await db.run(sql`
      insert into deliveries (id, project_id, email_id, position, recipient, destination, lane, state)
      select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 0, 'user' || n || '@sink.test',
             'site' || n % 1000, 0, 'ready'
        from generate_series(1, ${Math.min(50_000, size - at)}::int) as n`)
  }
  await db.run(sql`analyze deliveries`)
}

async function remove(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from deliveries where id = any(${ids}::uuid[])`)
}
