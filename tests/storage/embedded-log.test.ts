import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import { boundLog, endOfLog } from '../../src/embedded-postgres/postmaster.ts'
import { removeDataDirectory, temporaryDirectory, testDirectory } from '../support/posthouse-process.ts'

async function server() {
  const dataDir = temporaryDirectory()
  onTestFinished(() => removeDataDirectory(dataDir))
  const { url, superuserUrl, boundLog } = await startEmbedded({ dataDir })
  return { url, superuserUrl, boundLog, log: `${dataDir}/postgres.log` }
}

/** Statements that fail in every way that quotes what they were given. */
const failing: [string, string[]][] = [
  ['insert into people values ($1, 1)', ['secret']],
  ['insert into people values ($1, null)', ['secret']],
  ['insert into people values ($1, -1)', ['secret']],
  ['select $1::int', ['secret']],
  ['select $1::timestamptz', ['secret']],
  [`select 'secret' from nowhere`, []],
]

test('what a statement of ours was given is not in the log of the server', async () => {
  const here = await server()
  const secret = `ann-${randomUUID()}@example.org`
  const client = new pg.Client({ connectionString: here.url })
  client.on('error', () => {})
  await client.connect()
  await client.query(`create table people (email text primary key, age int not null check (age > 0))`)
  await client.query('insert into people values ($1, 1)', [secret])
  for (const [statement, values] of failing) {
    const given = values.map(() => secret)
    await expect(client.query(statement.replace('secret', secret), given)).rejects.toThrow()
  }
  // Something is written about a session that is cut, so the rest was not simply late.
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
  const log = readFileSync(here.log, 'utf8')
  expect(log).toContain('terminating connection')
  expect(log).not.toContain(secret)
})

test('the log of the server is kept from growing for ever, while it goes on writing', async () => {
  const { superuserUrl, boundLog, log } = await server()
  appendFileSync(log, 'x'.repeat(10 * 1_048_576))
  const before = readFileSync(log)
  boundLog()
  expect(statSync(log).size).toBe(0)
  expect(readFileSync(`${log}.1`).equals(before)).toBe(true)
  const client = new pg.Client({ connectionString: superuserUrl })
  client.on('error', () => {})
  await client.connect()
  await expect(client.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
  const size = statSync(log).size
  expect(size).toBeGreaterThan(0)
  boundLog()
  expect(statSync(log).size).toBeGreaterThanOrEqual(size)
})

test('a log that is a link is neither read nor shortened', () => {
  const directory = testDirectory()
  writeFileSync(`${directory}/elsewhere`, 'x'.repeat(10 * 1_048_576))
  symlinkSync(`${directory}/elsewhere`, `${directory}/postgres.log`)
  for (const use of [boundLog, endOfLog]) expect(() => use(`${directory}/postgres`)).toThrow(/ELOOP/)
})
