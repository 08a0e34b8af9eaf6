import { join } from 'node:path'
import type { Log } from '../core/log.ts'
import { Journal } from '../dispatch/journal.ts'

/** Without a place for it everything leaves all the same; after a crash a little more of it is unknown, or sent again. */
export function journalIn(dataDir: string, table: string, log: Log): { journal?: Journal } {
  try {
    const onFailure = (error: unknown): void => log.warn({ err: error, table }, 'journal write failed')
    return { journal: new Journal(join(dataDir, 'journal'), table, onFailure) }
  } catch (error) {
    log.warn({ err: error, table }, 'journal disabled: DATA_DIR is not writable')
    return {}
  }
}
