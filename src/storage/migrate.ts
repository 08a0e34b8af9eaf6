import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import type { Database } from './postgres.ts'

/** Any number that no other program takes an advisory lock on in this database. */
const MIGRATION_LOCK = 7_015_201

/** A long migration is no hanging statement, and neither is waiting for one: the driver must not cut it off either. */
const patiently = (text: string) => ({ text, query_timeout: 24 * 3_600_000 })

const directory = new URL('./migrations/', import.meta.url)

/**
 * Brings the schema up to date, forward only, each file in a transaction of its own. Nodes that start together wait
 * for each other here, and all but one then find nothing left to do.
 */
export function migrate(db: Database): Promise<string[]> {
  return db.withClient(async (client) => {
    await client.query('set statement_timeout = 0')
    await client.query(patiently(`select pg_advisory_lock(${MIGRATION_LOCK})`))
    try {
      return await applyPending(client)
    } finally {
      // A connection that is gone has let go of both by itself; what broke it is the better reason to report.
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => {})
      await client.query('reset statement_timeout').catch(() => {})
    }
  })
}

async function applyPending(client: pg.PoolClient): Promise<string[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key,
    applied_at timestamptz not null default now()
  )`)
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations')
  const done = new Set(rows.map((row) => row.name))
  const pending = migrationFiles().filter((name) => !done.has(name))
  for (const name of pending) await applyOne(client, name)
  return pending
}

async function applyOne(client: pg.PoolClient, name: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(patiently(readFileSync(new URL(name, directory), 'utf8')))
    await client.query('insert into schema_migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

const migrationFiles = (): string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
