import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable } from '../storage/outage.ts'

/** Shared by all processes that use the embedded database; exclusive for the process that stops it. */
export const USE_LOCK = 7_015_204
/** Held by the node that decides when the database starts and stops. */
export const CHARGE_LOCK = 7_015_203

const ATTEMPTS = 50
const ATTEMPT_MS = 200

export async function tryLock(session: pg.Client, lock: number): Promise<boolean> {
  const { rows } = await session.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [lock])
  return rows[0]?.ours === true
}

/** Tells whether a process uses the server that runs there; a server that does not answer is used by none. */
export async function isInUse(url: string): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const session = new pg.Client({ connectionString: url })
    session.on('error', () => {})
    try {
      await session.connect()
      return !(await tryLock(session, USE_LOCK))
    } catch (error) {
      // One whose first start was cut off has no database of ours yet.
      if (error instanceof pg.DatabaseError && error.code === '3D000') return false
      if (!isUnavailable(error)) throw error
      await sleep(ATTEMPT_MS)
    } finally {
      await session.end().catch(() => {})
    }
  }
  return false
}
