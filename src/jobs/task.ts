import type { JobHelpers, Task } from 'graphile-worker'
import { DomainError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import { whenAvailable } from '../storage/patience.ts'
import type { Database } from '../storage/postgres.ts'
import type { JobDefinition, RunningJob } from './define.ts'
import { completeJob, failJob, holdJob, LostJobError, type Holding } from './holding.ts'

interface TaskContext {
  db: Database
  log: Log
  random: () => number
  signal: AbortSignal
}

/**
 * What graphile-worker runs for a job: the handler, and what its end means for the job.
 *
 * It returns only if it has just deleted the job under the condition that it is ours. Otherwise it throws, even when all
 * is well: what graphile-worker does about a failure is bound to the holder and finds nothing, what it does about a
 * success is not and might hit the job that somebody else is running.
 */
export const taskOf =
  (definition: JobDefinition, context: TaskContext): Task =>
  async (payload, { job }) => {
    const holding = { jobId: Number(job.id), pool: job.locked_by ?? '' }
    const progress = { finished: false }
    try {
      await definition.handle(payload, runningJob(job, { holding, progress, signal: context.signal }))
    } catch (error) {
      await settle(definition, context, holding, (db) => failed(db, { error, definition, holding, job, context }))
      throw new SettledError()
    }
    if (progress.finished) throw new SettledError()
    await settle(definition, context, holding, (db) => completeJob(db, holding))
  }

class SettledError extends Error {
  override readonly message = 'what became of the job is written already'
}

type Job = JobHelpers['job']

const runningJob = (
  job: Job,
  { holding, progress, signal }: { holding: Holding; progress: { finished: boolean }; signal: AbortSignal },
): RunningJob => ({
  id: holding.jobId,
  attempt: job.attempts,
  isLastAttempt: job.attempts >= job.max_attempts,
  signal,
  hold: (tx) => holdJob(tx, holding),
  finish: async (tx) => {
    await completeJob(tx, holding)
    progress.finished = true
  },
})

/** Writes what became of the job, however long the database is away. */
async function settle(
  { kind }: JobDefinition,
  { db, log, random }: TaskContext,
  { jobId }: Holding,
  write: (db: Database) => Promise<void>,
): Promise<void> {
  try {
    await whenAvailable(() => write(db), { random })
  } catch (error) {
    log.warn({ job: kind.name, id: jobId, err: error }, 'job result discarded: lease lost')
    throw error
  }
}

interface Failure {
  error: unknown
  definition: JobDefinition
  holding: Holding
  job: Job
  context: TaskContext
}

async function failed(db: Database, { error, definition, holding, job, context: { log } }: Failure): Promise<void> {
  if (error instanceof LostJobError) throw error
  const refused = error instanceof DomainError && error.code !== 'unavailable'
  const reason = storable(error instanceof Error ? error.message : String(error))
  await failJob(db, holding, { reason, forGood: refused })
  const fields = { job: definition.kind.name, id: holding.jobId, attempt: job.attempts }
  if (refused) log.warn({ ...fields, code: error.code }, `job ended: ${reason}`)
  else if (job.attempts >= job.max_attempts) log.error({ ...fields, err: error }, 'job given up')
  else log.warn({ ...fields, err: error }, 'job will be tried again')
}

/** Errors quote what they choked on, which may be long, or contain the one character that PostgreSQL refuses. */
const storable = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_REASON_LENGTH)

const MAX_REASON_LENGTH = 1_000
