import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/storage/migrate.ts'
import { startEmbedded } from '../../src/embedded-postgres/server.ts'
import { Database } from '../../src/storage/postgres.ts'

export interface OwnServer {
  url: string
  db: Database
  /** Cuts all sessions and ends the postmaster. */
  halt(): Promise<void>
  /** Starts it again, with everything that was committed. */
  resume(): Promise<void>
  drop(): Promise<void>
}

/** A PostgreSQL that belongs to one test, which may stop it. */
export async function ownServer(connections = 10): Promise<OwnServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'posthouse-own-'))
  let server = await startEmbedded({ dataDir })
  const db = new Database({ url: server.superuserUrl, name: 'test', connections })
  await migrate(db)
  return {
    url: server.superuserUrl,
    db,
    halt: () => server.stop(),
    resume: async () => {
      server = await startEmbedded({ dataDir })
    },
    drop: async () => {
      // In this order: whatever a failed test left running would keep its connections.
      await server.stop()
      await db.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
