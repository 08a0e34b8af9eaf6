import type { Logger } from 'pino'
import { SetupError } from '../core/errors.ts'
import { startEmbedded } from '../storage/embedded.ts'
import { holdLock } from '../storage/lock.ts'
import { Database } from '../storage/postgres.ts'
import type { Progress } from './progress.ts'

/** Two supervisors on one data directory would both think the database theirs to stop. */
const SUPERVISOR_LOCK = 7_015_203

export interface EmbeddedGuard {
  url: string
  stop(): Promise<void>
}

/** Starts the embedded database or adopts a running one, keeps it ours alone, and revives it when it dies. */
export async function guardEmbedded(dataDir: string, logger: Logger, progress: Progress): Promise<EmbeddedGuard> {
  let embedded = await startEmbedded({ dataDir, progress })
  const { url } = embedded
  const db = new Database({ url, name: 'supervisor lock', connections: 1 })
  let lock = await holdLock(db, SUPERVISOR_LOCK)
  if (lock === undefined) {
    await db.close()
    throw new SetupError(
      `Posthouse is already running with the data directory ${dataDir}. Stop it first, or choose another with DATA_DIR.`,
    )
  }
  let stopping = false

  async function revive(): Promise<void> {
    for (;;) {
      await embedded.exited
      if (stopping) return
      logger.error('the database died and is started again')
      lock?.release()
      embedded = await startEmbedded({ dataDir })
      lock = await holdLock(db, SUPERVISOR_LOCK)
    }
  }
  revive().catch((error: unknown) => logger.fatal({ err: error }, 'the database cannot be started again'))

  return {
    url,
    stop: async () => {
      stopping = true
      lock?.release()
      await db.close()
      await embedded.stop()
    },
  }
}
