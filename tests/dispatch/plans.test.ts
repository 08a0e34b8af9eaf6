import { afterAll, expect, test } from 'vitest'
import { claim, claimSuspect, promote, scanReady } from '../../src/dispatch/claim.ts'
import { Worker } from '../../src/dispatch/workers.ts'
import { sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { entriesRead } from '../support/entries-read.ts'
import { addToys, clearToys, createToys, silent, TABLE } from './toy.ts'

const world = await freshDatabase(1)
await createToys(world.db)
afterAll(() => world.drop())

const { db } = world
const FIRST = '00000000-0000-0000-0000-000000000000'

const lanes = [0, 1, 2]

const statementsOf = (worker: string): Record<string, () => Promise<unknown>> => ({
  claim: () =>
    claim(db, { table: TABLE }, worker, [{ lane: 1, destination: 'here.example', firstId: FIRST, most: 10 }]),
  'the claim of a suspect': () => claimSuspect(db, { table: TABLE }, worker, { lanes, except: [] }),
  scanReady: () => {
    const positions = lanes.map((lane) => ({ lane, after: '' }))
    return scanReady(db, TABLE, positions, 10)
  },
  promote: () => promote(db, { table: TABLE }, 10),
})

const beforehand: [what: string, fill: () => Promise<unknown>][] = [
  ['an empty queue', async () => {}],
  ['a queue with one destination', () => addToys(db, 5_000, { destination: 'here.example', lane: 1 })],
]

test.each(beforehand)('a plan that was made for %s does not read all of a full one', async (_, fill) => {
  await clearToys(db)
  const worker = new Worker({ db, role: TABLE, name: 'test', log: silent, release: async () => {} })
  await worker.runOnce()
  const statements = statementsOf(worker.id)
  await fill()
  await db.run(sql`vacuum analyze toys`)
  await db.byIndex.run(sql`discard plans`)
  // One after the other, over one connection: a plan is kept by the one that made it. And only after some time is it kept.
  for (let i = 0; i < 10; i++) for (const run of Object.values(statements)) await run()

  await addToys(db, 5_000, { destination: 'elsewhere.example', lane: 0 })
  await addToys(db, 5_000, { destination: 'elsewhere.example', lane: 1 })
  await addToys(db, 5_000, { state: 'waiting', dueInMs: 3_600_000 })
  await addToys(db, 100, { destination: 'here.example', lane: 1 })
  const read: Record<string, number> = {}
  for (const [name, run] of Object.entries(statements)) {
    read[name] = await entriesRead(db.byIndex, TABLE, run)
  }
  expect(Object.entries(read).filter(([, entries]) => entries > 200)).toEqual([])
  // What this connection has read is counted at all.
  expect(read['claim']).toBeGreaterThanOrEqual(20)
})
