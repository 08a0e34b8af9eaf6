import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { isUnavailable } from '../../src/storage/outage.ts'
import { identifier, sql } from '../../src/storage/sql.ts'
import { freshDatabase } from '../support/database.ts'
import { administer, withDatabase } from '../support/server.ts'

const { db, drop } = await freshDatabase()
afterAll(drop)

test('values are bound, never spliced into the text', async () => {
  const hostile = `'; drop table projects; --`
  expect(await db.one(sql<{ value: string }>`select ${hostile}::text as value`)).toEqual({ value: hostile })
})

test('a query inside a query keeps its values in order', async () => {
  const inner = sql`select ${'b'}::text as x, ${'c'}::text as y`
  const row = await db.one(sql`select ${'a'}::text as first, i.x, i.y, ${'d'}::text as last from (${inner}) i`)
  expect(row).toEqual({ first: 'a', x: 'b', y: 'c', last: 'd' })
})

test('a name that is not a plain identifier is refused', () => {
  expect(() => identifier('a"; drop table projects; --')).toThrow('not a name')
})

test('a transaction that throws leaves nothing behind', async () => {
  await db.run(sql`create table scratch (value int)`)
  const failing = db.transaction(async (tx) => {
    await tx.run(sql`insert into scratch values (1)`)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await db.all(sql`select * from scratch`)).toEqual([])
})

test('of statements that travel together the one that failed is named, whichever is waited for', async () => {
  const failing = db.transaction(async (tx) => {
    const first = tx.one(sql`select 1 / 0`)
    first.catch(() => {})
    await tx.one(sql`select 1 as one`)
  })
  await expect(failing).rejects.toThrow('division by zero')
})

test('a transaction in which something failed is never taken for committed', async () => {
  await db.run(sql`create table hushed (value int)`)
  const hushing = db.transaction(async (tx) => {
    await tx.run(sql`insert into hushed values (1)`)
    await tx.one(sql`select 1 / 0`).catch(() => {})
  })
  await expect(hushing).rejects.toThrow('division by zero')
  expect(await db.all(sql`select * from hushed`)).toEqual([])
})

test('a connection that the server cuts is reported as unavailable, and the next query works', async () => {
  const cut = db.one(sql`select pg_terminate_backend(pg_backend_pid())`)
  await expect(cut).rejects.toSatisfy(isUnavailable)
  expect(await db.one(sql<{ one: number }>`select 1 as one`)).toEqual({ one: 1 })
})

test('a wrong statement is a defect, not an outage', async () => {
  await expect(db.one(sql`select no_such_column`)).rejects.not.toSatisfy(isUnavailable)
})

test('reads of one moment travel together and fail alone', async () => {
  const pidOf = (n: number) => db.reads.one(sql<{ pid: number }>`select pg_backend_pid() as pid, ${n}::int as n`)
  const pids = await Promise.all(Array.from({ length: 10 }, (_, n) => pidOf(n)))
  expect(new Set(pids.map(({ pid }) => pid)).size).toBe(1)
  const [good, bad, also] = await Promise.allSettled([pidOf(1), db.reads.one(sql`select 1 / 0`), pidOf(2)])
  expect([good?.status, bad?.status, also?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('the same question asked in the same moment is asked once, another one is not', async () => {
  const drawn = (salt: number) => db.reads.one(sql<{ number: number }>`select random() + ${salt}::int as number`)
  const [first, twin, other] = await Promise.all([drawn(0), drawn(0), drawn(1)])
  expect(twin).toEqual(first)
  expect(other).not.toEqual(first)
  expect(await drawn(0)).not.toEqual(first)
})

test('a statement that waits for a lock makes nobody else wait', async () => {
  await db.run(sql`create table contested as select 1 as n`)
  await db.transaction(async (tx) => {
    await tx.run(sql`update contested set n = 2`)
    const waiting = db.run(sql`update contested set n = 3`)
    expect(await db.one(sql<{ n: number }>`select n from contested`)).toEqual({ n: 1 })
    expect(await db.reads.one(sql<{ n: number }>`select n from contested`)).toEqual({ n: 1 })
    void waiting
  })
})

test('what is asked by index has no other way, on a new connection either, and nobody else notices', async () => {
  const ways = sql<{ walks: string; plans: string }>`
    select current_setting('enable_seqscan') as walks, current_setting('plan_cache_mode') as plans`
  const end = sql`select pg_terminate_backend(pg_backend_pid())`
  expect(await db.byIndex.one(ways)).toEqual({ walks: 'off', plans: 'force_generic_plan' })
  await expect(db.byIndex.run(end)).rejects.toThrow('terminating connection')
  expect(await db.byIndex.one(ways)).toEqual({ walks: 'off', plans: 'force_generic_plan' })
  expect(await db.one(ways)).toEqual({ walks: 'on', plans: 'auto' })
})

test('the migration that takes long keeps nobody from reading mail, and waits for nobody who does', async () => {
  const name = `posthouse_test_${randomBytes(6).toString('hex')}`
  await administer(inject('serverUrl'), `create database ${name}`)
  onTestFinished(() => administer(inject('serverUrl'), `drop database ${name} with (force)`))
  const session = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: withDatabase(inject('serverUrl'), name) })
    client.on('error', () => {})
    await client.connect()
    onTestFinished(() => client.end())
    return client
  }
  const [migrating, reading, alsoReading] = [await session(), await session(), await session()]
  const directory = 'src/storage/migrations'
  const files = readdirSync(directory).toSorted()
  const long = files.findIndex((file) => file.startsWith('0026_'))
  const apply = (file: string) => migrating.query(readFileSync(`${directory}/${file}`, 'utf8'))
  for (const file of files.slice(0, long)) await apply(file)
  const read = 'select 1 from recipient_states, emails limit 1'
  for (const client of [migrating, alsoReading]) await client.query(`set lock_timeout = '3s'`)
  await reading.query(`begin; ${read}`)
  await migrating.query('begin')
  await apply(files[long]!)
  await alsoReading.query(read)
})
