import { Logger } from 'graphile-worker'
import type { Log } from '../core/log.ts'

export const SCHEMA = 'graphile_worker'

/**
 * graphile-worker reports each job and each connection; we want to hear of trouble only. Failed jobs are left out as
 * well: whoever ran the handler has told already, with the job's name and without a stack for a mere refusal.
 */
export const graphileLogger = (log: Log): Logger =>
  new Logger(() => (level, message, meta) => {
    if (meta['failure'] === true) return
    const err = meta['error'] ?? meta['fatalError']
    const fields = err === undefined ? {} : { err }
    if (level === 'error') log.error(fields, `graphile-worker: ${message}`)
    else if (level === 'warning') log.warn(fields, `graphile-worker: ${message}`)
    else log.debug(fields, `graphile-worker: ${message}`)
  })
