import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../src/storage/outage.ts'
import { Database } from '../../src/storage/postgres.ts'
import { sql } from '../../src/storage/sql.ts'
import { layCable, type Cable } from '../chaos/cable.ts'
import { milliseconds } from '../support/eventually.ts'
import { credentials, PrivateCluster } from '../support/private-cluster.ts'

const cluster = new PrivateCluster()
beforeAll(() => cluster.start())
afterAll(() => cluster.remove())

/** At 35 s the driver gives a statement up by itself. */
const SOON_MS = 10_000

function database(url: string): Database {
  const db = new Database({ url, name: 'test', connections: 3 })
  onTestFinished(() => db.close())
  return db
}

/** The server behind a cable. */
const through = ({ port }: Cable, hosts = 1): string => {
  const places = Array.from({ length: hosts }, () => `127.0.0.1:${port}`)
  return `postgres://${credentials}@${places.join(',')}/posthouse?sslmode=disable`
}

const socketFile = `${cluster.dataDir}/postgres/.s.PGSQL.5432`

const select = sql<{ one: number }>`select 1 as one`

/** The error, and how long it took to come. */
async function failureOf(work: () => Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  let error: unknown
  const ms = await milliseconds(() => work().catch((thrown: unknown) => (error = thrown)))
  return { error, ms }
}

test('a statement that takes long is waited for, and so is a lock', async () => {
  const db = database(cluster.url)
  await db.run(sql`create table locked as select 1 as one`)
  const [slept] = await Promise.all([
    db.one(sql<{ slept: string }>`select 'yes' as slept from pg_sleep(5)`),
    db.transaction(async (tx) => {
      await tx.run(sql`lock table locked`)
      await tx.run(sql`select pg_sleep(4)`)
    }),
    db.all(sql`select * from locked`),
  ])
  expect(slept).toEqual({ slept: 'yes' })
})

test('with a frozen server everybody hears soon that it is unavailable, and it serves again when it thaws', async () => {
  const db = database(cluster.url)
  await Promise.all([1, 2].map(() => db.one(sql`select pg_sleep(0.1)`)))
  const thaw = cluster.freeze()
  try {
    const failures = await Promise.all([
      failureOf(() => db.one(select)),
      failureOf(() => db.reads.one(select)),
      failureOf(() => db.transaction((tx) => tx.one(select))),
      failureOf(() => db.byIndex.one(select)),
    ])
    for (const { error, ms } of failures) {
      expect(isUnavailable(error), String(error)).toBe(true)
      expect(ms).toBeLessThan(SOON_MS)
    }
  } finally {
    thaw()
  }
  expect(await db.one(select)).toEqual({ one: 1 })
})

test('a connection that is cut off without a word is given up though the server is well', async () => {
  const cable = await layCable(socketFile)
  const db = database(through(cable))
  expect(await db.one(select)).toEqual({ one: 1 })
  cable.cut()
  cable.mend()
  const { error, ms } = await failureOf(() => db.one(select))
  expect(isUnavailable(error), String(error)).toBe(true)
  expect(ms).toBeLessThan(SOON_MS)
  expect(await db.one(select)).toEqual({ one: 1 })
})

/** The first connection is the statement's; those that follow ask whether it is at work. */
test('a statement that was seen at work outlives one question that nobody answered, and not two in a row', async () => {
  const once = await layCable(socketFile, { isCutBy: (nth) => nth === 3 })
  const forGood = await layCable(socketFile, { isCutBy: (nth) => nth >= 3 })
  const asleep = (seconds: number) => sql<{ one: number }>`select 1 as one from pg_sleep(${seconds}::int)`
  const [kept, { error }] = await Promise.all([
    database(through(once)).one(asleep(6)),
    failureOf(() => database(through(forGood)).one(asleep(28))),
  ])
  expect(kept).toEqual({ one: 1 })
  expect(isUnavailable(error), String(error)).toBe(true)
})

test('a host that falls silent while it is asked for its part does not end the watch', async () => {
  // For two hosts each connection costs three: each is asked whether it takes writes.
  const isQuestion = (said: Buffer): boolean => said.toString('latin1').startsWith('Q')
  const cable = await layCable(socketFile, { isCutBy: (nth, said) => (nth === 4 || nth === 5) && isQuestion(said) })
  const db = database(through(cable, 2))
  expect(await db.one(sql`select 'yes' as slept from pg_sleep(2)`)).toEqual({ slept: 'yes' })
  cable.cut()
  cable.mend()
  const { error, ms } = await failureOf(() => db.one(select))
  expect(isUnavailable(error), String(error)).toBe(true)
  expect(ms).toBeLessThan(SOON_MS)
})
