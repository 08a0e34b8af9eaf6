import type { Database, Tx } from './postgres.ts'
import { sql } from './sql.ts'

/** The last transaction of this process under each name, done or not. */
const lines = new WeakMap<Database, Map<string, Promise<void>>>()

/**
 * Runs transactions of one name one after the other: those that insert and then count see what the others have added, and
 * those that lock rows in no common order cannot block each other. Those of this process wait without a connection:
 * hundreds waiting for a lock would leave none for other work. The lock is for other processes.
 */
export async function oneByOne<T>(db: Database, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  const line = lines.get(db) ?? new Map<string, Promise<void>>()
  lines.set(db, line)
  const before = line.get(name)
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  line.set(name, over)
  await before
  try {
    return await db.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
      return work(tx)
    })
  } finally {
    if (line.get(name) === over) line.delete(name)
    end()
  }
}
