import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { Database } from '../../src/storage/postgres.ts'
import { administer, withDatabase } from './server.ts'

export interface TestDatabase {
  url: string
  db: Database
  drop(): Promise<void>
}

/** A migrated database that nobody else uses, cloned from the template of this run. */
export async function freshDatabase(connections = 5): Promise<TestDatabase> {
  const server = inject('serverUrl')
  const name = `posthouse_test_${randomBytes(6).toString('hex')}`
  await administer(server, `create database ${name} template ${inject('templateDatabase')} strategy file_copy`)
  const url = withDatabase(server, name)
  const db = new Database({ url, name: 'test', connections })
  return {
    url,
    db,
    drop: async () => {
      await db.close()
      await administer(server, `drop database ${name} with (force)`)
    },
  }
}
