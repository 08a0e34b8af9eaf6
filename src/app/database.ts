import type { Config } from '../config/schema.ts'
import { SetupError } from '../core/errors.ts'
import { embeddedUrlIfRunning, startEmbedded } from '../storage/embedded.ts'
import { Database, isUnavailable } from '../storage/postgres.ts'
import { unsafeSettings } from '../storage/safety.ts'
import { migrateAll } from './migrate.ts'

/** A connection to a database that is reachable, safe and migrated. */
export async function openDatabase(url: string, name: string): Promise<Database> {
  const db = new Database({ url, name, connections: 2 })
  try {
    await refuseUnsafe(db)
    await migrateAll(db)
    return db
  } catch (error) {
    await db.close()
    throw explain(error, url)
  }
}

/** For a command: runs beside a server if there is one, else starts the embedded database for as long as it takes. */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const running = config.databaseUrl ?? embeddedUrlIfRunning(config.dataDir)
  const embedded = running === undefined ? await startEmbedded({ dataDir: config.dataDir }) : undefined
  try {
    const db = await openDatabase(running ?? embedded?.url ?? '', 'cli')
    return await work(db).finally(() => db.close())
  } finally {
    await embedded?.stop()
  }
}

async function refuseUnsafe(db: Database): Promise<void> {
  const problems = await unsafeSettings(db)
  if (problems.length > 0) {
    throw new SetupError(
      `This PostgreSQL must not hold mail:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
    )
  }
}

/** Anything that went wrong between us and the database, as its operator would want to read it. */
function explain(error: unknown, url: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const refused = /^(28|3D)/.test(code) // wrong credentials, no such database
  if (!isUnavailable(error) && !refused) return error
  const reasons = error instanceof AggregateError ? error.errors : [error]
  const reason = reasons.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
  return new SetupError(`The database at ${withoutPassword(url)} cannot be used: ${reason}. Check DATABASE_URL.`)
}

const withoutPassword = (url: string): string => url.replace(/(:\/\/[^:@/]*):[^@/]*@/, '$1:…@')
