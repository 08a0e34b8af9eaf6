/** What a queue costs that has grown: the time of a claim, and the memory of whoever claims. */
import { Dispatcher } from '../src/dispatch/dispatcher.ts'
import type { Database, Tx } from '../src/storage/postgres.ts'
import { sql } from '../src/storage/sql.ts'
import { startMailNode } from './mail-node.ts'
import type { Row } from './table.ts'

const SIZES = [10_000, 100_000, 1_000_000]
/** A hundred rows each, so that even the smallest queue lasts. */
const CLAIMS = 80
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export async function growth(): Promise<Row[]> {
  const node = await startMailNode(1, { ROLES: 'api' })
  const rows = await node.inDatabase(async (db) => {
    const measured: Row[] = []
    for (const size of SIZES) measured.push(await claimsAmong(db, size, measured[0]))
    return measured
  })
  await node.stop()
  return rows
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
