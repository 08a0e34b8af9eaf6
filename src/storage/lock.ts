import type { Database } from './postgres.ts'

/**
 * Takes a lock that lasts as long as the session which holds it: when this process dies, however it dies, the lock is
 * free. Undefined when somebody else has it.
 */
export async function holdLock(db: Database, key: number): Promise<{ release(): void } | undefined> {
  const holder = await db.pool.connect()
  holder.on('error', () => {})
  const { rows } = await holder.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [key])
  const release = (): void => holder.release(true)
  if (rows[0]?.ours === true) return { release }
  release()
  return undefined
}
