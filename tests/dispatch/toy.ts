import { randomUUID } from 'node:crypto'
import type { Log } from '../../src/core/log.ts'
import { Dispatcher, type DispatcherOptions } from '../../src/dispatch/dispatcher.ts'
import type { Item, Lease, Queue } from '../../src/dispatch/queue.ts'
import type { Database, Tx } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { moveClock } from '../support/clock.ts'

/** A queue as a resource would have it, with outcomes as plain as they can be. */
export type ToyOutcome =
  | { kind: 'done'; by: string }
  | { kind: 'retry'; inMs: number }
  /** `record` fails for it, and for nothing else. */
  | { kind: 'unspeakable' }

export type Handle = (item: Item, lease: Lease) => Promise<ToyOutcome>

export const TABLE = 'toys'

/** Lanes as mail has them: transactional, broadcast, retries. */
const lanes = [
  { lane: 0, share: 0.5, kept: 0.2 },
  { lane: 1, share: 0.3, kept: 0.1 },
  { lane: 2, share: 0.2, kept: 0.1 },
]

/** For tests that wait for a death: short, but not too short for a machine that has other things to do. */
export const shortTimes = { heartbeatMs: 300, fenceMs: 1_500, expiryMs: 2_500 }

/** For `expect.poll`: how long to ask for something that should be true at once, on a machine that may be busy. */
export const soon = { timeout: 60_000, interval: 10 }

export async function createToys(db: Database): Promise<void> {
  await db.run(sql`create table toys (id uuid primary key, cancelled boolean not null default false)`)
  await db.all(sql`select make_dispatch_queue('toys')`)
  // A row per outcome that was written, in the order of writing: the second one for an id would be a duplicate.
  await db.run(sql`create table toy_results (no serial, id uuid not null, done_by text not null)`)
}

/** As after `createToys`, for tests that share a database. */
export async function clearToys(db: Database): Promise<void> {
  await db.run(sql`truncate toys, toy_results, workers cascade`)
  await moveClock(db, 0)
}

export interface NewToy {
  destination?: string
  lane?: number
  state?: string
  dueInMs?: number
  crashes?: number
}

/** Inserts `count` rows in one statement; their ids sort as they were made. */
export async function addToys(db: Database, count: number, toy: NewToy = {}): Promise<string[]> {
  const { destination = 'example.com', lane = 0, state = 'ready', dueInMs = 0, crashes = 0 } = toy
  const ids = Array.from({ length: count }, () => randomUUID()).toSorted()
  await db.run(sql`
    insert into toys (id, destination, lane, state, due_at, crashes)
    select id, ${destination}, ${lane}, ${state}, clock_now() + ${dueInMs} * interval '1 millisecond', ${crashes}
      from unnest(${ids}::uuid[]) as id`)
  return ids
}

export const toyQueue = (handle: Handle, more: Partial<Queue<ToyOutcome>> = {}): Queue<ToyOutcome> => ({
  table: TABLE,
  lanes,
  limits: () => ({ concurrency: 100 }),
  handle,
  failed: () => ({ kind: 'retry', inMs: 0 }),
  record: recordToys,
  ...more,
})

async function recordToys(tx: Tx, settled: readonly { item: Item; outcome: ToyOutcome }[]): Promise<void> {
  for (const { item, outcome } of settled) {
    switch (outcome.kind) {
      case 'done':
        await tx.run(sql`insert into toy_results (id, done_by) values (${item.id}, ${outcome.by})`)
        await tx.run(sql`delete from toys where id = ${item.id}`)
        break
      case 'retry':
        await tx.run(sql`
          update toys
             set state = 'waiting', lease_worker = null,
                 due_at = clock_now() + ${outcome.inMs} * interval '1 millisecond'
           where id = ${item.id}`)
        break
      case 'unspeakable':
        // What a receiver answers may contain anything; PostgreSQL takes no NUL.
        await tx.run(sql`insert into toy_results (id, done_by) values (${item.id}, ${'\0'})`)
    }
  }
}

export const toyDispatcher = (
  db: Database,
  queue: Queue<ToyOutcome>,
  more: Partial<DispatcherOptions<ToyOutcome>> = {},
): Dispatcher<ToyOutcome> =>
  new Dispatcher({
    db,
    queue,
    slots: 20,
    name: 'test',
    log: silent,
    random: Math.random,
    idleMs: 50,
    ...more,
  })

export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

export const results = (db: Database): Promise<{ id: string; by: string }[]> =>
  db.all(sql<{ id: string; by: string }>`select id, done_by as by from toy_results order by no`)

export interface Toy {
  id: string
  state: string
  crashes: number
  leaseNo: number
}

export const toys = (db: Database): Promise<Toy[]> =>
  db.all(sql<Toy>`select id, state, crashes, lease_no as "leaseNo" from toys order by id`)

/** A promise and what settles it. */
export const gate = (): PromiseWithResolvers<void> => Promise.withResolvers<void>()
