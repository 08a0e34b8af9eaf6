import type { Config } from '../config/schema.ts'
import { SetupError } from '../core/errors.ts'
import { noticePlace } from '../dispatch/sending.ts'
import { hasEmbedded } from '../embedded-postgres/server.ts'
import { useEmbedded } from '../embedded-postgres/use.ts'
import { migrate } from '../storage/migrate.ts'
import { isUnavailable } from '../storage/outage.ts'
import { databasePlace } from '../storage/place.ts'
import { Database } from '../storage/postgres.ts'
import { unsafeSettings } from '../storage/safety.ts'
import { connections } from './connections.ts'

/** A connection to a database that is reachable, safe, migrated, and does not send if it is a copy of another one. */
export async function openDatabase(config: Config, url: string, name: string): Promise<Database> {
  const db = new Database({ url, name, connections: connections.supervisor })
  let reached = false
  try {
    await db.withClient(async () => {})
    reached = true
    await refuseUnsafe(db)
    await migrate(db)
    await noticePlace(db, await databasePlace(db, config.databaseUrl === undefined ? config.dataDir : undefined))
    return db
  } catch (error) {
    await db.close()
    // Once it has answered, what is neither an outage nor a refusal is a defect of ours, and keeps its stack.
    throw reached && !isUnavailable(error) && !isRefusal(error) ? error : explain(error, url)
  }
}

/** For a command: runs beside a node if there is one, else starts the embedded database for as long as it takes. */
export async function withDatabase<T>(config: Config, work: (db: Database) => Promise<T>): Promise<T> {
  const embedded = config.databaseUrl === undefined ? await useEmbedded({ dataDir: config.dataDir }) : undefined
  try {
    const db = await openDatabase(config, config.databaseUrl ?? embedded?.url ?? '', 'cli')
    return await work(db).finally(() => db.close())
  } finally {
    await embedded?.leave()
  }
}

/** Whether anything was ever kept here; a look must not make an empty database first. */
export const hasDatabase = (config: Config): boolean => config.databaseUrl !== undefined || hasEmbedded(config.dataDir)

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
  if (error instanceof SetupError) return error
  const reasons = error instanceof AggregateError ? error.errors : [error]
  const reason = reasons.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
  return new SetupError(`The database at ${placeOf(url)} cannot be used: ${reason}. Check DATABASE_URL.`)
}

/** Wrong credentials, no such database, no right to make tables. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(28...|3D...|42501)$/.test(String(error.code))

/** Where it is, without who we are there: the password may stand before the host or among the parameters. */
function placeOf(url: string): string {
  const [, hosts = '', database = '', query = ''] = /^\w+:\/\/(?:[^/?]*@)?([^/?]*)\/?([^?]*)\??(.*)$/s.exec(url) ?? []
  return `${hosts || new URLSearchParams(query).get('host')}/${database}`
}
