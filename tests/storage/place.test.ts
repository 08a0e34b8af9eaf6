import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/app/database.ts'
import { loadConfig } from '../../src/config/load.ts'
import { heldSending, isSendingOn, resumeSending } from '../../src/dispatch/sending.ts'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import type { Database } from '../../src/storage/postgres.ts'
import { databasePlace } from '../../src/storage/place.ts'
import { sql } from '../../src/storage/sql.ts'
import { removeDataDirectory } from '../support/posthouse-process.ts'
import { PrivateCluster } from '../support/private-cluster.ts'
import { administer, withDatabase } from '../support/server.ts'

const cluster = new PrivateCluster()
beforeAll(() => cluster.start())
afterAll(() => cluster.remove())

/** As a node opens it when DATABASE_URL names it. */
async function opened<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(loadConfig({ DATABASE_URL: url }), url, 'test')
  return work(db).finally(() => db.close())
}

const because = async (db: Database): Promise<string | undefined> => (await heldSending(db))?.because
const COPY = expect.stringContaining('restored backup')

async function newDatabase(template = 'template1', owner = 'posthouse'): Promise<{ name: string; url: string }> {
  const name = `place_${randomBytes(6).toString('hex')}`
  await administer(cluster.url, `create database ${name} template ${template} owner ${owner}`)
  return { name, url: withDatabase(cluster.url, name) }
}

test('a database is at home wherever it was first opened, and stays so', async () => {
  const { url } = await newDatabase()
  expect(await opened(url, because)).toBeUndefined()
  expect(await opened(url, because)).toBeUndefined()
})

test('of nodes that open a copy at once one notices it, all know it, and it is noticed once', async () => {
  const { name, url } = await newDatabase()
  await opened(url, because)
  const copy = await newDatabase(name)
  const seen = await Promise.all([1, 2, 3].map(() => opened(copy.url, heldSending)))
  expect(seen[0]).toEqual({ since: expect.any(Date), because: COPY })
  expect(seen[1]).toEqual(seen[0])
  expect(seen[2]).toEqual(seen[0])
  await opened(copy.url, resumeSending)
  expect(await opened(copy.url, because)).toBeUndefined()
})

test('a dump that is read into the same database is noticed, by workers before anybody has looked', async () => {
  const { url } = await newDatabase()
  await opened(url, async (db) => {
    // What reading a dump does to the table: it is created anew and filled with what it held.
    await db.run(sql`create table dumped as table sending`)
    await db.run(sql`drop table sending`)
    await db.run(sql`create table sending (like dumped)`)
    await db.run(sql`insert into sending table dumped`)
    expect([await isSendingOn(db), await because(db)]).toEqual([false, undefined])
  })
  expect(await opened(url, because)).toEqual(COPY)
})

test('a standby that takes over is the same place: same server, same database, other files', async () => {
  const { name, url } = await newDatabase()
  await opened(url, because)
  const dataDir = `${cluster.dataDir}-standby`
  onTestFinished(() => removeDataDirectory(dataDir))
  await cluster.stop()
  expect(spawnSync('cp', ['-a', cluster.dataDir, dataDir]).status).toBe(0)
  await cluster.start()
  const standby = await startEmbedded({ dataDir })
  const there = withDatabase(standby.superuserUrl, name)
  expect(await opened(there, (db) => databasePlace(db, undefined))).toEqual(
    await opened(url, (db) => databasePlace(db, undefined)),
  )
  expect(await opened(there, because)).toBeUndefined()
  await standby.stop()
})

test('an ordinary user is told which server it is; where that is forbidden, nothing is noticed that is not so', async () => {
  await administer(cluster.url, `create role ordinary login password 'secret'`)
  const { url } = await newDatabase('template1', 'ordinary')
  const theirs = url.replace('posthouse:', 'ordinary:')
  const serverOf = async (db: Database): Promise<string | null> => (await databasePlace(db, undefined)).server
  expect(await opened(theirs, serverOf)).toMatch(/^\d{15,}$/)
  await administer(url, 'revoke execute on function pg_control_system() from public')
  expect(await opened(theirs, serverOf)).toBeNull()
  expect(await opened(theirs, because)).toBeUndefined()
  await administer(url, 'grant execute on function pg_control_system() to public')
  expect(await opened(theirs, serverOf)).toMatch(/^\d{15,}$/)
  expect(await opened(theirs, because)).toBeUndefined()
})
