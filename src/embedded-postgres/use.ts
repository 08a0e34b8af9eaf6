import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { isUnavailable } from '../storage/outage.ts'
import { startEmbedded, type EmbeddedOptions, type EmbeddedPostgres } from './server.ts'
import { CHARGE_LOCK, tryLock, USE_LOCK } from './locks.ts'

const ATTEMPTS = 10
const ATTEMPT_MS = 1_000

/**
 * A use of the server by a node or a command. Both locks live as long as our session, so they are free as soon as this
 * process has ended in any way.
 */
export interface EmbeddedUse extends EmbeddedPostgres {
  /** False when another process is in charge of the server. */
  takeCharge(): Promise<boolean>
  /** The last user stops the server; as long as there is another one it goes on. */
  leave(): Promise<void>
}

export async function useEmbedded(options: EmbeddedOptions): Promise<EmbeddedUse> {
  for (let attempt = 1; ; attempt++) {
    const server = await startEmbedded(options)
    const session = new pg.Client({ connectionString: server.url, application_name: 'posthouse use' })
    session.on('error', () => {})
    try {
      await session.connect()
      await session.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
      return { ...server, takeCharge: () => tryLock(session, CHARGE_LOCK), leave: () => leave(server, session) }
    } catch (error) {
      await session.end().catch(() => {})
      if (attempt === ATTEMPTS) throw error
      // The process that used the server before us was the last one and is stopping it.
      await Promise.race([server.exited, sleep(ATTEMPT_MS)])
    }
  }
}

async function leave(server: EmbeddedPostgres, session: pg.Client): Promise<void> {
  try {
    await session.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
    if (await tryLock(session, USE_LOCK)) await server.stop()
  } catch (error) {
    // Another user left at the same moment and is stopping the server, which ends our session.
    if (!isUnavailable(error)) throw error
  } finally {
    await session.end().catch(() => {})
  }
}
